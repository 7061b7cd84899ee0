// @ts-check
/** Where the language model runs, and what came in the way, in the visitor's words. */

/** @import { FallbackReason, Trouble } from "./messages.js" */
/** @import { Opened } from "./prose-client.js" */

import { laterWords } from "./later-words.js";

/** @type {Record<Exclude<FallbackReason, "none">, string>} */
const WHY_PROCESSOR = {
  chosen: laterWords.device.chosen,
  "no-webgpu": laterWords.device.notOffered,
  "no-adapter": laterWords.device.notOffered,
  software: laterWords.device.software,
  failed: laterWords.device.failed,
  lost: laterWords.device.lost,
  "gpu-memory": laterWords.device.full,
};

/** @param {Opened} opened */
export const whereItRuns = ({ device, reason, workers, planned }) =>
  device === "webgpu" || reason === "none"
    ? laterWords.device.graphics
    : `${WHY_PROCESSOR[reason]}${howMany(workers, planned)}${laterWords.device.slower}`;

/** @param {number} workers @param {number} planned */
function howMany(workers, planned) {
  if (workers > 1) return laterWords.device.shared(workers);
  return workers < planned ? laterWords.device.alone : "";
}

/**
 * What is said while the model is started once more.
 * @param {Trouble | undefined} trouble
 * @param {boolean} onProcessor
 */
export const startingAgain = (trouble, onProcessor) => {
  const { helperLost, ranOut, ranOutToProcessor, wasLost, wasLostToProcessor } = laterWords.device;
  if (trouble === "helper-lost") return helperLost;
  if (trouble === "gpu-memory") return onProcessor ? ranOutToProcessor : ranOut;
  return onProcessor ? wasLostToProcessor : wasLost;
};

/**
 * A failure that ends the attempt, with the way out.
 * @param {unknown} error
 * @param {Trouble | undefined} trouble
 */
export function failureWords(error, trouble) {
  const message = error instanceof Error ? error.message : String(error);
  switch (trouble) {
    case "memory":
      return laterWords.device.memory(message);
    case "silent":
      return laterWords.device.silent;
    case "broken":
      return laterWords.device.broken(message);
    default:
      return laterWords.device.couldNot(message);
  }
}
