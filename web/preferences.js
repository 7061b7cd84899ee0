// @ts-check
/** How a visitor wants to search, kept on this device. What they leave alone is as the site has it. */

/**
 * @typedef {object} Preferences
 * @property {boolean} keywords  by keywords alone
 * @property {boolean} saver  models only when the visitor says so
 * @property {boolean} history  questions are kept on this device
 * @property {number | null} sources  passages shown with an answer
 * @property {number | null} context  passages read before and after each
 * @property {"short" | "long" | null} words  the length of a written answer
 */

import { keep, kept } from "./kept.js";

/** @type {Preferences} */
export const USUAL = { keywords: false, saver: false, history: true, sources: null, context: null, words: null };

/** The numbers that are offered. */
export const SOURCES = [3, 5, 10, 20];
export const CONTEXT = [0, 1, 2];

/**
 * What a value holds of preferences: what is kept may be of another version, or not ours.
 * @param {unknown} value
 * @returns {Preferences}
 */
export function preferencesOf(value) {
  const given = /** @type {Record<string, unknown>} */ (typeof value === "object" && value !== null ? value : {});
  const number = (/** @type {string} */ name, /** @type {number[]} */ offered) =>
    offered.find((one) => one === given[name]) ?? null;
  return {
    keywords: given["keywords"] === true,
    saver: given["saver"] === true,
    history: given["history"] !== false,
    sources: number("sources", SOURCES),
    context: number("context", CONTEXT),
    words: given["words"] === "short" || given["words"] === "long" ? given["words"] : null,
  };
}

/** What this device has kept. @param {URL} site */
export const keptPreferences = (site) => preferencesOf(kept("preferences", site));

/** @param {URL} site @param {Preferences} preferences */
export const keepPreferences = (site, preferences) =>
  keep("preferences", site, JSON.stringify(preferences) === JSON.stringify(USUAL) ? null : preferences);

/** The settings of the search that follow from them. @param {Preferences} preferences @returns {Record<string, number>} */
export const searchSettings = ({ sources, context }) => ({
  ...(sources === null ? {} : { sources, least_sources: sources }),
  ...(context === null ? {} : { neighbours_before: context, neighbours_after: context }),
});
