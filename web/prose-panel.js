// @ts-check
/**
 * Prose by a language model, on an explicit click only. The size is named
 * before anything is fetched, the download can be cancelled, the text stopped,
 * and what comes out is marked as a model's writing.
 */

/** @import { DeviceWish } from "./messages.js" */
/** @import { AskResult, ModelEntry, Source, Span } from "./pkg/core/campanile_core.js" */
/** @import { OtherWords, ProseResult } from "./pkg/gpu/campanile_gpu.js" */
/** @import { Asked } from "./client.js" */
/** @import { Opened } from "./prose-client.js" */

import { WorkerFailure } from "./channel.js";
import { citedProse, tally } from "./cited-prose.js";
import { failureWords, startingAgain, whereItRuns } from "./device-words.js";
import { Cancelled, ProseClient } from "./prose-client.js";
import { showProgress } from "./status-line.js";
import { formatBytes, formatDuration, formatProgress } from "./sizes.js";
import { counted, element, focusedBeside, withCode } from "./text.js";

/**
 * @typedef {object} PanelOptions
 * @property {(source: Source, highlight: Span | null) => void} onCitation  the visitor follows a citation
 * @property {() => boolean} removes  whether sentences that no passage says are left out
 * @property {(words: string) => void} say  speaks to those who listen to the page
 * @property {(message: string) => void} onNotice
 * @property {() => DeviceWish} wish  where the page has the model run
 */

/** One text as it comes. */
class Draft {
  /** What stands on the page, or would. */
  shown = "";
  #written = "";

  /** @param {string} text */
  add(text) {
    this.#written += text;
    // A text that was begun anew stays hidden until it has caught up.
    if (this.#written.length >= this.shown.length) this.shown = this.#written;
  }

  beginAnew() {
    this.#written = "";
  }
}

export class ProsePanel {
  /** @type {PanelOptions} */ #options;
  /** @type {ProseClient} */ #client;
  /** @type {ModelEntry | null} */ #model = null;
  /** @type {AskResult | null} */ #result = null;
  /** The question whose answer that is. @type {Asked | null} */ #asked = null;
  /** @type {Promise<unknown> | null} */ #running = null;
  /** Counts the questions, so that the text for an old one is dropped. */
  #turn = 0;
  /** Counts the texts, so that what is found out about an earlier one is dropped. */
  #texts = 0;

  #heading = element("h2", { class: "section-label", id: "campanile-prose-heading" }, "Written by a language model");
  #text = element("p", { class: "prose-text", "data-testid": "prose-text" });
  #state = element("div", { class: "prose-state" });

  /** @param {PanelOptions} options */
  constructor(options) {
    this.#options = options;
    this.#client = new ProseClient(options.wish, options.onNotice);
    this.root = element(
      "section",
      {
        class: "prose",
        part: "prose",
        "aria-labelledby": "campanile-prose-heading",
        "data-testid": "prose",
        hidden: true,
      },
      this.#heading,
      this.#text,
      this.#state,
    );
  }

  /** @param {ModelEntry | null} model */
  set model(model) {
    this.#model = model;
  }

  /**
   * Offers prose for a result where that may help.
   * @param {AskResult | null} result
   * @param {Asked | null} asked  the question whose answer it is
   */
  offer(result, asked) {
    // The same question, only better sources: leave a text that stands or runs.
    if (result && result.question === this.#result?.question && this.root.dataset.state !== "idle") return;
    this.#abandon();
    this.#result = result;
    this.#asked = asked;
    const possible = this.#model && result?.takes_prose;
    this.root.hidden = !possible;
    if (possible) this.#idle();
  }

  /** Whether no text about the question stands or is on its way: its passages may still change. */
  get isFree() {
    return Boolean(this.root.hidden) || this.root.dataset.state === "idle";
  }

  /**
   * The question in other words, where the model is in memory and has nothing else to do; else null.
   * @param {string} question
   * @returns {Promise<OtherWords | null>}
   */
  async reword(question) {
    if (!this.isFree) return null;
    const words = await this.#client.reword(question);
    // The model may have been lost on the way: then the button names its size again.
    if (!this.root.hidden && this.isFree) this.#idle();
    return this.isFree ? words : null;
  }

  #abandon() {
    this.#turn += 1;
    if (this.root.dataset.state === "loading") this.#client.cancel();
    else this.#stop();
    this.#running = null;
    this.#text.textContent = "";
  }

