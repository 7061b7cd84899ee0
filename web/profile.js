// @ts-check
/**
 * Who asks, as plain values: what is kept on this device, what the search is
 * told, and how it is said. Nothing here touches the page.
 */

/** @import { Asker, Profile } from "./messages.js" */
/** @import { Choice, Choices, LeftOut } from "./pkg/core/campanile_core.js" */

/** @typedef {{ field: Choice["asks"], value: string }} Narrowing  what was chosen for one question */

import { words } from "./words.js";

/** The fields that are one word or name, in the order in which they are said and asked for. */
export const WORDS = /** @type {const} */ (["programme", "department", "faculty", "specialisation", "batch"]);
/** The fields that are a number from 1. */
export const NUMBERS = /** @type {const} */ (["year", "semester"]);

const MOST_UNITS = 200;
const MOST_COURSES = 200;

/**
 * What a value holds of a profile; everything else is left out, since what is
 * kept may be of an older version, or not ours.
 * @param {unknown} value
 * @returns {Profile}
 */
export function profileOf(value) {
  /** @type {Profile} */
  const profile = {};
  if (typeof value !== "object" || value === null) return profile;
  const given = /** @type {Record<string, unknown>} */ (value);
  for (const field of WORDS) {
    const word = wordOf(given[field]);
    if (word) profile[field] = word;
  }
  for (const field of NUMBERS) {
    const number = Number(given[field]);
    if (Number.isInteger(number) && number >= 1 && number <= 99) profile[field] = number;
  }
  const courses = Array.isArray(given["courses"]) ? given["courses"].map(wordOf).filter((code) => code !== "") : [];
  if (courses.length > 0) profile.courses = [...new Set(courses)].slice(0, MOST_COURSES);
  return profile;
}

/** @param {unknown} value */
const wordOf = (value) => (typeof value === "string" ? value.replace(/\s+/gu, " ").trim().slice(0, MOST_UNITS) : "");

/** Whether nothing is told. @param {Profile} profile */
export const isSilent = (profile) => Object.keys(profile).length === 0;

/**
 * A profile for one question: what was chosen for it takes the place of what is told otherwise.
 * @param {Profile} profile
 * @param {Narrowing | null} narrowing
 * @returns {Profile}
 */
export function narrowed(profile, narrowing) {
  if (!narrowing) return profile;
  return narrowing.field === "course"
    ? { ...profile, courses: [narrowing.value] }
    : { ...profile, [narrowing.field]: narrowing.value };
}

/** The day on this device, as the search wants it. @param {Date} [now] */
export function today(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${String(now.getFullYear()).padStart(4, "0")}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * What the search is told of who asks.
 * @param {Profile} [profile]
 * @param {boolean} [everyone]  whether documents for others are searched too
 * @param {string} [date]
 * @param {SearchChanges} [settings]
 * @returns {Asker}
 */
export const askerOf = (profile = {}, everyone = false, date = today(), settings = {}) => ({
  profile: JSON.stringify({ ...profile, date }),
  everyone,
  ...settingsFor(settings),
});

/** Settings of `[search]` that are others for a question, by their names. @typedef {Record<string, unknown>} SearchChanges */

/** The part of an asker that tells the search of them. @param {SearchChanges} settings @returns {Pick<Asker, "settings">} */
export const settingsFor = (settings) =>
  Object.keys(settings).length > 0 ? { settings: JSON.stringify(settings) } : {};

/** Whether a form has anything to offer. @param {Choices | null} choices */
export const offersChoices = (choices) =>
  choices !== null &&
  (choices.years ||
    choices.semesters ||
    [
      choices.programmes,
      choices.departments,
      choices.faculties,
      choices.specialisations,
      choices.batches,
      choices.courses,
    ].some((list) => list.length > 0));

/**
 * What is said of passages that are not shown: "2 passages are for others".
 * @param {LeftOut[]} passages
 */
export function leftOutWords(passages) {
  const expired = passages.every(
    ({ reasons }) => reasons.length > 0 && reasons.every(({ aspect }) => aspect === "validity"),
  );
  return expired ? words.notes.notToday(passages.length) : words.notes.forOthers(passages.length);
}
