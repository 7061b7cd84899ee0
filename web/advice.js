// @ts-check
/** What helps a visitor on where an answer is not sure, or where there is none. */

/** @import { AskResult, Manifest } from "./pkg/core/campanile_core.js" */

import { words } from "./words.js";

/** At most so many names are listed. */
const NAMED = 4;
/** Up to which probability one answer in so many is right. @type {[number, number][]} */
const ODDS = [
  [0.18, 6],
  [0.225, 5],
  [0.29, 4],
  [0.42, 3],
];
const LINK = /https?:\/\/[^\s,;]+[^\s,;.]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u;

/**
 * Sentences beside an answer that may not be the one.
 * @param {AskResult} result
 * @returns {string[]}
 */
export function reservation(result) {
  const { answer, confidence, form, sources, asked_in: language, missing_side: missing } = result;
  const names = unnamed(result.missing_names);
  const source = sources.find(({ number }) => number === answer.source);
  const { otherPage, eachSide, oddsOfAnswer, oddsOfSection, sideMissing } = words.advice;
  const oddsOf = answer.kind === "possible_section" ? oddsOfSection : oddsOfAnswer;
  const doubt =
    source?.is_named === false
      ? otherPage(source.title)
      : form?.kind === "comparison"
        ? eachSide
        : oddsOf(odds(confidence ?? 0));
  const side = missing ? [sideMissing(missing)] : [];
  // A name that is missing says more than how often such answers are right.
  const first = names.length > 0 && source?.is_named !== false ? names : [doubt, ...names];
  return [...first, ...side, ...inAnother(language)];
}

/**
 * Sentences beside a refusal: what was searched, and how to ask.
 * @param {AskResult} result
 * @param {Manifest | null} site
 * @returns {string[]}
 */
export function guidance({ sources, stage, unmatched, missing_names: names, asked_in: language }, site) {
  const foreign = inAnother(language);
  if (sources.length === 0) return foreign.length > 0 ? foreign : [words.advice.fewerWords];
  const { nearest, nearestByWords, nearestByMeaning, nameIt } = words.advice;
  const searched = stage === "lexical" ? nearestByWords : nearestByMeaning;
  const missing = [...foreign, ...absent(unmatched)];
  const named = unnamed(names);
  const how = missing.length > 0 || named.length > 0 ? missing : [nameIt];
  return [...named, site ? searched(site.counts.documents) : nearest, ...how];
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

/** One answer in how many is right. @param {number} probability */
const odds = (probability) => ODDS.find(([most]) => probability < most)?.[1] ?? 2;

/** @param {string | null | undefined} language */
const inAnother = (language) => (language ? [words.advice.otherLanguage(language)] : []);

/**
 * What the question names and nothing shown has; first what no page has.
 * @param {AskResult["missing_names"] | undefined} names
 */
function unnamed(names = []) {
  const { nameNowhere, nameMissing } = words.advice;
  const of = (/** @type {boolean} */ isNowhere) =>
    names
      .filter((it) => it.is_nowhere === isNowhere)
      .map(({ name }) => name)
      .slice(0, NAMED);
  const [nowhere, missing] = [of(true), of(false)];
  return [...(nowhere.length > 0 ? [nameNowhere(nowhere)] : []), ...(missing.length > 0 ? [nameMissing(missing)] : [])];
}

/** @param {string[] | undefined} missing */
const absent = (missing = []) => (missing.length > 0 ? [words.advice.wordMissing(missing)] : []);
