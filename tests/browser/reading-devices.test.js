// Passages are read on WebGPU where that was measured to be faster: measured and told, the same words as on the
// processor, and the processor again when the device is gone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules } from './harness/looks.js';
import { MODEL_MILLISECONDS, TEST_MILLISECONDS } from './harness/patience.js';
import { visit } from './harness/reader.js';
import { alteredSite, inManifest, replaced, sampleQuestions, sampleSite } from './harness/site.js';
/** Of the sample questions every so many is asked. */
const EVERY = 12;
/** Answers that are as sure are the same: the devices do not round alike. */
const ROUNDING = 2e-3;

let browser;
let server;
let questions;

before(async () => {
  const site = await sampleSite();
  // An adapter in software takes seconds for each: all of them are compared where CAMPANILE_ALL_QUESTIONS is set.
  const asked = (await sampleQuestions()).map(({ question }) => question);
  questions = process.env.CAMPANILE_ALL_QUESTIONS ? asked : asked.filter((_, index) => index % EVERY === 0);
  [browser, server] = await Promise.all([launch({ webgpu: true }), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Keeps the last answer where the test finds it. */
const watchAnswers = (reader) =>
  reader.ask.evaluate((element) => {
    element.addEventListener('campanile-answer', ({ detail }) => {
      globalThis.lastAnswer = detail;
    });
  });

/** Lets the page take an adapter that computes in software: before the first question, since devices are compared behind its answer. */
const takeSoftware = (reader) => reader.ask.evaluate((element) => element.setAttribute('device', 'software'));

/** Lets the page take an adapter that computes in software, and waits until it reads there. */
async function readOnWebGpu(reader, question) {
  await takeSoftware(reader);
  await reader.askFor(question);
  await reader.page.locator('campanile-ask[data-reading="gpu"]').waitFor({ timeout: MODEL_MILLISECONDS });
}

/** What a question is answered with. */
async function answersTo(reader, asked) {
  const answers = [];
  for (const question of asked) {
    await reader.askFor(question);
    answers.push(
      await reader.page.evaluate(() => {
        const {
          answer: { kind, source, exact, text },
          confidence,
          sources,
          timings_ms: { read },
        } = globalThis.lastAnswer;
        return { kind, text, chunk: source ? sources[source - 1].chunk : null, exact, confidence, read };
      }),
    );
  }
  return answers;
}

/** What the page has measured and kept. */
const keptFigures = (reader) =>
  reader.page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('campanile-reading:'))
      .map(([, value]) => JSON.parse(value)),
  );

/** The worker that reads on WebGPU, where there is one: the one that was started last. */
const readingWorker = (reader) =>
  reader.page.workers().findLast((worker) => worker.url().endsWith('/reading-worker.js'));

/** The page ends a worker at once, and the browser says so a little later. */
const untilEnded = (worker) => worker && new Promise((resolve) => worker.once('close', resolve));

test('sample questions are answered with the same words, read on WebGPU or on the processor', {
  timeout: TEST_MILLISECONDS,
}, async (context) => {
  const found = {};
  await visit(browser, server.origin, async (reader) => {
    await watchAnswers(reader);
    found.processor = await answersTo(reader, questions);
    // An adapter in software is not used unless it is asked for.
    await reader.page.getByTestId('reading-trace').getByText('The processor reads.').waitFor({ state: 'attached' });
    await untilEnded(readingWorker(reader));
    assert.equal(await reader.ask.getAttribute('data-reading'), 'processor');
  });
  await visit(browser, server.origin, async (reader) => {
    await watchAnswers(reader);
    await readOnWebGpu(reader, questions[0]);
    found.webgpu = await answersTo(reader, questions);
    assert.equal(await reader.ask.getAttribute('data-reading'), 'gpu', 'and it was never given up');
  });
  const ties = [];
  questions.forEach((question, index) => {
    const [processor, webgpu] = [found.processor[index], found.webgpu[index]];
    const message = `${question}\n${JSON.stringify(processor)}\n${JSON.stringify(webgpu)}`;
    assert.ok(Math.abs(processor.confidence - webgpu.confidence) < ROUNDING, message);
    if (
      processor.chunk === webgpu.chunk &&
      processor.exact?.start === webgpu.exact?.start &&
      processor.exact?.end === webgpu.exact?.end
    )
      return;
    assert.equal(webgpu.kind, processor.kind, message);
    ties.push(question);
  });
  const median = (answers) => answers.map(({ read }) => read ?? 0).sort((a, b) => a - b)[answers.length >> 1];
  context.diagnostic(
    `${questions.length} questions, median of reading five passages: processor ${Math.round(median(found.processor))} ms, WebGPU in software ${Math.round(median(found.webgpu))} ms; ties: ${ties.length}`,
  );
  for (const question of ties) context.diagnostic(`tie: ${question}`);
  assert.ok(ties.length <= Math.ceil(questions.length / 20), `${ties.length} ties`);
});

test('both devices are measured once, and the page tells what it found and keeps it', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await visit(browser, server.origin, async (reader) => {
    await readOnWebGpu(reader, questions[0]);
    const trace = reader.page.getByTestId('reading-trace');
    await trace.locator('summary').click();
    assert.match(
      await trace.innerText(),
      /How passages are read.*On the processor: 5 passages in .*On the graphics processor .*5 passages in .*in one batch.*for a test/s,
    );
    const kept = await keptFigures(reader);
    assert.equal(kept.length, 1);
    const [{ model, processorMs, gpuMs, passages, agrees }] = kept;
    assert.ok(processorMs > 0 && gpuMs > 0 && passages === 5 && agrees, JSON.stringify(kept));
    assert.match(model, /^campanile \d.* shards\/\S+ shards\//, 'they hold for this program and these models');

    // A later visit goes by them.
    await reader.page.reload();
    await reader.opened();
    await readOnWebGpu(reader, questions[0]);
    assert.deepEqual(await keptFigures(reader), kept);

    // On a visit without leave for an adapter in software, the processor reads.
    await reader.page.reload();
    await reader.opened();
    await reader.askFor(questions[1]);
    await trace.waitFor();
    assert.match(await trace.textContent(), /WebGPU: no.*software.*The processor reads/s);
    assert.equal(await reader.ask.getAttribute('data-reading'), 'processor');
  });
});

/** Keeps the device within the test's reach. */
function keepDevice() {
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    globalThis.deviceOfTest = await request.call(this, descriptor);
    return globalThis.deviceOfTest;
  };
}

test('a device that is lost is started once more; lost again, it leaves reading to the processor', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const site = await alteredSite('lost-reading-device', {
    'campanile/reading-worker.js': (bytes) => `(${keepDevice})();\n${bytes}`,
  });
  const altered = await serve(site);
  try {
    await visit(browser, altered.origin, async (reader) => {
      await watchAnswers(reader);
      await takeSoftware(reader);
      const [expected] = await answersTo(reader, [questions[1]]);
      await readOnWebGpu(reader, questions[0]);
      for (const outcome of ['It is started again', 'The processor reads.']) {
        await reader.page.locator('campanile-ask[data-reading="gpu"]').waitFor({ timeout: MODEL_MILLISECONDS });
        await readingWorker(reader).evaluate(() => globalThis.deviceOfTest.destroy());
        await reader.page.locator('campanile-ask[data-reading="processor"]').waitFor();
        const [again] = await answersTo(reader, [questions[1]]);
        assert.deepEqual({ ...again, read: 0, confidence: 0 }, { ...expected, read: 0, confidence: 0 });
        assert.ok(Math.abs(again.confidence - expected.confidence) < ROUNDING);
        await reader.page.getByTestId('reading-trace').getByText(outcome).waitFor({ state: 'attached' });
      }
      assert.match(
        await reader.page.getByTestId('reading-trace').textContent(),
        /lost.*reads again.*lost.*The processor reads/is,
      );
      assert.equal(await reader.ask.getAttribute('data-reading'), 'processor');
    });
  } finally {
    await altered.stop();
  }
});

