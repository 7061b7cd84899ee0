// @ts-check
/**
 * What this device can do for the language model, found out before the model's
 * program is loaded.
 *
 * `deviceFacts` asks the browser, `judge` decides from what it said. Runs in
 * the prose worker, since only there counts what a worker is given.
 */

/** @import { AdapterFacts, DeviceFacts, DeviceReport, DeviceWish, FallbackReason } from "./messages.js" */

import { formatBinaryBytes } from "./sizes.js";
import { workersFor } from "./team.js";

/** A module of one function that does nothing but use `i8x16.splat` (fixed-width SIMD) and drop it. */
const SIMD_PROBE = [0x41, 0x00, 0xfd, 0x0f, 0x1a];

/** The same for `i16x8.relaxed_dot_i8x16_i7x16_s` of two zero vectors. */
const RELAXED_SIMD_PROBE = [0x41, 0x00, 0xfd, 0x0f, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x92, 0x02, 0x1a];

/**
 * Whether the engine takes a function with these instructions; nothing is run.
 * @param {number[]} instructions
 */
function validates(instructions) {
  const body = [0x00, ...instructions, 0x0b];
  return WebAssembly.validate(
    new Uint8Array([
      0x00,
      0x61,
      0x73,
      0x6d,
      0x01,
      0x00,
      0x00,
      0x00,
      0x01,
      0x04,
      0x01,
      0x60,
      0x00,
      0x00, // one type: no parameters, no result
      0x03,
      0x02,
      0x01,
      0x00, // one function of that type
      0x0a,
      body.length + 2,
      0x01,
      body.length,
      ...body,
    ]),
  );
}

/** @returns {Promise<DeviceFacts>} */
export async function deviceFacts() {
  const adapter = await /** @type {Promise<GPUAdapter | null | undefined>} */ (
    navigator.gpu?.requestAdapter({ powerPreference: "high-performance" })
  )
    // Some drivers make the request itself fail; that is an answer too.
    ?.catch(() => null);
  return {
    secure: globalThis.isSecureContext,
    webgpu: Boolean(navigator.gpu),
    adapter: adapter ? adapterFacts(adapter) : null,
    simd: validates(SIMD_PROBE),
    relaxedSimd: validates(RELAXED_SIMD_PROBE),
    isolated: globalThis.crossOriginIsolated === true,
    // WebKitGTK isolates a page and still has no memory that can be shared.
    sharedMemory: globalThis.crossOriginIsolated === true && "SharedArrayBuffer" in globalThis,
    cores: navigator.hardwareConcurrency || 1,
    memoryGigabytes: /** @type {{ deviceMemory?: number }} */ (navigator).deviceMemory ?? null,
  };
}

/** @param {GPUAdapter} adapter @returns {AdapterFacts} */
function adapterFacts({ info, features, limits }) {
  return {
    name: [info.vendor, info.architecture].filter(Boolean).join(" ") || "unnamed",
    software: info.isFallbackAdapter === true,
    f16: features.has("shader-f16"),
    timestamps: features.has("timestamp-query"),
    maxBindingBytes: limits.maxStorageBufferBindingSize,
    maxBufferBytes: limits.maxBufferSize,
  };
}

/**
 * Where the model shall run, and why.
 * @param {DeviceFacts} facts
 * @param {DeviceWish} wish
 * @returns {DeviceReport}
 */
export function judge(facts, wish) {
  const reason = wish === "cpu" ? "chosen" : whyNotWebGpu(facts, wish);
  const device = reason === "none" ? "webgpu" : "cpu";
  return { device, reason, workers: workersFor(facts), lines: describe(facts, reason), facts };
}

/**
 * @param {DeviceFacts} facts
 * @param {DeviceWish} wish
 * @returns {FallbackReason}
 */
function whyNotWebGpu({ webgpu, adapter }, wish) {
  if (!webgpu) return "no-webgpu";
  if (!adapter) return "no-adapter";
  // An adapter that computes on the processor is slower than the processor itself.
  return adapter.software && wish !== "software" ? "software" : "none";
}

/**
 * The findings in an engineer's words, one line a matter.
 * @param {DeviceFacts} facts
 * @param {FallbackReason} reason
 */
function describe(facts, reason) {
  const { adapter } = facts;
  /** @type {string[]} */
  const parts = adapter
    ? [
        adapter.name,
        ...(adapter.software && reason !== "software" ? ["computes in software"] : []),
        adapter.f16 ? "f16" : "no f16",
        adapter.timestamps ? "timestamp-query" : "no timestamp-query",
        `${formatBinaryBytes(adapter.maxBindingBytes)} bindings`,
        `${formatBinaryBytes(adapter.maxBufferBytes)} buffers`,
      ]
    : [];
  return [
    reason === "none"
      ? `WebGPU: yes, ${parts.join(", ")}`
      : `WebGPU: no, ${[obstacle(facts, reason), ...parts].join("; ")}`,
    `WebAssembly: ${facts.simd ? "SIMD" : "no SIMD"}, ${facts.relaxedSimd ? "relaxed SIMD" : "no relaxed SIMD"}`,
    `Threads: ${sharing(facts)}, ${facts.cores} logical processors`,
    `Memory: ${facts.memoryGigabytes === null ? "not told" : `about ${facts.memoryGigabytes} GiB`}`,
  ];
}

/** @param {DeviceFacts} facts */
function sharing({ isolated, sharedMemory }) {
  if (!isolated) return "the page is not cross-origin isolated";
  return `the page is cross-origin isolated${sharedMemory ? "" : ", and the browser shares no memory"}`;
}

/**
 * @param {DeviceFacts} facts
 * @param {FallbackReason} reason
 */
function obstacle(facts, reason) {
  switch (reason) {
    case "no-webgpu":
      return facts.secure ? "this browser has none here" : "the page is not served over HTTPS";
    case "no-adapter":
      return "the browser gives no adapter";
    case "software":
      return "the adapter computes in software";
    default:
      return "the page asks for the processor";
  }
}
