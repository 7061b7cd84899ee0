// @ts-check
/**
 * A worker that helps with the language model: it holds a part of the rows of
 * every matrix, and multiplies when the leading worker calls (see `team.js`).
 */

/** @import { FromHelper, SharedPlaces, ToHelper } from "./team.js" */

import init, { Helper } from "./pkg/gpu/campanile_gpu.js";
import { SiteStore } from "./store.js";
import { ANSWERED, CALL, FAILED, LENGTH, Lookout, PRODUCT } from "./team.js";

const store = new SiteStore();

let number = 0;
/** @type {Helper | undefined} */
let helper;
/** Files that the leader has read. @type {Set<string>} */
const files = new Set();
/** Goes on with the reading when a file has come. */
let onFile = () => {};

/** Reads what the leader has read before, so that nothing is fetched twice. @param {string} path @param {boolean} reload */
async function read(path, reload) {
  while (!files.has(path))
    await new Promise((resolve) => {
      onFile = () => resolve(undefined);
    });
  return store.read(path, reload);
}

/** @param {FromHelper} message */
const tell = (message) => globalThis.postMessage(message);

/** @param {unknown} error */
const fail = (error) => tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });

/** @param {number} of */
async function open(of) {
  await init({ module_or_path: await store.program(new URL("./pkg/gpu/campanile_gpu_bg.wasm", import.meta.url)) });
  helper = await Helper.open(read, number, of);
  tell({ kind: "ready", mostInput: helper.most_input(), mostOutput: helper.most_output() });
}

/**
 * Answers calls for as long as the worker lives; it is ended from outside.
 * @param {SharedPlaces} shared
 */
function work({ control, input, output }) {
  const lookout = new Lookout();
  for (let call = 0; ; ) {
    lookout.wait(control, CALL, call);
    const next = Atomics.load(control, CALL);
    if (next === call) continue;
    call = next;
    let answer = call;
    try {
      helper?.multiply(Atomics.load(control, PRODUCT), input.subarray(0, Atomics.load(control, LENGTH)), output);
    } catch (error) {
      answer = FAILED;
      fail(error);
    }
    Atomics.store(control, ANSWERED + number, answer);
    Atomics.notify(control, ANSWERED + number);
    if (answer === FAILED) return;
  }
}

globalThis.addEventListener("message", ({ data }) => {
  const message = /** @type {ToHelper} */ (data);
  if (message.kind === "file") {
    files.add(message.path);
    return onFile();
  }
  if (message.kind === "work") return work(message.shared);
  number = message.number;
  store.move(new URL(message.site));
  open(message.of).catch(fail);
});
