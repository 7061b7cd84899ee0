// @ts-check
/** Counted things, the number as the language writes it with the form of the word that goes with it, and ranks. */

/** @typedef {{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>} Forms */

/** @param {string} language @returns {(count: number, forms: Forms) => string} */
export function counter(language) {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => `${count.toLocaleString(language)} ${forms[rules.select(count)] ?? forms.other}`;
}

/**
 * A rank as the language writes it: "2nd".
 * @param {string} language
 * @param {Forms} endings
 * @returns {(rank: number) => string}
 */
export function ordinals(language, endings) {
  const rules = new Intl.PluralRules(language, { type: "ordinal" });
  return (rank) => `${rank}${endings[rules.select(rank)] ?? endings.other}`;
}
