// `@campanile/client` as it is published: packed, installed into an empty project, and used by programs of others.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { launch } from './harness/chromium.js';
import { ROOT, askNatively, serve } from './harness/command.js';
import { serveFolders } from './harness/origin.js';
import { installedPackage, run, tool } from './harness/packages.js';
import { WAIT_MILLISECONDS } from './harness/patience.js';
import { damagedSite, manifestOf, sampleQuestions, sampleSite, shardsIn } from './harness/site.js';
import { startingBytes } from '../../web/manifest.js';

const QUESTION = 'How late may I hand in coursework?';
/** Turns of the event loop between the word to give up and the rejection: no time, beside which a busy machine would be late. */
const PROMPT_TURNS = 20;

let site;
let project;
/** The package, as the project's programs import it. */
let client;

before(async () => {
  site = await sampleSite();
  project = await installedPackage('client');
  await writeFile(join(project, 'all.js'), 'export * from "@campanile/client";');
  client = await import(pathToFileURL(join(project, 'all.js')).href);
});

const installed = (name) => join(project, 'node_modules/@campanile/client', name);

/**
 * Opens a site for the length of a test.
 * @param {string} place
 * @param {(site: any) => Promise<void>} act
 * @param {object} [options]
 */
async function opened(place, act, options) {
  const site = await client.open(place, options);
  try {
    await act(site);
  } finally {
    site.close();
  }
}

/** What the terminal and a program must agree on. The terminal counts bytes, JavaScript UTF-16 units. */
const outline = ({ question, answer, sources, stage }, slice) => ({
  question,
  stage,
  kind: answer.kind,
  text: answer.text,
  exact: answer.exact && slice(sources[answer.source - 1].text, answer.exact),
  chunks: sources.map(({ chunk }) => chunk),
});
const ofTerminal = (reply) =>
  outline(reply, (text, { start, end }) => Buffer.from(text).subarray(start, end).toString());
const ofProgram = (reply) => outline(reply.result, (text, { start, end }) => text.slice(start, end));

test('holds its licences and nothing that it has no use for', async () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT', 'third-party-licences.txt', 'README.md', 'index.d.ts'])
    assert.ok(existsSync(installed(name)), name);
  for (const name of ['web/page.js', 'web/campanile-ask.js', 'web/pkg/gpu/campanile_gpu_bg.wasm', 'tsconfig.json'])
    assert.ok(!existsSync(installed(name)), name);
  const { version, dependencies } = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  assert.match(await readFile(join(ROOT, 'Cargo.toml'), 'utf8'), new RegExp(`^version = "${version}"$`, 'm'));
  assert.equal(dependencies, undefined);
});

test('a folder on disk is answered from as in the terminal', async () => {
  const questions = [QUESTION, ...(await sampleQuestions()).slice(0, 11).map(({ question }) => question)];
  const [hybrid, lexical] = [
    (await askNatively(site, questions, 'hybrid')).map(ofTerminal),
    (await askNatively(site, questions.slice(0, 3), 'lexical')).map(ofTerminal),
  ];
  await opened(site, async (opened) => {
    assert.equal(opened.manifest.title, (await manifestOf(site)).title);
    for (const [index, expected] of lexical.entries())
      assert.deepEqual(ofProgram(await opened.ask(questions[index], { models: 'loaded' })), expected);
    for (const [index, expected] of hybrid.entries())
      assert.deepEqual(ofProgram(await opened.ask(questions[index])), expected);
  });
});

