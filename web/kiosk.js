// @ts-check
/**
 * The page at a kiosk, a screen that everybody uses: it starts again when nobody has touched it for a while, nothing of
 * who asked before is left, there is no way out of the site, and an answer can be taken along as a QR code.
 *
 * `campanile serve --kiosk` tells the page that it is one, in the `data-kiosk` of its `<html>`, and draws the codes.
 */

/** @import { CampanileAsk } from "./campanile-ask.js" */
/** @import { AskResult } from "./pkg/core/campanile_core.js" */

import { asText, quotationOf } from "./cite-as.js";
import { SITE } from "./store.js";
import { element, questionFragment } from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

/** Before the page starts again, it asks for so long whether somebody is there. */
const ASKING_SECONDS = 15;
/** Kinds of answers that leave a question open. */
const UNANSWERED = ["refusal", "possible_section"];
/** The light margin around a code, in modules (ISO/IEC 18004). */
const MARGIN = 4;
const SVG = "http://www.w3.org/2000/svg";

/**
 * What the server says of its kiosk.
 * @typedef {object} Kiosk
 * @property {number} idle  seconds without a touch
 * @property {string | null} address  of the same site in public
 * @property {boolean} logs  whether questions that are not answered are kept
 */

/** Makes a kiosk of the page. @param {CampanileAsk} ask @param {Kiosk} kiosk */
export function beKiosk(ask, kiosk) {
  ask.setAttribute("history", "off");
  const take = new TakeAlong(kiosk.address);
  const watch = new IdleWatch(kiosk.idle);
  const note = kiosk.logs
    ? element("p", { class: "kiosk-note", "data-testid": "kiosk-note" }, laterWords.kiosk.logs)
    : null;
  document.body.append(take.root, watch.root);
  if (note) document.querySelector(".colophon")?.prepend(note);
  ask.addEventListener("campanile-answer", (event) => {
    const result = /** @type {CustomEvent<AskResult>} */ (event).detail;
    take.offer(result);
    if (kiosk.logs && UNANSWERED.includes(result.answer.kind)) keep(result);
  });
  ask.addEventListener("campanile-passages", () => take.offer(null));
  document.addEventListener("click", (event) => stay(event, take), { capture: true });
  document.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Links that lead out of the site are shown as a code: the visitor's own device may follow them. @param {Event} event @param {TakeAlong} take */
function stay(event, take) {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!(link instanceof HTMLAnchorElement) || !link.href) return;
  const url = new URL(link.href);
  const isWithin = url.origin === location.origin && link.target !== "_blank" && !link.hasAttribute("download");
  if (isWithin) return;
  event.preventDefault();
  event.stopPropagation();
  take.show(link.href);
}

/** Questions that were told: one that is answered anew while models come is the same. @type {Set<string>} */
const kept = new Set();

/** @param {AskResult} result */
async function keep({ question, answer: { kind } }) {
  if (kept.has(question)) return;
  kept.add(question);
  const body = JSON.stringify({ question, kind, at: new Date().toISOString().slice(0, 10) });
  await fetch(new URL("/campanile-kiosk/log", location.origin), { method: "POST", body });
}

/** The answer that stands, or a link, as a QR code over the page. */
class TakeAlong {
  #address;
  #picture = element("div", { class: "kiosk-code" });
  #told = element("p", {});
  #text = "";

  /** @param {string | null} address */
  constructor(address) {
    this.#address = address;
    this.button = element(
      "button",
      {
        class: "button kiosk-take",
        type: "button",
        hidden: true,
        "data-testid": "kiosk-take",
        onclick: () => this.show(this.#text),
      },
      laterWords.kiosk.take,
    );
    this.dialog = element(
      "dialog",
      { class: "kiosk-dialog", "aria-labelledby": "kiosk-heading", "data-testid": "kiosk-code" },
      element("h2", { id: "kiosk-heading" }, laterWords.kiosk.scan),
      this.#picture,
      this.#told,
      element("button", { class: "button", type: "button", onclick: () => this.dialog.close() }, words.close),
    );
    this.root = element("div", { class: "kiosk" }, this.button, this.dialog);
  }

  /** @param {AskResult | null} result  an answer that stands */
  offer(result) {
    this.button.hidden = !result || (!this.#address && !quotationOf(result));
    if (!result) return;
    const link = this.#address && new URL(questionFragment(result.question), this.#address).href;
    this.#text = link || asText({ result, title: document.title, site: SITE, address: "" }).trim();
  }

  /** @param {string} text */
  async show(text) {
    this.#picture.replaceChildren();
    this.#told.textContent = /^[a-z]+:/u.test(text) ? text : "";
    this.dialog.showModal();
    try {
      const answer = await fetch(new URL("/campanile-kiosk/qr", location.origin), { method: "POST", body: text });
      if (!answer.ok) throw new Error(await answer.text());
      const { rows } = /** @type {{ rows: string[] }} */ (await answer.json());
      this.#picture.replaceChildren(drawn(rows));
    } catch {
      // Too long for a code: what it would say can be read.
      this.#told.textContent = text;
    }
  }
}

/** A code as a picture. @param {string[]} rows */
function drawn(rows) {
  const size = rows.length + 2 * MARGIN;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", laterWords.kiosk.code);
  const path = document.createElementNS(SVG, "path");
  const modules = rows.flatMap((row, y) =>
    [...row].flatMap((module, x) => (module === "1" ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])),
  );
  path.setAttribute("d", modules.join(""));
  svg.append(path);
  return svg;
}

/** Starts the page again when nobody has touched it for a while. */
class IdleWatch {
  #seconds;
  #left = element("p", { role: "status" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {number} seconds */
  constructor(seconds) {
    this.#seconds = seconds;
    this.root = element(
      "dialog",
      { class: "kiosk-dialog", "aria-labelledby": "kiosk-idle", "data-testid": "kiosk-idle" },
      element("h2", { id: "kiosk-idle" }, laterWords.kiosk.there),
      this.#left,
      element("button", { class: "button", type: "button" }, laterWords.kiosk.stay),
    );
    for (const touch of ["pointerdown", "keydown", "wheel", "touchmove"])
      document.addEventListener(touch, () => this.#wait(), { capture: true, passive: true });
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    if (this.root.open) this.root.close();
    this.#timer = setTimeout(() => this.#ask(ASKING_SECONDS), this.#seconds * 1_000);
  }

  /** @param {number} left  seconds */
  #ask(left) {
    if (left <= 0) return startAgain();
    // At the start, with nothing told, there is nobody to ask.
    if (isAtStart()) return this.#wait();
    if (!this.root.open) this.root.showModal();
    this.#left.textContent = laterWords.kiosk.left(left);
    this.#timer = setTimeout(() => this.#ask(left - 1), 1_000);
  }
}

/** Whether the page is as a new visitor finds it. */
function isAtStart() {
  const ask = document.querySelector("campanile-ask");
  const isUntold = Object.keys(localStorage).every((key) => !key.startsWith("campanile-"));
  return location.hash === "" && isUntold && /** @type {CampanileAsk | null} */ (ask)?.question === "";
}

/** Forgets all that was told, and opens the page anew: the index and the models stay. */
function startAgain() {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith("campanile-")) storage.removeItem(key);
  // Not a change of the fragment alone, which would leave the page as it is; and nothing to go back to.
  history.replaceState(null, "", location.pathname);
  location.reload();
}
