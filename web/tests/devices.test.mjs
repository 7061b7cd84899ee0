// What is made of the findings about a device, without one: node --test web/tests/
import assert from "node:assert/strict";
import { test } from "node:test";

import { failureWords, whereItRuns } from "../device-words.js";
import { judge } from "../devices.js";
import { isAllocationFailure, takenWhenFull } from "../memory.js";

const MIB = 2 ** 20;
const adapter = {
  name: "nvidia ampere",
  software: false,
  f16: true,
  timestamps: true,
  maxBindingBytes: 128 * MIB,
  maxBufferBytes: 256 * MIB,
};
const facts = {
  secure: true,
  webgpu: true,
  adapter,
  simd: true,
  relaxedSimd: false,
  isolated: false,
  sharedMemory: false,
  cores: 8,
  memoryGigabytes: 8,
};

const CASES = [
  ["a good adapter", facts, "auto", "none"],
  ["the processor as wished", facts, "cpu", "chosen"],
  ["a browser without WebGPU", { ...facts, webgpu: false, adapter: null }, "auto", "no-webgpu"],
  ["no adapter", { ...facts, adapter: null }, "auto", "no-adapter"],
  ["an adapter in software", { ...facts, adapter: { ...adapter, software: true } }, "auto", "software"],
  ["an adapter in software as wished", { ...facts, adapter: { ...adapter, software: true } }, "software", "none"],
  ["no timestamps", { ...facts, adapter: { ...adapter, timestamps: false } }, "auto", "none"],
];

for (const [name, found, wish, reason] of CASES) {
  test(`${name}: ${reason}`, () => {
    const report = judge(found, wish);
    assert.equal(report.reason, reason);
    assert.equal(report.device, reason === "none" ? "webgpu" : "cpu");
    assert.match(report.lines[0], reason === "none" ? /^WebGPU: yes/ : /^WebGPU: no, \S/);
  });
}

test("the findings name what an engineer asks for", () => {
  assert.deepEqual(judge(facts, "auto").lines, [
    "WebGPU: yes, nvidia ampere, f16, timestamp-query, 128 MiB bindings, 256 MiB buffers",
    "WebAssembly: SIMD, no relaxed SIMD",
    "Threads: the page is not cross-origin isolated, 8 logical processors",
    "Memory: about 8 GiB",
  ]);
});

test("several workers compute where memory can be shared only, and never more than four", () => {
  const workers = (cores, sharedMemory) => judge({ ...facts, cores, isolated: true, sharedMemory }, "cpu").workers;
  assert.equal(workers(8, false), 1);
  assert.deepEqual(
    [1, 2, 4, 16].map((cores) => workers(cores, true)),
    [1, 2, 4, 4],
  );
});

test("an isolated page without shared memory is told of, as WebKitGTK 2.50 has it", () => {
  assert.deepEqual(
    [true, false].map((sharedMemory) => judge({ ...facts, isolated: true, sharedMemory }, "auto").lines[2]),
    [
      "Threads: the page is cross-origin isolated, 8 logical processors",
      "Threads: the page is cross-origin isolated, and the browser shares no memory, 8 logical processors",
    ],
  );
});

test("the reader is told how many workers share the work, or that there is one after all", () => {
  const note = (workers, planned) => whereItRuns({ device: "cpu", reason: "chosen", workers, planned });
  assert.match(note(3, 3), /3 workers share the work\. This is slower\.$/);
  assert.match(note(1, 3), /One worker does it all/);
  assert.doesNotMatch(note(1, 1), /worker/);
});

test("every reason has words for the reader", () => {
  for (const reason of ["chosen", "no-webgpu", "no-adapter", "software", "failed", "lost", "gpu-memory"]) {
    assert.match(whereItRuns({ device: "cpu", reason }), /processor\. This is slower\.$/, reason);
  }
  assert.equal(whereItRuns({ device: "webgpu", reason: "none" }), "Runs on this device’s graphics processor.");
});

test("a program that broke down says so and the way out, without a stack", () => {
  for (const trouble of ["memory", "silent", "broken", undefined]) {
    const words = failureWords(new WebAssembly.RuntimeError("unreachable"), trouble);
    assert.doesNotMatch(words, /RuntimeError|wasm-function|:\d+/, trouble);
  }
});

test("a full memory is told from one with room", () => {
  const full = new WebAssembly.Memory({ initial: 3, maximum: 5 });
  assert.equal(takenWhenFull(full), 3 * 65_536);
  assert.equal(takenWhenFull(new WebAssembly.Memory({ initial: 1 })), null);
  assert.equal(takenWhenFull(undefined), null);
});

test("an allocation that the engine refuses is known as one", () => {
  assert.throws(() => new ArrayBuffer(2 ** 52), isAllocationFailure);
  assert.ok(!isAllocationFailure(new RangeError("Invalid array length")));
  assert.ok(!isAllocationFailure(new Error("memory")));
});