test('a source is read whole, prose gets its prompt and its citations', async () => {
  await opened(site, async (opened) => {
    const reply = await opened.ask(QUESTION);
    const document = await reply.document(reply.source.number);
    assert.equal(document.title, reply.source.title);
    const { start, end } = document.passage;
    assert.equal(document.text.slice(start, end), reply.source.text);
    assert.deepEqual(await opened.document(reply.source), document);
    await assert.rejects(reply.document(99), { name: 'RangeError', message: /no source 99/ });

    const prompt = await reply.prompt();
    assert.ok(prompt.user.includes(QUESTION) && prompt.user.includes('five percentage points'), prompt.user);
    const [said, unsaid] = await reply.cite(`${reply.text} The moon is made of cheese.`);
    assert.deepEqual([said.support, said.source], ['supported', reply.source.number]);
    assert.equal(unsaid.support, 'unsupported');

    const refused = await opened.ask('Who won the football world cup in 1990?');
    assert.equal(refused.isAnswered, false);
    assert.equal(refused.source, null);
    assert.equal(await refused.prompt(), null);
  });
});

test('who asks, the day and the questions before make a difference', async () => {
  await opened(site, async (opened) => {
    assert.ok((await opened.choices()).programmes.includes('MSc Hydroinformatics'));
    const ask = async (options) => (await opened.ask('Machine learning project', options)).sources;
    const isCourse = ({ document }) => document === 'courses/hyi520-machine-learning.md';
    assert.ok((await ask({ profile: { programme: 'MSc Hydroinformatics' } })).some(isCourse));
    assert.ok(!(await ask({ profile: { programme: 'BSc Water Engineering' } })).some(isCourse));
    assert.ok((await ask({ profile: { programme: 'BSc Water Engineering' }, everyone: true })).some(isCourse));
    const next = await opened.ask('And for the exam?', {
      earlier: ['When is the deadline for the WEN210 lab report?'],
    });
    assert.equal(next.result.question, 'When is the deadline for the exam?');
    assert.equal((await ask({ settings: { sources: 1, least_sources: 1 } })).length, 1);
    await assert.rejects(ask({ settings: { sourcez: 1 } }), /unknown field `sourcez`, expected one of .*`sources`/);
    await assert.rejects(opened.ask('  '), { name: 'TypeError' });
  });
});

test('a site on the network, and without it from what was kept', async () => {
  const server = await serve(site);
  const keep = join(project, 'kept');
  const progress = [];
  const passages = [];
  let first;
  await opened(
    `${server.origin}/index.html`,
    async (opened) => {
      first = await opened.ask(QUESTION, { onPassages: (sources) => passages.push(sources.length) });
    },
    { keep, onProgress: (told) => progress.push(told) },
  );
  await server.stop();
  const [native] = await askNatively(site, [QUESTION], 'hybrid');
  assert.deepEqual(ofProgram(first), ofTerminal(native));
  assert.equal(passages.length, 1);
  assert.ok(passages[0] > 0);
  const models = progress.filter(({ what }) => what === 'models');
  const { encoder } = await manifestOf(site);
  const bytes = startingBytes(encoder);
  assert.deepEqual(models.at(-1), { what: 'models', loaded: bytes, total: bytes });
  await opened(
    server.origin,
    async (opened) => assert.deepEqual(ofProgram(await opened.ask(QUESTION)), ofTerminal(native)),
    { keep },
  );
  // Without a folder nothing is kept.
  await assert.rejects(client.open(server.origin), { name: 'CampanileError', code: 'unreadable' });
});

