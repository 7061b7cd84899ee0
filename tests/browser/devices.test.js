// The language model's devices: what the probe finds, and what is done about a device that fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tampered } from './harness/prose.js';

const MINUTES = 60_000;

/** Keeps the device that the model runs on within the test's reach. */
function keepDevice() {
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    globalThis.deviceOfTest = await request.call(this, descriptor);
    return globalThis.deviceOfTest;
  };
}

const destroyDevice = (prose) => prose.worker().evaluate(() => globalThis.deviceOfTest.destroy());

test('a graphics device that is lost in the middle of a text: begun anew, and the same text; at the second loss on the processor', { timeout: 10 * MINUTES }, async () => {
  await tampered('lost-device', { tamper: keepDevice }, async (reader, prose) => {
    await prose.start('software');
    await prose.reaches('done');
    assert.equal(await prose.note.innerText(), 'Runs on this device’s graphics processor.');
    const undisturbed = await prose.text.innerText();

    await reader.page.getByTestId('prose-again').click();
    await prose.writes();
    const before = await prose.text.innerText();
    await destroyDevice(prose);
    await prose.activity.filter({ hasText: 'The graphics processor was lost: starting the model again' }).waitFor();
    assert.ok((await prose.text.innerText()).startsWith(before), 'what was written stays on the page');
    await prose.reaches('done');
    assert.equal(await prose.text.innerText(), undisturbed);
    assert.equal(await prose.resumed(), 1);
    assert.match(await prose.note.innerText(), /graphics processor\.$/);

    await reader.page.getByTestId('prose-again').click();
    for (const loss of [1, 2]) {
      await prose.activity.filter({ hasText: /^Writing$/ }).waitFor({ timeout: 5 * MINUTES });
      await destroyDevice(prose);
      await prose.panel.and(reader.page.locator(`[data-resumed="${loss}"]`)).waitFor();
    }
    await prose.reaches('done');
    assert.equal(await prose.text.innerText(), undisturbed);
    assert.match(await prose.note.innerText(), /lost more than once, so the model runs on the processor/);
  });
});
