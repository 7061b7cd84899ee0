// @ts-check
/**
 * What has to be said beside an answer: how a question that points back was
 * understood, which word was taken for another, where levels of the university differ, which passages are not shown because they are for others, and in which other
 * words the question was asked.
 */

/** @import { AskedSite, AskResult, Choice, Correction, LeftOut, LevelDifference, Phrasing } from "./pkg/core/campanile_core.js" */
/** @import { Narrowing } from "./profile.js" */

import { later } from "./later.js";
import { leftOutWords } from "./profile.js";
import { element } from "./text.js";
import { words } from "./words.js";

export class NotesView {
  /** @type {(everyone: boolean) => void} */ #onEveryone;
  /** @type {() => void} */ #onTyped;
  /** @type {(narrowing: Narrowing | null) => void} */ #onChoice;
  #shown = "";

  /**
   * @param {(everyone: boolean) => void} onEveryone  the visitor wants to see what is for others, or no longer
   * @param {() => void} onTyped  the visitor wants the words searched as they typed them
   * @param {(narrowing: Narrowing | null) => void} onChoice  the visitor says what is meant, or takes it back
   */
  constructor(onEveryone, onTyped, onChoice) {
    this.#onChoice = onChoice;
    this.#onEveryone = onEveryone;
    this.#onTyped = onTyped;
    this.root = element("div", { class: "notes", part: "notes", "aria-live": "polite", "data-testid": "notes" });
  }

  /** Takes away what was said of the last answer. */
  clear() {
    this.#shown = "";
    this.root.replaceChildren();
  }

  /**
   * @param {AskResult} result
   * @param {boolean} everyone  whether documents for others were searched too
   * @param {object} [asked]  how it was asked
   * @param {string} [asked.typed]  the question as it was typed, where that is another: it pointed back at an earlier one
   * @param {Narrowing | null} [asked.narrowing]  what was chosen for this question
   */
  show(
    { question, choice, differences, left_out: leftOut, trace: { phrasings, corrections }, sites },
    everyone,
    { typed = question, narrowing = null } = {},
  ) {
    // The same again is left alone: nothing is read out twice, what was opened stays open.
    const shown = JSON.stringify([
      question,
      differences,
      leftOut,
      phrasings,
      corrections,
      everyone,
      typed,
      narrowing,
      choice,
      sites,
    ]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    /** @type {HTMLElement[]} */
    const notes = differences.map((difference) =>
      element("p", { class: "note note-difference", "data-testid": "difference" }, differenceWords(difference)),
    );
    if (corrections.length > 0) notes.unshift(corrected(corrections));
    if (typed !== question) {
      notes.unshift(
        element(
          "p",
          { class: "note", "data-testid": "asked-as" },
          words.notes.askedAs,
          element("q", {}, question),
          " ",
          element(
            "button",
            { class: "link-button", type: "button", onclick: () => this.#onTyped() },
            words.notes.asTyped,
          ),
        ),
      );
    }
    if (narrowing) {
      notes.unshift(
        element(
          "p",
          { class: "note", "data-testid": "narrowed" },
          words.notes.narrowed(fieldName(narrowing.field), narrowing.value),
          element(
            "button",
            { class: "link-button", type: "button", onclick: () => this.#onChoice(null) },
            words.notes.forAll,
          ),
        ),
      );
    } else if (choice) {
      notes.unshift(
        element(
          "div",
          { class: "note", role: "group", "aria-label": choiceWords(choice), "data-testid": "choice" },
          element("p", {}, choiceWords(choice)),
          element(
            "div",
            { class: "choice-options" },
            ...choice.options.map(({ value }) =>
              element(
                "button",
                {
                  class: "button",
                  type: "button",
                  onclick: () => this.#onChoice({ field: choice.asks, value }),
                },
                value,
              ),
            ),
          ),
        ),
      );
    }
    if (everyone) {
      notes.push(
        element(
          "p",
          { class: "note", "data-testid": "everyone" },
          words.notes.everyone,
          this.#button(words.notes.mineOnly, false),
        ),
      );
    } else if (leftOut.length > 0) {
      notes.push(
        element(
          "div",
          { class: "note", "data-testid": "left-out" },
          element(
            "details",
            {},
            element("summary", {}, `${leftOutWords(leftOut)}.`),
            element(
              "ul",
              {},
              ...leftOut.map(({ title, reasons }) =>
                element("li", {}, element("cite", {}, title), ` (${reasons.map(reasonWords).join("; ")})`),
              ),
            ),
          ),
          this.#button(leftOut.length === 1 ? words.notes.showOne : words.notes.showAll, true),
        ),
      );
    }
    if (phrasings.length > 0) notes.push(otherWords(phrasings));
    if (sites.length > 0) notes.push(askedSites(sites, question));
    this.root.replaceChildren(...notes);
  }

  /** @param {string} label @param {boolean} everyone */
  #button(label, everyone) {
    return element(
      "button",
      { class: "link-button", type: "button", onclick: () => this.#onEveryone(everyone) },
      label,
    );
  }
}

/**
 * Where levels of the university say different things.
 * @param {LevelDifference} difference
 */
function differenceWords({ words: told, nearer, farther }) {
  const said = (/** @type {LevelDifference["nearer"]} */ { value, source }) => `${value} [${source}]`;
  return words.notes.differs(told, words.more[nearer.level], said(nearer), words.more[farther.level], said(farther));
}

/**
 * What keeps a passage from the visitor.
 * @param {LeftOut["reasons"][number]} reason
 */
function reasonWords({ aspect, outcome: { excluded } }) {
  const { document, profile } = excluded;
  return aspect === "validity"
    ? words.notes.untimely(document, profile)
    : words.notes.reason(fieldName(aspect), document, profile);
}

/**
 * The sites of a campus that were asked. Most pages are no campus's: what tells of them comes when it is wanted.
 * @param {AskedSite[]} sites
 * @param {string} question
 */
function askedSites(sites, question) {
  const note = element("div", { class: "note", "data-testid": "sites" });
  later(() => import("./campus-note.js")).then(
    ({ campusNote }) => note.replaceChildren(...campusNote(sites, question)),
    () => note.replaceChildren(sites.map(({ name }) => name).join(", ")),
  );
  return note;
}

/**
 * What was searched for in the place of words that no document has.
 * @param {Correction[]} corrections
 */
function corrected(corrections) {
  const told = corrections.map(({ word, instead }) => words.notes.corrected(instead, word));
  return element("p", { class: "note", "data-testid": "corrected" }, told.join(" "));
}

/** What is asked of the visitor. @param {Choice} choice */
export const choiceWords = ({ asks }) => words.notes.depends(fieldName(asks));

/** @param {string} field */
const fieldName = (field) => /** @type {Record<string, string>} */ (words.fields)[field] ?? field;

/**
 * In which other words the question was searched; they are a model's, and say so.
 * @param {Phrasing[]} phrasings
 */
function otherWords(phrasings) {
  const told = phrasings.map((phrasing) =>
    "question" in phrasing
      ? element("li", {}, element("q", {}, phrasing.question))
      : element("li", {}, words.notes.madeUp, element("q", {}, phrasing.passage)),
  );
  return element(
    "div",
    { class: "note", "data-testid": "other-words" },
    element(
      "details",
      {},
      element("summary", {}, words.notes.otherWords(phrasings.length)),
      element("ul", {}, ...told),
    ),
  );
}
