// @ts-check
/**
 * Prose by a language model, on an explicit click only. The size is named
 * before anything is fetched, the download can be cancelled, the text stopped,
 * and what comes out is marked as a model's writing.
 */

/** @import { AskResult, ModelSummary, ProsePrompt, ProseResult } from "./messages.js" */
/** @import { Opened } from "./prose-client.js" */

import { Cancelled, ProseClient } from "./prose-client.js";
import { showProgress } from "./status-line.js";
import { element, formatBytes, formatDuration, formatProgress, withCode } from "./text.js";

/**
 * @typedef {object} PanelOptions
 * @property {(question: string) => Promise<ProsePrompt>} prompt
 * @property {(words: string) => void} say  speaks to those who listen to the page
 * @property {(message: string) => void} onNotice
 */

export class ProsePanel {
  /** @type {PanelOptions} */ #options;
  /** @type {ProseClient} */ #client;
  /** @type {ModelSummary | null} */ #model = null;
  /** @type {AskResult | null} */ #result = null;
  /** @type {Promise<ProseResult> | null} */ #running = null;
  /** Counts the questions, so that the text for an old one is dropped. */
  #turn = 0;

  #heading = element("h2", { class: "section-label", id: "campanile-prose-heading" }, "Written by a language model");
  #text = element("p", { class: "prose-text", "data-testid": "prose-text" });
  #state = element("div", { class: "prose-state" });

