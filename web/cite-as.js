// @ts-check
/** An answer as something to take along: its words, where they stand, and the way back. */

/** @import { AskResult, Source } from "./pkg/core/campanile_core.js" */

import { isSection } from "./answer-view.js";
import { headingPath, pageName, placeInDocument } from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

/**
 * The words that are quoted and the source that they are from; null where nothing is.
 * @param {AskResult} result
 * @returns {{ quoted: string, source: Source } | null}
 */
export function quotationOf({ answer, sources }) {
  const source = sources.find(({ number }) => number === answer.source);
  if (!source || answer.kind === "refusal") return null;
  return { quoted: onOneLine(isSection(answer) ? source.text : answer.text), source };
}

/**
 * @typedef {object} Citing
 * @property {AskResult} result
 * @property {string} title  of the site
 * @property {URL} site  its folder
 * @property {string} address  of the question on the site's page
 * @property {Date} [now]
 */

/** As plain text: the quotation, its source, the question. @param {Citing} citing */
export function asText({ result, title, site, address, now = new Date() }) {
  const found = quotationOf(result);
  const asked = laterWords.copy.asked(result.question, title, dayOf(now));
  if (!found) return `${asked}\n${address}`;
  const link = linkOf(found.source, site);
  const where = [found.source.title, headingPath(found.source), pageName(found.source)].filter(Boolean).join(", ");
  return [`“${found.quoted}”`, `— ${where}`, ...(link ? [link] : []), "", asked, address].join("\n");
}

/** As Markdown: a quotation, with its source and its question as links. @param {Citing} citing */
export function asMarkdown({ result, title: siteTitle, site, address, now = new Date() }) {
  const found = quotationOf(result);
  const asked = `[${escaped(laterWords.copy.asked(result.question, siteTitle, dayOf(now)))}](${address})`;
  if (!found) return asked;
  const link = linkOf(found.source, site);
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

/** @param {Source} source @param {URL} site */
const linkOf = (source, site) =>
  // A parenthesis would end a link of Markdown.
  placeInDocument(source, source, site)?.href.replaceAll("(", "%28").replaceAll(")", "%29");

/** @param {string} text */
const onOneLine = (text) => text.replace(/\s+/gu, " ").trim();

/** What Markdown would read as more than text. @param {string} text */
const escaped = (text) => text.replace(/[\\`*_[\]<>#|~]/gu, "\\$&");

/** @param {Date} now */
const dayOf = (now) => new Intl.DateTimeFormat(words.language, { dateStyle: "long" }).format(now);
