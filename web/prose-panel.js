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
import { Cancelled, ProseClient, TOKENS } from "./prose-client.js";
import { showProgress } from "./status-line.js";
import { formatBytes, formatDuration, formatProgress } from "./sizes.js";
import { element, focusedBeside, withCode } from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

/**
 * @typedef {object} PanelOptions
 * @property {(source: Source, highlight: Span | null) => void} onCitation  the visitor follows a citation
 * @property {() => boolean} removes  whether sentences that no passage says are left out
 * @property {(words: string) => void} say  speaks to those who listen to the page
 * @property {(message: string) => void} onNotice
 * @property {() => void} onRest  a text is on its way no more
 * @property {() => DeviceWish} wish  where the page has the model run
 * @property {() => URL | undefined} [site]  the site's folder, where it is another than the scripts'
 * @property {() => "short" | "long" | null} length  of a text, where the visitor wants another than usual
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
  /** What is at work on a text. @type {Promise<unknown> | null} */ #running = null;
  /** Counts the questions, so that the text for an old one is dropped. */
  #turn = 0;
  /** Counts the texts, so that what is found out about an earlier one is dropped. */
  #texts = 0;

  #heading = element("h2", { class: "section-label", id: "campanile-prose-heading" }, laterWords.prose.heading);
  #text = element("p", { class: "prose-text", "data-testid": "prose-text" });
  #state = element("div", { class: "prose-state" });

  /** @param {PanelOptions} options */
  constructor(options) {
    this.#options = options;
    this.#client = new ProseClient(options.wish, options.onNotice, options.site);
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

  /** Whether a text is on its way. */
  get isAtWork() {
    return this.#running !== null;
  }

  /**
   * The question in other words, where the model is in memory and has nothing else to do; else null.
   * @param {string} question
   * @returns {Promise<OtherWords | null>}
   */
  async reword(question) {
    if (!this.isFree) return null;
    const other = await this.#client.reword(question);
    // The model may have been lost on the way: then the button names its size again.
    if (!this.root.hidden && this.isFree) this.#idle();
    return this.isFree ? other : null;
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
        open ? laterWords.prose.write : laterWords.prose.writeAfter(formatBytes(model.bytes)),
      ),
      element(
        "p",
        { class: "fine-print" },
        open ? laterWords.prose.ready(model.name) : laterWords.prose.fetches(model.name),
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
      tokens: TOKENS[this.#options.length() ?? "usual"],
      onProgress: (loaded, total) => {
        if (!stale()) progress(loaded, total);
      },
      onOpen: (opened) => {
        last = opened;
        if (!stale()) activity = this.#writing(laterWords.prose.reading, opened);
        if (!stale() && draft.shown === "") this.#options.say(laterWords.prose.isReading(whereItRuns(opened)));
      },
      onToken: (text) => {
        draft.add(text);
        if (stale()) return;
        // Where sentences are left out, none is shown before it was looked at.
        const hides = this.#options.removes();
        if (activity)
          activity.textContent = hides
            ? laterWords.prose.writingWords(countWords(draft.shown))
            : laterWords.prose.writing;
        if (!hides) this.#text.textContent = draft.shown.trimStart();
      },
      onResume: (trouble, onProcessor) => {
        draft.beginAnew();
        if (stale()) return;
        const told = startingAgain(trouble, onProcessor);
        this.root.dataset.resumed = String(Number(this.root.dataset.resumed ?? 0) + 1);
        this.#writing(told, null);
        this.#options.say(`${told}.`);
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
      if (this.#running === running) {
        this.#running = null;
        this.#options.onRest();
      }
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
    const label = laterWords.prose.fetchesSize(model.name, formatBytes(model.bytes));
    const amount = element("span", { class: "status-amount" });
    const bar = element("progress", { class: "bar", "aria-label": label });
    const doing = element("span", {}, this.#client.isOpen ? laterWords.prose.readies : laterWords.prose.asksForProgram);
    const cancel = element(
      "button",
      { class: "link-button", type: "button", "data-testid": "prose-cancel", onclick: () => this.#client.cancel() },
      words.cancel,
    );
    this.#put("loading", element("div", { class: "prose-progress" }, doing, " ", amount, bar, cancel));
    return (loaded, total) => {
      const whole = total > 0 && loaded >= total;
      const fetched = total > 0 ? laterWords.prose.fetchesModel(model.name) : laterWords.prose.fetchesProgram;
      doing.textContent = whole ? laterWords.prose.modelReadies(model.name) : fetched;
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
    const activity = element("span", { "data-testid": "prose-activity" }, doing);
    const stop = element(
      "button",
      { class: "button button-quiet", type: "button", "data-testid": "prose-stop", onclick: () => this.#stop() },
      laterWords.prose.stop,
    );
    this.#put(
      "writing",
      element(
        "div",
        { class: "prose-progress" },
        element("span", { class: "pulse", "aria-hidden": "true" }),
        activity,
        stop,
      ),
      opened && deviceNote(opened),
    );
    return activity;
  }

  /**
   * @param {ProseResult} result
   * @param {Opened} opened
   * @param {ModelEntry} model
   */
  #done(result, opened, model) {
    const pace = result.tokens > 0 ? laterWords.prose.pace(result.tokens, formatDuration(result.milliseconds)) : "";
    this.#text.textContent = this.#options.removes() ? "" : result.text.trim();
    const again = element(
      "button",
      { class: "button button-quiet", type: "button", "data-testid": "prose-again", onclick: () => this.#write() },
      laterWords.prose.again,
    );
    this.#put(
      "done",
      element(
        "p",
        { class: "fine-print" },
        `${result.stopped ? laterWords.prose.stoppedBy(model.name) : laterWords.prose.by(model.name)}${pace}${laterWords.prose.beware}`,
      ),
      again,
      deviceNote(opened),
      this.#trace(),
    );
    this.#options.say(result.stopped ? laterWords.prose.wasStopped : laterWords.prose.hasFinished);
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
    const check = element("p", { class: "fine-print", "data-testid": "prose-check" }, laterWords.prose.checking);
    this.#state.prepend(check);
    const removes = this.#options.removes();
    try {
      const sentences = await asked.cite(prose);
      if (stale()) return;
      this.#text.replaceChildren(
        ...citedProse(prose, sentences, { sources: result.sources, removes, onCitation: this.#options.onCitation }),
      );
      this.#text.hidden = this.#text.textContent?.trim() === "";
      check.textContent = tally(sentences, removes);
      this.root.dataset.cited = "true";
    } catch (error) {
      if (stale()) return;
      this.root.dataset.cited = "false";
      const why = error instanceof Error ? error.message : String(error);
      check.textContent = removes ? laterWords.prose.uncheckedHidden(why) : laterWords.prose.unchecked(why);
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
        onCpu ? laterWords.prose.tryProcessor : words.tryAgain,
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
      element("summary", {}, laterWords.prose.device),
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
