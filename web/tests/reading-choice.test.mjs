import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorthwhile, measurementLines, measurementOf, readingKey, sameAnswer } from "../reading-choice.js";

const MEASURED = {
  adapter: "nvidia ampere",
  model: "reader 2026-11-23",
  passages: 5,
  processorMs: 280,
  gpuMs: 12,
  agrees: true,
};

test("the faster device reads, where both find the same words", () => {
  for (const [changes, wish, expected] of [
    [{}, "auto", true],
    [{ gpuMs: 280 }, "auto", false],
    [{ gpuMs: 900 }, "auto", false],
    [{ agrees: false }, "auto", false],
    [{ gpuMs: 900 }, "software", true],
    [{ gpuMs: 900, agrees: false }, "software", false],
  ])
    assert.equal(isWorthwhile({ ...MEASURED, ...changes }, wish), expected, JSON.stringify([changes, wish]));
});

test("what was kept counts for the same adapter and the same model alone", () => {
  const kept = JSON.stringify(MEASURED);
  assert.deepEqual(measurementOf(kept, MEASURED.adapter, MEASURED.model), MEASURED);
  for (const [text, adapter, model] of [
    [kept, "intel xe", MEASURED.model],
    [kept, MEASURED.adapter, "reader 2026-12-01"],
    [null, MEASURED.adapter, MEASURED.model],
    ["{", MEASURED.adapter, MEASURED.model],
    ["null", MEASURED.adapter, MEASURED.model],
    [JSON.stringify({ ...MEASURED, gpuMs: "12" }), MEASURED.adapter, MEASURED.model],
    [JSON.stringify({ ...MEASURED, processorMs: -1 }), MEASURED.adapter, MEASURED.model],
    [JSON.stringify({ ...MEASURED, agrees: 1 }), MEASURED.adapter, MEASURED.model],
  ])
    assert.equal(measurementOf(text, adapter, model), null, String(text));
});

test("answers are the same but for ties within rounding", () => {
  const result = (kind, source, exact, confidence) => ({ answer: { kind, source, exact }, confidence });
  const there = { start: 4, end: 9 };
  const first = result("direct", 1, there, 0.71);
  for (const [other, expected] of [
    [result("direct", 1, there, 0.7101), true],
    [result("direct", 2, { start: 0, end: 5 }, 0.7101), true],
    [result("direct", 1, there, 0.75), false],
    [result("refusal", null, null, 0.71), false],
    [result("direct", 2, there, 0.5), false],
  ])
    assert.equal(sameAnswer(first, other), expected, JSON.stringify(other));
});

test("what was measured is told with both times and what follows", () => {
  const [processor, gpu, outcome] = measurementLines(MEASURED, "auto");
  assert.match(processor, /On the processor: 5 passages in /);
  assert.match(gpu, /nvidia ampere.*5 passages in .*one batch/);
  assert.match(outcome, /graphics processor is faster/);
  assert.match(measurementLines({ ...MEASURED, gpuMs: 900 }, "auto")[2], /^The processor is faster/);
  assert.match(measurementLines({ ...MEASURED, gpuMs: 900 }, "software")[2], /for a test/);
  assert.match(measurementLines({ ...MEASURED, agrees: false }, "auto")[1], /did not find the same words/);
});

test("each site has a key of its own", () => {
  assert.notEqual(readingKey(new URL("https://a.example/one/")), readingKey(new URL("https://a.example/two/")));
});