  #idle() {
    const model = /** @type {ModelEntry} */ (this.#model);
    const open = this.#client.isOpen;
    this.#put(
      "idle",
      element(
        "button",
        { class: "button button-quiet", type: "button", "data-testid": "prose-start", onclick: () => this.#write() },
        `Write an answer with a language model (${open ? "" : `${formatBytes(model.bytes)}, `}runs on this device)`,
      ),
      element(
        "p",
        { class: "fine-print" },
        open
          ? `An experiment. ${model.name} is ready. It is told only the passages shown here, and it misses the point more often than they do.`
          : `An experiment. Fetches ${model.name} once and keeps it. It is told only the passages shown here, misses the point more often than they do, and nothing leaves this device.`,
      ),
    );
  }

  async #write() {
    const result = this.#result;
    const asked = this.#asked;
    const model = this.#model;
    if (!result || !asked || !model) return;
    const turn = this.#turn;
    this.#texts += 1;
    const text = this.#texts;
    const stale = () => turn !== this.#turn || text !== this.#texts;
    const draft = new Draft();
    this.#text.textContent = "";
    const needs = { bytes: model.bytes };
    /** @type {Opened | undefined} */
    let last;
    const progress = this.#loading(model);
    /** @type {HTMLElement | undefined} */
    let activity;
    const running = this.#client.write(needs, () => asked.prompt(), {
      onProgress: (loaded, total) => {
        if (!stale()) progress(loaded, total);
      },
      onOpen: (opened) => {
        last = opened;
        if (!stale()) activity = this.#writing("Reading the passages", opened);
        if (!stale() && draft.shown === "")
          this.#options.say(`The language model is reading the passages. ${whereItRuns(opened)}`);
      },
      onToken: (text) => {
        draft.add(text);
        if (stale()) return;
        // Where sentences are left out, none is shown before it was looked at.
        const hides = this.#options.removes();
        if (activity) activity.textContent = hides ? `Writing: ${counted(countWords(draft.shown), "word")}` : "Writing";
        if (!hides) this.#text.textContent = draft.shown.trimStart();
      },
      onResume: (trouble, onProcessor) => {
        draft.beginAnew();
        if (stale()) return;
        const words = startingAgain(trouble, onProcessor);
        this.root.dataset.resumed = String(Number(this.root.dataset.resumed ?? 0) + 1);
        this.#writing(words, null);
        this.#options.say(`${words}.`);
      },
    });
    this.#running = running;
    delete this.root.dataset.resumed;
    delete this.root.dataset.cited;
    try {
      const written = await running;
      if (!stale()) await this.#check(asked, result, written.result, written.opened, model, stale);
    } catch (error) {
      if (stale()) return;
      if (!(error instanceof Cancelled)) this.#failed(error);
      // Stopped so firmly that the worker had to go: what it wrote still stands.
      else if (last && draft.shown !== "")
        await this.#check(
          asked,
          result,
          { text: draft.shown, tokens: 0, milliseconds: 0, stopped: true },
          last,
          model,
          stale,
        );
      else this.#idle();
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  #stop() {
    if (this.#running) this.#client.stop(this.#running);
  }

  /**
   * Shows that the model is being fetched; what comes back takes the progress.
   * @param {ModelEntry} model
   * @returns {(loaded: number, total: number) => void}
   */
  #loading(model) {
    const label = `Downloading ${model.name}, ${formatBytes(model.bytes)}`;
    const amount = element("span", { class: "status-amount" });
    const bar = element("progress", { class: "bar", "aria-label": label });
    const words = element(
      "span",
      {},
      this.#client.isOpen ? "Getting ready" : "Asking for the program that runs the model",
    );
    const cancel = element(
      "button",
      { class: "link-button", type: "button", "data-testid": "prose-cancel", onclick: () => this.#client.cancel() },
      "Cancel",
    );
    this.#put("loading", element("div", { class: "prose-progress" }, words, " ", amount, bar, cancel));
    return (loaded, total) => {
      const whole = total > 0 && loaded >= total;
      const fetched = total > 0 ? `Downloading ${model.name}` : "Downloading the program that runs the model";
      words.textContent = whole ? `Getting ${model.name} ready` : fetched;
      amount.textContent = whole ? "" : formatProgress(loaded, total);
      showProgress(bar, whole ? 0 : loaded, whole ? 0 : total, label);
    };
  }

  /**
   * Shows that the model is at work; gives back the place of the words about it.
   * @param {string} doing
   * @param {Opened | null} opened  null while no device is at work
   */
  #writing(doing, opened) {
    const words = element("span", { "data-testid": "prose-activity" }, doing);
    const stop = element(
      "button",
      { class: "button button-quiet", type: "button", "data-testid": "prose-stop", onclick: () => this.#stop() },
      "Stop",
    );
    this.#put(
      "writing",
      element(
        "div",
        { class: "prose-progress" },
        element("span", { class: "pulse", "aria-hidden": "true" }),
        words,
        stop,
      ),
      opened && deviceNote(opened),
    );
    return words;
  }

  /**
   * @param {ProseResult} result
   * @param {Opened} opened
   * @param {ModelEntry} model
   */
  #done(result, opened, model) {
    const pace = result.tokens > 0 ? ` ${result.tokens} tokens in ${formatDuration(result.milliseconds)}.` : "";
    this.#text.textContent = this.#options.removes() ? "" : result.text.trim();
    const again = element(
      "button",
      { class: "button button-quiet", type: "button", "data-testid": "prose-again", onclick: () => this.#write() },
      "Write it again",
    );
    this.#put(
      "done",
      element(
        "p",
        { class: "fine-print" },
        `${result.stopped ? "Stopped. " : ""}Written by ${model.name} on this device.${pace} It can be wrong: hold it against the sources.`,
      ),
      again,
      deviceNote(opened),
      this.#trace(),
    );
    this.#options.say(result.stopped ? "The language model was stopped." : "The language model has finished writing.");
  }

  /**
   * Says that a text is written, and shows of it what the sources say.
   * @param {Asked} asked
   * @param {AskResult} result  its answer
   * @param {ProseResult} written
   * @param {Opened} opened
   * @param {ModelEntry} model
   * @param {() => boolean} stale
   */
  async #check(asked, result, written, opened, model, stale) {
    this.#done(written, opened, model);
    await this.#cite(asked, result, written.text.trim(), stale);
  }

  /**
   * Puts a citation behind each sentence that a source says; the others are left out, or marked.
   * @param {Asked} asked
   * @param {AskResult} result  its answer
   * @param {string} prose
   * @param {() => boolean} stale
   */
  async #cite(asked, result, prose, stale) {
    if (prose === "") return;
    const words = element(
      "p",
      { class: "fine-print", "data-testid": "prose-check" },
      "Holding each sentence against the sources…",
    );
    this.#state.prepend(words);
    const removes = this.#options.removes();
    try {
      const sentences = await asked.cite(prose);
      if (stale()) return;
      this.#text.replaceChildren(
        ...citedProse(prose, sentences, { sources: result.sources, removes, onCitation: this.#options.onCitation }),
      );
      this.#text.hidden = this.#text.textContent?.trim() === "";
      words.textContent = tally(sentences, removes);
      this.root.dataset.cited = "true";
    } catch (error) {
      if (stale()) return;
      this.root.dataset.cited = "false";
      const why = error instanceof Error ? error.message : String(error);
      words.textContent = `The sentences could not be held against the sources${removes ? ", so none is shown" : ""}. ${why}`;
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    const trouble = error instanceof WorkerFailure ? error.trouble : undefined;
    const onCpu = this.#client.gpuFailed;
    this.#put(
      "failed",
      element(
        "p",
        { class: "problem", role: "alert", "data-testid": "prose-problem" },
        ...withCode(failureWords(error, trouble)),
      ),
      element(
        "button",
        { class: "button button-quiet", type: "button", "data-testid": "prose-retry", onclick: () => this.#write() },
        onCpu ? "Try on the processor (slower)" : "Try again",
      ),
      this.#trace(),
    );
  }

  /** What engineers ask first when a visitor tells of trouble. */
  #trace() {
    const { trace } = this.#client;
    if (trace.length === 0) return null;
    return element(
      "details",
      { class: "fine-print prose-trace", "data-testid": "prose-trace" },
      element("summary", {}, "What this device can do"),
      element("ul", {}, ...trace.map((line) => element("li", {}, line))),
    );
  }

  /**
   * @param {"idle" | "loading" | "writing" | "done" | "failed"} state
   * @param {...(Node | null)} nodes
   */
  #put(state, ...nodes) {
    // The button that was pressed goes away: its place in the tab order passes to the next one.
    const hadFocus = this.#state.contains(focusedBeside(this.#state));
    this.root.dataset.state = state;
    this.#heading.hidden = state === "idle";
    this.#text.hidden = state === "idle" || state === "loading";
    this.#text.setAttribute("aria-busy", String(state === "writing"));
    this.#state.replaceChildren(...nodes.filter((node) => node !== null));
    if (hadFocus) this.#state.querySelector("button")?.focus({ preventScroll: true });
  }
}

/** @param {Opened} opened */
const deviceNote = (opened) =>
  element("p", { class: "fine-print", "data-testid": "prose-device-note" }, whereItRuns(opened));

/** @param {string} text */
const countWords = (text) => text.split(/\s+/).filter((word) => word !== "").length;
