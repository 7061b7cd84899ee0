// @ts-check
/** The page of a site in one file: takes the parts out of it before anything else of the page runs. */

/** @import { Part } from "./single-file.js" */

import { asciiOf, bytesOf, holdParts, responseOf } from "./single-file.js";

/** @type {Map<string, Part>} */
const parts = new Map();
/** @type {Map<string, string>} */
const scripts = new Map();

// They would lie in memory twice.
for (const node of document.querySelectorAll("script[data-part]")) {
  if (!(node instanceof HTMLScriptElement)) continue;
  const { part = "", encoding } = node.dataset;
  const { text } = node;
  node.remove();
  // A worker is started at once, and nothing can be waited for.
  if (part.endsWith(".js")) scripts.set(part, addressOf(bytesOf(asciiOf(text)), "text/javascript"));
  else parts.set(part, { text, isZipped: encoding === "gzip" });
}
holdParts(parts, scripts);
for (const link of document.querySelectorAll("a")) linkToPart(link);

/** @param {BlobPart} bytes @param {string} type */
function addressOf(bytes, type) {
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/** A link to a part leads to it. @param {HTMLAnchorElement} link */
async function linkToPart(link) {
  const response = responseOf(link.getAttribute("href") ?? "");
  if (response) link.href = URL.createObjectURL(await response.blob());
}
