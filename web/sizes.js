// @ts-check
/** Sizes and times in words, for the page and its workers. */

import { words } from "./words.js";

/** @param {number} value @param {number} digits  behind the point */
const written = (value, digits) =>
  value.toLocaleString(words.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/**
 * Sizes for people: decimal units, one decimal under ten.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  if (bytes < 1_000) return words.size.bytes(Math.round(bytes));
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  const megabytes = bytes / 1_000_000;
  return megabytes < 9.95 ? `${written(megabytes, 1)} MB` : `${Math.round(megabytes)} MB`;
}

/**
 * Sizes for engineers, in powers of two, as limits of devices are given.
 * @param {number} bytes
 */
export function formatBinaryBytes(bytes) {
  const gigabytes = bytes / 2 ** 30;
  return gigabytes >= 1 ? `${Number(gigabytes.toFixed(1))} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}

/**
 * Progress for people: "12.3 of 23 MB", or what has come so far when the whole is not known.
 * @param {number} loaded
 * @param {number} total
 */
export function formatProgress(loaded, total) {
  if (total <= 0) return formatBytes(loaded);
  if (total < 999_500) return words.size.progress(`${Math.round(loaded / 1_000)}`, `${Math.round(total / 1_000)} kB`);
  return words.size.progress(written(loaded / 1_000_000, 1), formatBytes(total));
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 1) return words.size.underAMillisecond;
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${written(milliseconds / 1_000, 1)} s`;
}
