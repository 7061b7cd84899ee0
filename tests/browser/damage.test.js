// Damaged files of a site: the error names the file, and everything else goes on working.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { askNatively, serve } from './harness/command.js';
import { ASKED, OTHER_WORDS } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { damagedSite, manifestOf, sampleQuestions, sampleSite, shardsIn } from './harness/site.js';

let browser;
let manifest;

before(async () => {
  manifest = await manifestOf(await sampleSite());
  browser = await launch();
});
after(() => browser?.close());

test('a damaged encoder is named, and what stands in for it still finds answers', async () => {
  const [weights] = shardsIn(manifest.encoder).slice(-1);
  await onSite(await damagedSite('damaged-encoder', [weights]), async (reader) => {
    await reader.askFor(ASKED.question, 'instant');
    await reader.page.getByTestId('status').filter({ hasText: weights }).waitFor();
    assert.ok((await reader.sources.count()) > 0);
  });
});

test('token vectors that cannot be had are named, and questions without those words are answered', async () => {
  const parts = manifest.encoder.files.filter((file) => file.on_demand).map((file) => file.shard.path);
  await onSite(await damagedSite('damaged-words', parts), async (reader) => {
    await reader.askFor(ASKED.question);
    assert.match(await reader.marked.innerText(), ASKED.answer);
    await reader.box.fill(OTHER_WORDS.question);
    await reader.box.press('Enter');
    const failure = reader.page.getByRole('alert').filter({ hasText: 'This question could not be answered.' });
    await failure.getByText('What happened, in detail').click();
    await failure
      .getByText(/shards\/model-/)
      .first()
      .waitFor();
    await failure.getByRole('button', { name: 'Try again' }).waitFor();
    await reader.askFor(ASKED.question);
    assert.match(await reader.marked.innerText(), ASKED.answer);
  });
});

test('a damaged stand-in is named, and the encoder is waited for', async () => {
  const { path } = manifest.instant.table;
  await onSite(await damagedSite('damaged-instant', [path]), async (reader) => {
    await reader.askFor(ASKED.question);
    await reader.page.getByTestId('status').filter({ hasText: path }).waitFor();
  });
});

test('a damaged reader is named, and answers are whole sentences', async () => {
  const [adapter] = shardsIn(manifest.reader);
  await onSite(await damagedSite('damaged-reader', [adapter]), async (reader) => {
    await reader.askFor(ASKED.question, 'hybrid', { isRead: false });
    const told = reader.page.getByTestId('status').filter({ hasText: 'Answers are whole sentences' });
    await told.filter({ hasText: adapter }).waitFor();
    assert.equal(await reader.ask.getAttribute('data-read'), 'false');
    assert.ok((await reader.sources.count()) > 0);
    assert.equal(await reader.page.locator('.answer-exact').count(), 0);
  });
});

test('a damaged part of the documents is named, and other documents are still found', async () => {
  const spoilt = await documentShard();
  const site = await damagedSite('damaged-documents', [spoilt]);
  const questions = (await sampleQuestions()).map(({ question }) => question);
  const replies = await askNatively(site, questions, 'hybrid');
  const touched = questions.find((_, index) => JSON.stringify(replies[index].problems).includes(spoilt));
  const spared = questions.find(
    (_, index) => replies[index].problems.length === 0 && replies[index].answer.kind !== 'refusal',
  );
  assert.ok(touched && spared, 'some questions need the damaged part, and some do not');
  await onSite(site, async (reader) => {
    await reader.askFor(touched);
    await reader.page.getByText('What happened, in detail').first().click();
    await reader.page.getByText(spoilt).first().waitFor();
    await reader.askFor(spared);
    assert.notEqual(await reader.ask.getAttribute('data-kind'), 'refusal');
  });
});

/** One of the shards that hold the documents' text; the bundle's own head names them, not the manifest. */
async function documentShard() {
  const names = await readdir(join(await sampleSite(), 'shards'));
  const [first] = names.filter((name) => name.startsWith('documents-') && !name.startsWith('documents-head-')).sort();
  return `shards/${first}`;
}

async function onSite(site, act) {
  const server = await serve(site);
  try {
    await visit(browser, server.origin, act);
  } finally {
    await server.stop();
  }
}
