// @ts-check
/** Where the language model runs, and what came in the way, in the visitor's words. */

/** @import { FallbackReason, Trouble } from "./messages.js" */
/** @import { Opened } from "./prose-client.js" */

/** @type {Record<Exclude<FallbackReason, "none">, string>} */
const WHY_PROCESSOR = {
  chosen: "This page has the model run on this device’s processor.",
  "no-webgpu": "This browser offers no graphics processor to the page, so the model runs on the processor.",
  "no-adapter": "This browser offers no graphics processor to the page, so the model runs on the processor.",
  software: "This device has no graphics processor that the page can use, so the model runs on the processor.",
  failed:
    "The graphics processor could not be used, or did not compute as it should, so the model runs on the processor.",
  lost: "The graphics processor was lost more than once, so the model runs on the processor.",
  "gpu-memory": "The graphics processor had no room for the model, so the model runs on the processor.",
};

/** @param {Opened} opened */
export const whereItRuns = ({ device, reason, workers, planned }) =>
  device === "webgpu" || reason === "none"
    ? "Runs on this device’s graphics processor."
    : `${WHY_PROCESSOR[reason]}${howMany(workers, planned)} This is slower.`;

/** @param {number} workers @param {number} planned */
function howMany(workers, planned) {
  if (workers > 1) return ` ${workers} workers share the work.`;
  return workers < planned ? " One worker does it all, since others could not be used." : "";
}

/**
 * What is said while the model is started once more.
 * @param {Trouble | undefined} trouble
 * @param {boolean} onProcessor
 */
export const startingAgain = (trouble, onProcessor) => {
  if (trouble === "helper-lost") return "A part of the program was lost: starting the model again";
  const what = trouble === "gpu-memory" ? "The graphics processor ran out of room" : "The graphics processor was lost";
  return onProcessor ? `${what}: going on with the processor, which is slower` : `${what}: starting the model again`;
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
      return `There was not enough memory for the language model. ${message} Close other tabs and programs and try again, or ask the people who publish this site for a smaller model.`;
    case "silent":
      return "The language model went silent and was ended. Try again; on a slow device, close other tabs and programs first.";
    case "broken":
      return `The program that runs the language model broke down (${message}). Try again.`;
    default:
      return `The language model could not write an answer. ${message}`;
  }
}