/** Lets no kernel run: the device answers with what it was given. */
function runNothing() {
  GPUComputePassEncoder.prototype.dispatchWorkgroups = () => {};
}

test('a device that computes wrongly is found out by the answer that stands', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const site = await alteredSite('wrong-reading-device', {
    'campanile/reading-worker.js': (bytes) => `(${runNothing})();\n${bytes}`,
  });
  const altered = await serve(site);
  try {
    await visit(browser, altered.origin, async (reader) => {
      await takeSoftware(reader);
      await reader.askFor(questions[0]);
      await reader.page.locator('campanile-ask[data-reading="processor"]').waitFor({ timeout: MODEL_MILLISECONDS });
      assert.match(await reader.page.getByTestId('reading-trace').textContent(), /did not find the same words/);
      assert.ok((await keptFigures(reader)).every(({ agrees }) => !agrees));
    });
  } finally {
    await altered.stop();
  }
});

test('an adapter without timestamps reads as well', { timeout: TEST_MILLISECONDS }, async () => {
  const site = await alteredSite('no-timestamps', {
    'campanile/reading-worker.js': (bytes) => `(${hideTimestamps})();\n${bytes}`,
  });
  const altered = await serve(site);
  try {
    await visit(browser, altered.origin, (reader) => readOnWebGpu(reader, questions[0]));
  } finally {
    await altered.stop();
  }
});

