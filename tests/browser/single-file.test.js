// A site in one file, opened by its path as a double click does it, in each engine: no server, and nothing beside it.
import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { before, test } from 'node:test';
import { required } from './harness/chromium.js';
import { campanile } from './harness/command.js';
import { ENGINES, inEngine } from './harness/engines.js';
import { ASKED, OTHERS } from './harness/questions.js';

/** Alone in its folder, as it is on a stick. */
let whole;
let light;

before(async () => {
  const work = join(required('CAMPANILE_WORK'), 'one-file');
  await mkdir(join(work, 'stick'), { recursive: true });
  whole = join(work, 'stick', 'campus.html');
  light = join(work, 'stick', 'campus-light.html');
  const build = ['build', 'samples/campus', '-o', join(work, 'site'), '--no-report', '--single-file'];
  const told = await campanile([...build, whole]);
  assert.match(told, /^One file .*campus\.html: \d+(\.\d)? MB, with the encoder$/m, 'its size is said');
  assert.match(await campanile([...build, light, '--without-encoder']), /^One file .*without the encoder$/m);
});

test('it takes a few megabytes without the encoder', async () => {
  assert.ok((await stat(light)).size < 4e6);
});

for (const engine of ENGINES) {
  test(`with the encoder, in ${engine.name}`, { skip: engine.skipped }, () =>
    inEngine(engine, async (visitor) => {
      await visitor.open(pathToFileURL(whole).href);
      await visitor.opened();
      for (const { question, answer } of [ASKED, ...OTHERS]) {
        await visitor.askFor(question);
        assert.match(await visitor.text('[data-testid="answer-text"] mark'), answer);
      }
      await visitor.click('[data-testid="source"] button');
      await visitor.find('dialog[open] mark.passage');
      assert.deepEqual(await visitor.heard(), []);
    }),
  );

  test(`without the encoder, in ${engine.name}`, { skip: engine.skipped }, () =>
    inEngine(engine, async (visitor) => {
      await visitor.open(`${pathToFileURL(light).href}#${new URLSearchParams({ q: ASKED.question })}`);
      await visitor.session.until('an answer', isAnswered, ASKED.question);
      assert.match(await visitor.text('[data-testid="answer-text"]'), ASKED.answer);
      assert.deepEqual(await visitor.heard(), []);
    }),
  );
}

/** In the page. @param {string} question */
function isAnswered(question) {
  const ask = document.querySelector('campanile-ask');
  return ask?.dataset.state === 'answered' && ask.question === question && ask.dataset.kind !== undefined;
}
