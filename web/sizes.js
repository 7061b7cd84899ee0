// @ts-check
/** Sizes and times in words, for the page and its workers. */

/**
 * Sizes for people: decimal units, one decimal under ten.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  if (bytes < 1_000) return `${Math.round(bytes)} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  const megabytes = bytes / 1_000_000;
  return megabytes < 9.95 ? `${megabytes.toFixed(1)} MB` : `${Math.round(megabytes)} MB`;
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
  if (total < 999_500) return `${Math.round(loaded / 1_000)} of ${Math.round(total / 1_000)} kB`;
  const whole = formatBytes(total).replace(" MB", "");
  return `${(loaded / 1_000_000).toFixed(1)} of ${whole} MB`;
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 1) return "under 1 ms";
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
