// @ts-check
/** What helps a visitor on where an answer is not sure, or where there is none. */

/** @import { AskResult, Manifest } from "./pkg/core/campanile_core.js" */

import { counted } from "./text.js";

/** At most so many words are named. */
const NAMED = 4;
/** Up to which probability an answer is right so often, in words. @type {[number, string][]} */
const ODDS = [
  [0.18, "one in six"],
  [0.225, "one in five"],
  [0.29, "one in four"],
  [0.42, "one in three"],
];
const LINK = /https?:\/\/[^\s,;]+[^\s,;.]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u;

/**
 * Sentences beside an answer that may not be the one.
 * @param {AskResult} result
 * @returns {string[]}
 */
export function reservation(result) {
  const { answer, confidence, form, sources, unmatched, asked_in: language, missing_side: missing } = result;
  const source = sources.find(({ number }) => number === answer.source);
  const such = answer.kind === "possible_section" ? "such sections holds what is asked" : "such answers is right";
  const doubt =
    source?.is_named === false
      ? `This is from “${source.title}”, which is not the page that the question names.`
      : form?.kind === "comparison"
        ? "Not sure: for each side this is what comes nearest."
        : `Not sure: about ${odds(confidence ?? 0)} of ${such}.`;
  const side = missing ? [`No passage near it is about “${missing}”.`] : [];
  return [doubt, ...side, ...inAnother(language), ...absent(unmatched)];
}

/**
 * Sentences beside a refusal: what was searched, and how to ask.
 * @param {AskResult} result
 * @param {Manifest | null} site
 * @returns {string[]}
 */
export function guidance({ sources, stage, unmatched, asked_in: language }, site) {
  const foreign = inAnother(language);
  if (sources.length === 0) return foreign.length > 0 ? foreign : ["Other words, or fewer of them, may find more."];
  const ways = stage === "lexical" ? "their words" : "their words and their meaning";
  const searched = site ? `Searched by ${ways}: ${counted(site.counts.documents, "document")}. ` : "";
  const missing = [...foreign, ...absent(unmatched)];
  return [
    `${searched}The nearest passages are listed as they are.`,
    ...(missing.length > 0 ? missing : ["Other words, or the name of a course or an office, may find more."]),
  ];
}

/**
 * Whom to ask, cut where an address stands in it, so that this can be a link.
 * @param {Manifest | null} site
 * @returns {{ before: string, address: string, href: string, after: string } | null}
 */
export function contactOf(site) {
  const contact = site?.contact ?? "";
  if (contact === "") return null;
  const found = LINK.exec(contact);
  const address = found?.[0] ?? "";
  const at = found ? found.index : contact.length;
  const href = address === "" || address.startsWith("http") ? address : `mailto:${address}`;
  return { before: contact.slice(0, at), address, href, after: contact.slice(at + address.length) };
}

/** @param {number} probability */
function odds(probability) {
  return ODDS.find(([most]) => probability < most)?.[1] ?? "one in two";
}

/** @param {string | null | undefined} language */
const inAnother = (language) =>
  language ? [`The documents are not in ${language}: asked in their language, this may find more.`] : [];

/** @param {string[] | undefined} words */
function absent(words = []) {
  if (words.length === 0) return [];
  const named = words.slice(0, NAMED).map((word) => `“${word}”`);
  const list = named.length === 1 ? named[0] : `${named.slice(0, -1).join(", ")} or ${named.at(-1)}`;
  return [`No passage near it has ${list}: another word for it may find more.`];
}
