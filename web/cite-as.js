// @ts-check
/** An answer as something to take along: its words, where they stand, and the way back. */

/** @import { AskResult, Source } from "./pkg/core/campanile_core.js" */

import { headingPath, pageName, safeLink } from "./text.js";
import { words } from "./words.js";

/**
 * The words that are quoted and the source that they are from; null where nothing is.
 * @param {AskResult} result
 * @returns {{ quoted: string, source: Source } | null}
 */
export function quotationOf({ answer, sources }) {
  const source = sources.find(({ number }) => number === answer.source);
  if (!source || answer.kind === "refusal") return null;
  const isSection = answer.kind === "section" || answer.kind === "possible_section";
  return { quoted: onOneLine(isSection ? source.text : answer.text), source };
}

/**
 * @typedef {object} Citing
 * @property {AskResult} result
 * @property {string} site  its title
 * @property {string} address  of the question on the site's page
 * @property {Date} [now]
 */

/** As plain text: the quotation, its source, the question. @param {Citing} citing */
export function asText({ result, site, address, now = new Date() }) {
  const found = quotationOf(result);
  const asked = words.copy.asked(result.question, site, dayOf(now));
  if (!found) return `${asked}\n${address}`;
  const link = linkOf(found.source);
  const where = [found.source.title, headingPath(found.source), pageName(found.source)].filter(Boolean).join(", ");
  return [`“${found.quoted}”`, `— ${where}`, ...(link ? [link] : []), "", asked, address].join("\n");
}

/** As Markdown: a quotation, with its source and its question as links. @param {Citing} citing */
export function asMarkdown({ result, site, address, now = new Date() }) {
  const found = quotationOf(result);
  const asked = `[${escaped(words.copy.asked(result.question, site, dayOf(now)))}](${address})`;
  if (!found) return asked;
  const link = linkOf(found.source);
  const title = escaped(found.source.title);
  const where = [headingPath(found.source), pageName(found.source)].filter(Boolean).map(escaped);
  return [
    `> ${escaped(found.quoted)}`,
    ">",
    `> — ${[link ? `[${title}](${link})` : title, ...where].join(", ")}`,
    "",
    asked,
  ].join("\n");
}

/** @param {Source} source */
function linkOf({ link, anchor, page }) {
  const url = safeLink(link, globalThis.document?.baseURI ?? "https://localhost/");
  if (!url) return null;
  if (anchor && !url.hash) url.hash = anchor;
  if (page && !url.hash) url.hash = `page=${page.number}`;
  return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
}

/** @param {string} text */
const onOneLine = (text) => text.replace(/\s+/gu, " ").trim();

/** What Markdown would read as more than text. @param {string} text */
const escaped = (text) => text.replace(/[\\`*_[\]<>#|~]/gu, "\\$&");

/** @param {Date} now */
const dayOf = (now) => new Intl.DateTimeFormat(words.language, { dateStyle: "long" }).format(now);
