// @ts-check
/**
 * What the visitor said of answers. It stays on this device; it leaves it only as a letter that the visitor sends
 * themselves, or as a file that they save. `campanile eval import` reads such a file.
 */

/** @import { AskResult } from "./pkg/core/campanile_core.js" */

import { KeptList } from "./kept-list.js";
import { quotationOf } from "./cite-as.js";

/**
 * @typedef {object} Judgement
 * @property {string} question
 * @property {boolean} right
 * @property {string} kind  of the answer
 * @property {string | null} answer  its words
 * @property {string | null} document  that they stand in
 * @property {string} at  the day
 */

const MOST = 200;
/** A longer address is cut by some mail programs. */
const MOST_IN_A_LETTER = 1_500;

export class Judgements {
  /** @type {KeptList<Judgement>} */ #list;

  /** @param {URL} site */
  constructor(site) {
    this.#list = new KeptList("judgements", site, MOST);
  }

  get all() {
    return this.#list.items;
  }

  /** What was said of this answer before; null if nothing was. @param {AskResult} result */
  of(result) {
    const { answer } = judged(result, true);
    const before = this.#list.items.find((one) => one.question === result.question && one.answer === answer);
    return before?.right ?? null;
  }

  /** @param {AskResult} result @param {boolean} right */
  tell(result, right) {
    this.#list.add(judged(result, right), ({ question }) => question === result.question);
  }

  clear() {
    this.#list.clear();
  }

  /** One line of JSON for each: the file that `campanile eval import` reads. */
  get file() {
    return this.#list.items.map((one) => `${JSON.stringify(one)}\n`).join("");
  }

  /**
   * A letter to the department with the last judgements, for the visitor to send: a mail, or a new issue.
   * @param {string} to  a mail address, or the address of a page that takes a new issue; empty where nobody wants it
   * @param {string} title  of the site
   * @returns {URL | null}
   */
  letter(to, title) {
    if (to === "") return null;
    const lines = this.#list.items.map(
      ({ question, right, answer }) => `${right ? "+" : "−"} ${question}\n  ${answer ?? "—"}`,
    );
    let body = "";
    for (const line of lines) {
      if (body.length + line.length > MOST_IN_A_LETTER) break;
      body += `${line}\n`;
    }
    try {
      const isPage = /^https?:/u.test(to);
      const url = new URL(isPage ? to : `mailto:${to}`);
      // Mail programs read a plus as a plus: spaces are written out.
      const told = Object.entries({ [isPage ? "title" : "subject"]: title, body });
      const query = told.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
      url.search = url.search ? `${url.search}&${query}` : query;
      return url;
    } catch {
      return null;
    }
  }
}

/** @param {AskResult} result @param {boolean} right @returns {Judgement} */
function judged(result, right) {
  const found = quotationOf(result);
  return {
    question: result.question,
    right,
    kind: result.answer.kind,
    answer: found?.quoted ?? null,
    document: found?.source.document ?? null,
    at: new Date().toISOString().slice(0, 10),
  };
}
