// @ts-check
/** Counted things: the number as the language writes it, and the form of the word that goes with it. */

/** @typedef {{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>} Forms */

/** @param {string} language @returns {(count: number, forms: Forms) => string} */
export function counter(language) {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => `${count.toLocaleString(language)} ${forms[rules.select(count)] ?? forms.other}`;
}