test('a question that is given up is given up at once, and the next one is answered', async () => {
  await opened(site, async (opened) => {
    for (const when of ['while models are loaded', 'while passages are read']) {
      const giveUp = new AbortController();
      const asked = opened.ask(QUESTION, { signal: giveUp.signal });
      let isOver = false;
      const rejected = assert.rejects(asked, { message: when }).finally(() => {
        isOver = true;
      });
      await delay(100);
      assert.equal(isOver, false, 'it is on its way');
      giveUp.abort(new Error(when));
      for (let turn = 0; turn < PROMPT_TURNS; turn += 1) await immediate();
      assert.ok(isOver, when);
      await rejected;
      if (when.includes('models')) await opened.load();
    }
    assert.match((await opened.ask(QUESTION)).text, /five percentage points/);
    await assert.rejects(opened.ask(QUESTION, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
  await assert.rejects(client.open(site, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('a program that ends is started again, with its models', async () => {
  /** @type {import('node:worker_threads').Worker[]} */
  const threads = [];
  const note = (thread) => threads.push(thread);
  process.on('worker', note);
  try {
    await opened(site, async (opened) => {
      await opened.load();
      assert.equal(threads.length, 1);
      const asked = opened.ask(QUESTION);
      threads[0].terminate();
      const reply = await asked;
      assert.equal(threads.length, 2);
      assert.deepEqual([reply.result.stage, reply.result.read], ['hybrid', true]);
      // What is made of an answer outlives the program that gave it.
      threads[1].terminate();
      assert.ok((await reply.prompt()).user.includes(QUESTION));
    });
  } finally {
    process.off('worker', note);
  }
});

test('what is closed is closed', async () => {
  const opened = await client.open(site);
  const asked = opened.ask(QUESTION);
  opened.close();
  await assert.rejects(asked, { name: 'CampanileError', code: 'closed' });
  await assert.rejects(opened.ask(QUESTION), { name: 'CampanileError', code: 'closed' });
});

test('says what is missing and what is damaged', async () => {
  const nowhere = join(project, 'nowhere');
  await assert.rejects(client.open(nowhere), (error) => {
    assert.ok(error instanceof client.CampanileError);
    assert.equal(error.code, 'unreadable');
    assert.ok(error.message.includes(`${nowhere}/ holds no site`), error.message);
    return true;
  });
  const server = await serveFolders({ '/site/': site });
  try {
    await assert.rejects(client.open(`${server.origin}/other/`), {
      code: 'unreadable',
      message: /^http:\/\/127\.0\.0\.1:\d+\/other\/ could not be opened: .*campanile\.json.*404/,
    });
  } finally {
    await server.stop();
  }

  const [head] = shardsIn((await manifestOf(site)).encoder);
  const damaged = await damagedSite('client-damaged-encoder', [head]);
  await opened(damaged, async (opened) => {
    await assert.rejects(opened.ask(QUESTION), (error) => {
      assert.equal(error.code, 'unreadable');
      assert.ok(error.message.includes(head), error.message);
      return true;
    });
    // Not remembered: by keywords there is an answer.
    const reply = await opened.ask(QUESTION, { models: 'loaded' });
    assert.equal(reply.result.stage, 'lexical');
  });
  const index = await damagedSite('client-damaged-index', [(await manifestOf(site)).lexical.head.path]);
  await opened(index, (opened) => assert.rejects(opened.ask(QUESTION, { models: 'loaded' }), { code: 'unreadable' }));
});

test('a program ends although it has a site open', async () => {
  const program = `import { open } from "@campanile/client"; await open(${JSON.stringify(site)}); console.log("open");`;
  const { stdout } = await run('node', ['--input-type=module', '--eval', program], {
    cwd: project,
    timeout: WAIT_MILLISECONDS,
  });
  assert.equal(stdout, 'open\n');
});

test('the examples of its README run', async () => {
  const readme = await readFile(installed('README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  assert.equal(examples.length, 5);
  const server = await serveFolders({ '/ask/': site });
  try {
    const printed = [];
    for (const example of examples) {
      const program = example.replaceAll('https://www.example.edu', server.origin);
      assert.ok(program.includes(server.origin));
      const { stdout } = await run('node', ['--input-type=module', '--eval', program], { cwd: project });
      printed.push(stdout);
    }
    assert.match(printed[0], /five percentage points.*\nLate submission of coursework/);
    assert.match(printed[1], /^models: \d+ of \d+ bytes$[\s\S]*^answer: ./m);
    assert.match(printed[1], /^found so far: /m);
    assert.match(printed[2], /\S+\n.*\n$/);
    assert.match(printed[3], /five percentage points[\s\S]*^supported \d\nunsupported /m);
    assert.match(printed[4], /\S/);
  } finally {
    await server.stop();
  }
});

test('its types hold in a strict program', async () => {
  const program = `
    import { CampanileError, open } from "@campanile/client";
    import type { AskResult, Profile, Reply, Site, Source } from "@campanile/client";

    const profile: Profile = { programme: "MSc Hydroinformatics", year: 2 };
    const site: Site = await open("public", { onProgress: ({ what, loaded, total }) => [what, loaded / total] });
    const reply: Reply = await site.ask("?", { profile, everyone: true, onPassages: (found: Source[]) => found.length });
    const result: AskResult = reply.result;
    const place: number = (await reply.document(1)).passage.start;
    const system: string | undefined = (await reply.prompt())?.system;
    const support: "supported" | undefined = (await reply.cite("x")).map(({ support }) => support).find((s) => s === "supported");
    const title: string = site.manifest.title;
    // @ts-expect-error
    await site.ask("?", { profile: { programme: 7 } });
    // @ts-expect-error
    await site.ask(7);
    try { await site.load("instant"); } catch (error) { if (error instanceof CampanileError) error.code satisfies string; }
    export { result, place, system, support, title };
  `;
  await writeFile(join(project, 'program.ts'), program);
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', '', 'program.ts'];
  const check = (...more) => run(tool('tsc'), [...flags, ...more], { cwd: project });
  await assert.doesNotReject(check(), 'as Node.js resolves it');
  await assert.doesNotReject(
    run(tool('tsc'), [...flags, '--module', 'es2022', '--moduleResolution', 'bundler'], { cwd: project }),
    'as a bundler resolves it',
  );
  // Where no types of a browser are, as in a program for Node.js: two names are all that is used of its own.
  await writeFile(
    join(project, 'globals.d.ts'),
    'interface AbortSignal { readonly aborted: boolean }\ninterface URL { readonly href: string }\n',
  );
  await assert.doesNotReject(check('globals.d.ts', '--lib', 'es2022'), 'without a browser’s types');
});

test('a page imports it from another origin, and asks a site of a third', async (context) => {
  const browser = await launch();
  context.after(() => browser.close());
  const packageServer = await serveFolders({ '/client/': installed('.') });
  context.after(() => packageServer.stop());
  const siteServer = await serveFolders({ '/handbook/': site });
  context.after(() => siteServer.stop());
  const closedServer = await serveFolders({ '/handbook/': site }, { isShared: false });
  context.after(() => closedServer.stop());
  const script = `
    import { open } from "${packageServer.origin}/client/index.js";
    window.campanile = { open };`;
  const pageServer = await serveFolders(
    {},
    { files: { '/': `<!doctype html><title>Other</title><script type="module">${script}</script>` } },
  );
  context.after(() => pageServer.stop());

  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(pageServer.origin);
  await page.waitForFunction(() => 'campanile' in window);
  const replied = await page.evaluate(
    async ([address, question]) => {
      const passages = [];
      const site = await window.campanile.open(address);
      const reply = await site.ask(question, { onPassages: (sources) => passages.push(sources.length) });
      const { title } = await reply.document(1);
      site.close();
      return { result: reply.result, passages, title, caches: await caches.keys() };
    },
    [`${siteServer.origin}/handbook/`, QUESTION],
  );
  const [native] = await askNatively(site, [QUESTION], 'hybrid');
  assert.deepEqual(ofProgram(replied), ofTerminal(native));
  assert.equal(replied.title, native.sources[0].title);
  assert.equal(replied.passages.length, 1);
  // Two sites of one path on two hosts are kept apart.
  assert.deepEqual(replied.caches, [`campanile-data:${siteServer.origin}/handbook/`]);

  const refused = await page.evaluate(
    (address) => window.campanile.open(address).catch(({ code, message }) => ({ code, message })),
    `${closedServer.origin}/handbook/`,
  );
  assert.equal(refused.code, 'unreadable');
  assert.match(refused.message, /handbook\/ could not be opened/);
  assert.deepEqual(errors, []);
});

after(async () => {
  await rm(project, { recursive: true, force: true });
});
