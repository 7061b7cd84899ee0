// @ts-check
/** Where the language model runs, and what came in the way, in the visitor's words. */

/** @import { FallbackReason, Trouble } from "./messages.js" */
/** @import { Opened } from "./prose-client.js" */

import { words } from "./words.js";

/** @type {Record<Exclude<FallbackReason, "none">, string>} */
const WHY_PROCESSOR = {
  chosen: words.device.chosen,
  "no-webgpu": words.device.notOffered,
  "no-adapter": words.device.notOffered,
  software: words.device.software,
  failed: words.device.failed,
  lost: words.device.lost,
  "gpu-memory": words.device.full,
};

/** @param {Opened} opened */
export const whereItRuns = ({ device, reason, workers, planned }) =>
  device === "webgpu" || reason === "none"
    ? words.device.graphics
    : `${WHY_PROCESSOR[reason]}${howMany(workers, planned)}${words.device.slower}`;

/** @param {number} workers @param {number} planned */
function howMany(workers, planned) {
  if (workers > 1) return words.device.shared(workers);
  return workers < planned ? words.device.alone : "";
}

/**
 * What is said while the model is started once more.
 * @param {Trouble | undefined} trouble
 * @param {boolean} onProcessor
 */
export const startingAgain = (trouble, onProcessor) => {
  const { helperLost, ranOut, ranOutToProcessor, wasLost, wasLostToProcessor } = words.device;
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
      return words.device.memory(message);
    case "silent":
      return words.device.silent;
    case "broken":
      return words.device.broken(message);
    default:
      return words.device.couldNot(message);
  }
}
