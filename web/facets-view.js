// @ts-check
/** Narrows a long list of passages by what the documents' metadata says: kind, level, department, year. */

/** @import { Source } from "./pkg/core/campanile_core.js" */

import { element } from "./text.js";
import { words } from "./words.js";

/** @typedef {"kind" | "level" | "department" | "year"} Facet */

/** @type {Facet[]} */
const FACETS = ["kind", "level", "department", "year"];

/**
 * The values of a passage in a facet; none where its document says nothing of it.
 * @param {Source} source
 * @param {Facet} facet
 * @returns {string[]}
 */
export function valuesOf({ level, facets }, facet) {
  switch (facet) {
    case "kind":
      return facets?.kind ? [facets.kind] : [];
    case "level":
      return level ? [level] : [];
    case "department":
      return facets?.departments ?? [];
    case "year":
      return facets?.year ? [String(facets.year)] : [];
  }
}

/**
 * What can be chosen: the values of each facet with how many passages have them, those of most first. A facet that all
 * passages agree on tells nothing apart.
 * @param {Source[]} sources
 * @returns {Map<Facet, [value: string, count: number][]>}
 */
export function choicesOf(sources) {
  const choices = new Map();
  for (const facet of FACETS) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const value of sources.flatMap((source) => valuesOf(source, facet)))
      counts.set(value, (counts.get(value) ?? 0) + 1);
    const tells = counts.size > 1 || [...counts.values()].some((count) => count < sources.length);
    if (counts.size > 0 && tells)
      choices.set(
        facet,
        [...counts].sort(([, one], [, other]) => other - one),
      );
  }
  return choices;
}

export class FacetsView {
  /** @type {Map<Facet, string>} */ #chosen = new Map();
  /** @type {() => void} */ #onChange;
  #count = element("p", { class: "fine-print", role: "status", "data-testid": "facets-count" });
  #fields = element("div", { class: "profile-fields" });

  /** @param {() => void} onChange  something else is chosen */
  constructor(onChange) {
    this.#onChange = onChange;
    this.root = element(
      "details",
      { class: "fine-print facets", "data-testid": "facets", hidden: true },
      element("summary", {}, words.more.narrow),
      this.#fields,
      this.#count,
    );
  }

  /** @param {Source[]} sources  all that are listed @param {string | null} language  of the documents */
  offer(sources, language) {
    const choices = choicesOf(sources);
    this.root.hidden = choices.size === 0;
    for (const [facet, value] of this.#chosen)
      if (!choices.get(facet)?.some(([one]) => one === value)) this.#chosen.delete(facet);
    this.#fields.replaceChildren(...[...choices].map(([facet, values]) => this.#field(facet, values, language)));
  }

  /** Whether a passage is among what was chosen. @param {Source} source */
  shows(source) {
    return [...this.#chosen].every(([facet, value]) => valuesOf(source, facet).includes(value));
  }

  /** @param {number} shown @param {number} all */
  tell(shown, all) {
    this.#count.textContent = shown < all ? words.more.shown(shown, all) : "";
  }

  /** @param {Facet} facet @param {[string, number][]} values @param {string | null} language */
  #field(facet, values, language) {
    const id = `campanile-facet-${facet}`;
    const select = element(
      "select",
      {
        id,
        onchange: () => {
          if (select.value) this.#chosen.set(facet, select.value);
          else this.#chosen.delete(facet);
          this.#onChange();
        },
      },
      element("option", { value: "" }, words.more.all),
      ...values.map(([value, count]) =>
        element("option", { value, lang: facet === "level" ? null : language }, `${nameOf(facet, value)} (${count})`),
      ),
    );
    select.value = this.#chosen.get(facet) ?? "";
    return element("div", { class: "profile-field" }, element("label", { for: id }, words.more[facet]), select);
  }
}

/** @param {Facet} facet @param {string} value */
function nameOf(facet, value) {
  const levels = { university: words.more.university, faculty: words.more.faculty, department: words.more.department };
  return facet === "level" ? levels[/** @type {keyof typeof levels} */ (value)] : value;
}