/** Takes `timestamp-query` from what adapters say that they have. */
function hideTimestamps() {
  const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'features');
  Object.defineProperty(GPUAdapter.prototype, 'features', {
    get() {
      const features = get.call(this);
      const shown = new Set([...features].filter((name) => name !== 'timestamp-query'));
      return new Proxy(features, {
        get: (_, key) => {
          const value = Reflect.get(shown, key);
          return typeof value === 'function' ? value.bind(shown) : value;
        },
      });
    },
  });
}

test('without WebGPU nothing of its program is requested, and the page says why', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const plain = await launch({ webgpu: false });
  try {
    await visit(plain, server.origin, async (reader) => {
      const requested = [];
      reader.context.on('request', (request) => requested.push(request.url()));
      await reader.askFor(questions[0]);
      await reader.page.locator('campanile-ask[data-reading="processor"]').waitFor();
      const trace = reader.page.getByTestId('reading-trace');
      await trace.locator('summary').click();
      assert.match(await trace.innerText(), /WebGPU: no.*The processor reads/s);
      await checkRules(reader, 'how passages are read');
      assert.deepEqual(
        requested.filter((url) => url.includes('/pkg/gpu/')),
        [],
      );
    });
  } finally {
    await plain.close();
  }
});

test('questions that overlap are read one after the other', { timeout: TEST_MILLISECONDS }, async () => {
  await visit(browser, server.origin, async (reader) => {
    await readOnWebGpu(reader, questions[0]);
    const outcomes = await readingWorker(reader).evaluate(
      (question) =>
        new Promise((resolve) => {
          const [post, heard] = [globalThis.postMessage.bind(globalThis), []];
          globalThis.postMessage = (message) => {
            if (!(message.id < 0)) return post(message);
            heard.push(message.message ?? message.kind);
            if (heard.length === 2) resolve(heard);
          };
          for (const id of [-1, -2]) {
            const data = {
              id,
              kind: 'read',
              payload: { question, passages: ['The library is open from 8 a.m. to 10 p.m.'] },
            };
            globalThis.dispatchEvent(new MessageEvent('message', { data }));
          }
        }),
      questions[0],
    );
    assert.deepEqual(outcomes, ['result', 'result']);
  });
});

test('where the index is not kept without asking, both devices are measured all the same', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const asking = inManifest((manifest) => {
    manifest.keep_bytes = 0;
  });
  const site = await alteredSite('asking-to-keep', { 'campanile.json': asking });
  const altered = await serve(site);
  try {
    await visit(browser, altered.origin, async (reader) => {
      await readOnWebGpu(reader, questions[0]);
      assert.equal(await reader.ask.getAttribute('data-offline'), null);
    });
  } finally {
    await altered.stop();
  }
});

/** Reads other passages than it was given: numbers of the right form that are wrong. */
const misreads = (bytes) =>
  replaced(bytes, /reader\.read\(question, passages\)/, 'reader.read(question, passages.map(() => "Nothing."))');

/** Notes who read, in the order in which answers were made of it. */
const noteReads = (bytes) =>
  [/(question)(\.(read)\(\))/, /(recall\(\w+\))(\.(read_with)\()/].reduce(
    (text, call) => replaced(text, call, '((globalThis.readsOfTest ??= []).push("$3"), $1)$2'),
    bytes,
  );

test('where the devices disagree, prose goes by the answer that is shown', { timeout: TEST_MILLISECONDS }, async () => {
  const site = await alteredSite('disagreeing-devices', {
    'campanile/reading-worker.js': misreads,
    'campanile/worker.js': noteReads,
  });
  const altered = await serve(site);
  try {
    await visit(browser, altered.origin, async (reader) => {
      await takeSoftware(reader);
      await reader.askFor(questions[0]);
      await reader.ask
        .and(reader.page.locator('[data-reading="processor"][data-offline="ready"]'))
        .waitFor({ timeout: MODEL_MILLISECONDS });
      const reads = await reader.page
        .workers()
        .find((worker) => worker.url().endsWith('/worker.js'))
        .evaluate(() => globalThis.readsOfTest);
      assert.deepEqual(reads.slice(-2), ['read_with', 'read'], String(reads));
      assert.match(await reader.page.getByTestId('reading-trace').textContent(), /did not find the same words/);
    });
  } finally {
    await altered.stop();
  }
});