  /** @param {PanelOptions} options */
  constructor(options) {
    this.#options = options;
    this.#client = new ProseClient(options.onNotice);
    this.root = element("section", { class: "prose", "aria-labelledby": "campanile-prose-heading", "data-testid": "prose", hidden: true },
      this.#heading, this.#text, this.#state);
  }

  /** @param {ModelSummary | null} model */
  set model(model) {
    this.#model = model;
  }

  /**
   * Offers prose for a result; without evidence there is no offer.
   * @param {AskResult | null} result
   */
  offer(result) {
    // The same question, only better sources: leave a text that stands or runs.
    if (result && result.question === this.#result?.question && this.root.dataset.state !== "idle") return;
    this.#abandon();
    this.#result = result;
    const possible = this.#model && result && result.answer.kind !== "refusal" && result.sources.length > 0;
    this.root.hidden = !possible;
    if (possible) this.#idle();
  }

  #abandon() {
    this.#turn += 1;
    if (this.#running) this.#client.stop(this.#running);
    else if (this.root.dataset.state === "loading") this.#client.cancel();
    this.#running = null;
    this.#text.textContent = "";
  }

  #idle() {
    const model = /** @type {ModelSummary} */ (this.#model);
    const open = this.#client.isOpen;
    this.#put("idle",
      element("button", { class: "button button-quiet", type: "button", "data-testid": "prose-start", onclick: () => this.#write() },
        `Write an answer with a language model (${open ? "" : `${formatBytes(model.bytes)}, `}runs on this device)`),
      element("p", { class: "fine-print" }, open
        ? `${model.name} is ready. It is told only the passages shown here.`
        : `Fetches ${model.name} once and keeps it. The model is told only the passages shown here, and nothing leaves this device.`),
    );
  }

  async #write() {
    const result = this.#result;
    const model = this.#model;
    if (!result || !model) return;
    const turn = this.#turn;
    const stale = () => turn !== this.#turn;
    this.#text.textContent = "";
    /** @type {Opened | undefined} */
    let opened;
    try {
      opened = await this.#open(model, stale);
      const prompt = await this.#options.prompt(result.question);
      if (stale()) return;
      await this.#generate(prompt, opened, model, stale);
    } catch (error) {
      if (stale()) return;
      if (error instanceof Cancelled) this.#idle();
      else this.#failed(error);
    }
  }

  /**
   * @param {ModelSummary} model
   * @param {() => boolean} stale
   */
  async #open(model, stale) {
    const label = `Downloading ${model.name}, ${formatBytes(model.bytes)}`;
    const amount = element("span", { class: "status-amount" });
    const bar = element("progress", { class: "bar", "aria-label": label });
    const words = element("span", {}, this.#client.isOpen ? "Getting ready" : "Asking for the program that runs the model");
    const cancel = element("button", { class: "link-button", type: "button", "data-testid": "prose-cancel", onclick: () => this.#client.cancel() }, "Cancel");
    this.#put("loading", element("div", { class: "prose-progress" }, words, " ", amount, bar, cancel));
    return this.#client.open(model.bytes, (loaded, total) => {
      if (stale()) return;
      const whole = total > 0 && loaded >= total;
      const fetched = total > 0 ? `Downloading ${model.name}` : "Downloading the program that runs the model";
      words.textContent = whole ? `Getting ${model.name} ready` : fetched;
      amount.textContent = whole ? "" : formatProgress(loaded, total);
      showProgress(bar, whole ? 0 : loaded, whole ? 0 : total, label);
    });
  }

  /**
   * @param {ProsePrompt} prompt
   * @param {Opened} opened
   * @param {ModelSummary} model
   * @param {() => boolean} stale
   */
  async #generate(prompt, opened, model, stale) {
    const words = element("span", { "data-testid": "prose-activity" }, "Reading the passages");
    const stop = element("button", { class: "button button-quiet", type: "button", "data-testid": "prose-stop", onclick: () => { if (this.#running) this.#client.stop(this.#running); } }, "Stop");
    this.#put("writing",
      element("div", { class: "prose-progress" }, element("span", { class: "pulse", "aria-hidden": "true" }), words, stop),
      deviceNote(opened));
    this.#options.say("The language model is reading the passages.");
    let written = "";
    const running = this.#client.generate(prompt, (text) => {
      if (stale()) return;
      written += text;
      words.textContent = "Writing";
      this.#text.textContent = written.trimStart();
    });
    this.#running = running;
    try {
      const result = await running;
      if (!stale()) this.#done(result, opened, model);
    } catch (error) {
      // Stopped so firmly that the worker had to go: what it wrote still stands.
      if (!(error instanceof Cancelled) || written === "") throw error;
      if (!stale()) this.#done({ text: written, tokens: 0, milliseconds: 0, stopped: true }, opened, model);
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * @param {ProseResult} result
   * @param {Opened} opened
   * @param {ModelSummary} model
   */
  #done(result, opened, model) {
    const place = opened.device === "webgpu" ? "graphics processor" : "processor";
    const pace = result.tokens > 0 ? ` ${result.tokens} tokens in ${formatDuration(result.milliseconds)}.` : "";
    this.#text.textContent = result.text.trim();
    const again = element("button", { class: "button button-quiet", type: "button", "data-testid": "prose-again", onclick: () => this.#write() }, "Write it again");
    this.#put("done",
      element("p", { class: "fine-print" },
        `${result.stopped ? "Stopped. " : ""}Written by ${model.name} on this device’s ${place}.${pace} It can be wrong: hold it against the sources.`),
      again, deviceNote(opened));
    this.#options.say(result.stopped ? "The language model was stopped." : "The language model has finished writing.");
  }

  /** @param {unknown} error */
  #failed(error) {
    const reason = error instanceof Error ? error.message : String(error);
    const onCpu = this.#client.gpuFailed;
    this.#put("failed",
      element("p", { class: "problem", role: "alert", "data-testid": "prose-problem" }, ...withCode(`The language model could not write an answer. ${reason}`)),
      element("button", { class: "button button-quiet", type: "button", onclick: () => this.#write() },
        onCpu ? "Try on the processor (slower)" : "Try again"));
  }

  /**
   * @param {"idle" | "loading" | "writing" | "done" | "failed"} state
   * @param {...(Node | null)} nodes
   */
  #put(state, ...nodes) {
    // The button that was pressed goes away: its place in the tab order passes to the next one.
    const hadFocus = this.#state.contains(document.activeElement);
    this.root.dataset.state = state;
    this.#heading.hidden = state === "idle";
    this.#text.hidden = state === "idle" || state === "loading";
    this.#text.setAttribute("aria-busy", String(state === "writing"));
    this.#state.replaceChildren(...nodes.filter((node) => node !== null));
    if (hadFocus) this.#state.querySelector("button")?.focus({ preventScroll: true });
  }
}

/** @param {Opened} opened */
function deviceNote({ fallback }) {
  if (fallback === "none") return null;
  return element("p", { class: "fine-print", "data-testid": "prose-device-note" }, fallback === "gpu-failed"
    ? "The graphics processor could not be used, so the model runs on the processor. This is slower."
    : "This browser offers no graphics processor to the page, so the model runs on the processor. This is slower.");
}
