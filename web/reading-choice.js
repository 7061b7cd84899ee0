// @ts-check
/**
 * Where passages are read for the words that answer: decided by measuring, and kept on the device.
 *
 * Everything here is a function of what was measured, so that it can be tried without a device.
 */

/** @import { DeviceWish, ReadingMeasurement } from "./messages.js" */
/** @import { AskResult } from "./pkg/core/campanile_core.js" */

import { keyOf } from "./kept.js";
import { formatDuration } from "./sizes.js";
import { counted } from "./text.js";

/** Probabilities that are no further apart are the same: the two do not round alike. */
const ROUNDING = 2e-3;

/** The key that a measurement is kept under. @param {URL} site */
export const readingKey = (site) => keyOf("reading", site);

/**
 * What was kept, where it is a measurement of this adapter and this model.
 * @param {string | null} kept
 * @param {string} adapter
 * @param {string} model
 * @returns {ReadingMeasurement | null}
 */
export function measurementOf(kept, adapter, model) {
  try {
    const found = JSON.parse(kept ?? "null");
    const numbers = [found?.processorMs, found?.gpuMs, found?.passages];
    const isWhole =
      numbers.every((number) => typeof number === "number" && number >= 0) && typeof found.agrees === "boolean";
    return isWhole && found.adapter === adapter && found.model === model ? found : null;
  } catch {
    return null;
  }
}

/**
 * Whether the graphics processor reads from now on. "software" is for tests, whose adapter is never faster.
 * @param {ReadingMeasurement} measurement
 * @param {DeviceWish} wish
 */
export const isWorthwhile = ({ processorMs, gpuMs, agrees }, wish) =>
  agrees && (gpuMs < processorMs || wish === "software");

/**
 * Whether two devices gave the same answer, but for ties within rounding.
 * @param {AskResult} processor
 * @param {AskResult} other
 */
export function sameAnswer(processor, other) {
  const [one, two] = [processor.answer, other.answer];
  const isClose = Math.abs((processor.confidence ?? 0) - (other.confidence ?? 0)) < ROUNDING;
  const samePlace =
    one.source === two.source && one.exact?.start === two.exact?.start && one.exact?.end === two.exact?.end;
  // Other words that are as probable are a tie; another kind of answer is none.
  return isClose && (samePlace || one.kind === two.kind);
}

/**
 * What is said of a measurement, a line each.
 * @param {ReadingMeasurement} measurement
 * @param {DeviceWish} wish
 */
export function measurementLines(measurement, wish) {
  const { adapter, processorMs, gpuMs, passages, agrees } = measurement;
  const outcome = isWorthwhile(measurement, wish)
    ? gpuMs < processorMs
      ? "The graphics processor is faster, and reads from now on."
      : "The graphics processor reads from now on, although it is slower: this page takes it for a test."
    : agrees
      ? "The processor is faster, and reads from now on."
      : "The two did not find the same words, so the processor reads.";
  // What is wrong is not timed.
  if (!agrees) return [`The graphics processor (${adapter}) was tried.`, outcome];
  return [
    `On the processor: ${counted(passages, "passage")} in ${formatDuration(processorMs)}.`,
    `On the graphics processor (${adapter}): ${counted(passages, "passage")} in ${formatDuration(gpuMs)}, in one batch.`,
    outcome,
  ];
}
