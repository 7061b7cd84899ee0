// The language model's devices: what the probe finds, and what is done about a device that fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules, checkWidth } from './harness/looks.js';
import { MODEL_MILLISECONDS, TEST_MILLISECONDS } from './harness/patience.js';
import { tampered } from './harness/prose.js';

/** On a quick machine a short text is whole before its device can be taken away. */
const LONG = 48;

/** Keeps the device that the model runs on within the test's reach. */
function keepDevice() {
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    globalThis.deviceOfTest = await request.call(this, descriptor);
    return globalThis.deviceOfTest;
  };
}

const destroyDevice = (prose) => prose.worker().evaluate(() => globalThis.deviceOfTest.destroy());

test('a graphics device that is lost in the middle of a text: begun anew, the same text; after the second loss on the processor', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await tampered('lost-device', { tamper: keepDevice, tokens: LONG }, async (reader, prose) => {
    await prose.start('software');
    await prose.reaches('done');
    assert.equal(await prose.note.innerText(), 'Runs on this device’s graphics processor.');
    const undisturbed = await prose.words();

    await reader.page.getByTestId('prose-again').click();
    await prose.writes();
    await destroyDevice(prose);
    await prose.activity.filter({ hasText: 'The graphics processor was lost: starting the model again' }).waitFor();
    const before = await prose.text.innerText();
    assert.ok(before.length > 0, 'what was written stays on the page');
    await reader.page.waitForFunction(
      (length) => {
        const shown = document
          .querySelector('campanile-ask')
          .shadowRoot.querySelector('[data-testid="prose-text"]').textContent;
        return shown.length > length;
      },
      before.length,
      { timeout: MODEL_MILLISECONDS },
    );
    assert.ok(undisturbed.startsWith(await prose.text.innerText()), 'begun anew, the text is the same');
    assert.match(await prose.note.innerText(), /graphics processor\.$/);

    await destroyDevice(prose);
    await prose.activity.filter({ hasText: 'going on with the processor' }).waitFor();
    await prose.reaches('done');
    assert.equal(await prose.resumed(), 2);
    assert.equal(await prose.words(), undisturbed);
    assert.match(await prose.note.innerText(), /lost more than once, so the model runs on the processor/);
  });
});

test('a graphics device that computes wrongly fails its known answer: the processor writes, and the page says so', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await tampered('wrong-device', { tamper: dropCommands }, async (_reader, prose) => {
    await prose.start('software');
    await prose.writes();
    assert.match(await prose.note.innerText(), /did not compute as it should, so the model runs on the processor/);
    await prose.reaches('done');
    await prose.trace.locator('summary').click();
    assert.match(await prose.trace.innerText(), /WebGPU: yes.*the device computes wrongly/s);
  });
});

test('a graphics device without room for the model: the processor writes, and the page says so', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await tampered('full-device', { tamper: fillDevice }, async (reader, prose) => {
    await prose.start('software');
    await prose.writes();
    assert.match(await prose.note.innerText(), /no room for the model, so the model runs on the processor/);
    await prose.reaches('done');
    await prose.trace.locator('summary').click();
    assert.match(await prose.trace.innerText(), /no room: \d+ MB were asked for/);
    await checkRules(reader, 'text and trace');
    await reader.page.setViewportSize({ width: 320, height: 568 });
    await checkWidth(reader, 'text and trace');
  });
});

test('a tab without memory for the model: the sizes and the way out are named', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await tampered('full-tab', { webgpu: false, program: withMemoryLimit }, async (reader, prose) => {
    await prose.start('auto');
    await prose.reaches('failed');
    assert.match(
      await prose.problem.innerText(),
      /not enough memory.* takes \d+ MB .*no more than \d+ MB.*Close other tabs/,
    );
    assert.equal(await prose.problem.getByText('unreachable').count(), 0);
    await reader.page.getByTestId('prose-retry').waitFor();
    await checkRules(reader, 'failure');
  });
});

test('a worker that goes silent is ended, and the next attempt has one of its own', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await tampered('silent-worker', { webgpu: false, tamper: fallSilent, impatient: true }, async (reader, prose) => {
    await prose.start('auto');
    await reader.page.locator('[data-testid="prose"][data-state="loading"]').waitFor();
    const silent = prose.worker();
    await prose.reaches('failed');
    assert.match(await prose.problem.innerText(), /went silent and was ended/);
    // The new worker is there a moment after the page says that it loads.
    const started = reader.page.waitForEvent('worker');
    await reader.page.getByTestId('prose-retry').click();
    await reader.page.locator('[data-testid="prose"][data-state="loading"]').waitFor();
    await started;
    assert.notEqual(prose.worker(), silent);
    await reader.page.getByTestId('prose-cancel').click();
    await reader.page.getByTestId('prose-start').waitFor();
  });
});

test('an adapter that only computes in software is passed over, unless it is asked for', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await tampered('software-device', {}, async (_reader, prose) => {
    await prose.start('auto');
    await prose.writes();
    assert.match(
      await prose.note.innerText(),
      /no graphics processor that the page can use, so the model runs on the processor/,
    );
    await prose.reaches('done');
    await prose.trace.locator('summary').click();
    assert.match(await prose.trace.innerText(), /WebGPU: no, the adapter computes in software.*SIMD/s);
  });
});

/** Never comes back from opening the model. */
function fallSilent() {
  addEventListener('message', ({ data }) => {
    // With something to do: a bundler leaves out a loop that does nothing.
    if (data.kind === 'open') for (;;) globalThis.spins = true;
  });
}

/** Lets nothing reach the device: it answers with what was in its memory before. */
function dropCommands() {
  GPUQueue.prototype.submit = () => {};
}

/** Runs out of room after 40 MB, as a device would say it. */
function fillDevice() {
  const { createBuffer } = GPUDevice.prototype;
  let room = 40e6;
  GPUDevice.prototype.createBuffer = function (descriptor) {
    const had = room;
    room -= descriptor.size;
    if (had > 0 && room <= 0) {
      const error = new GPUOutOfMemoryError('no room');
      queueMicrotask(() => this.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error })));
    }
    return createBuffer.call(this, descriptor);
  };
}

/**
 * The program with a memory that ends at 96 MiB.
 * @param {Buffer} program
 */
function withMemoryLimit(program) {
  const MEMORY_SECTION = 5;
  const pages = (96 << 20) / 65_536;
  for (let at = 8; at < program.length; ) {
    const id = program[at];
    const [size, start] = number(program, at + 1);
    if (id === MEMORY_SECTION) {
      const [count, flags] = [program[start], program[start + 1]];
      assert.deepEqual([count, flags], [1, 0], 'one memory, without a limit');
      const [least] = number(program, start + 2);
      const section = [1, 1, ...encoded(least), ...encoded(pages)];
      return Buffer.concat([
        program.subarray(0, at),
        Buffer.from([id, ...encoded(section.length), ...section]),
        program.subarray(start + size),
      ]);
    }
    at = start + size;
  }
  throw new Error('the program has no memory of its own');
}

/** An unsigned LEB128 number, and where it ends. @param {Buffer} bytes @param {number} at */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}

/** @param {number} value */
function encoded(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
