// @ts-check
/**
 * `<campanile-ask>`: a question box with cited answers from the site that this
 * module is served with. Put it on any page of the same origin:
 *
 *     <script type="module" src="campanile/campanile-ask.js"></script>
 *     <campanile-ask></campanile-ask>
 *
 * Attribute `device`: where the language model may run. "auto" (the default) is
 * WebGPU where it serves, else the processor; "cpu" is the processor alone;
 * "software" also takes a WebGPU adapter that computes in software, for tests.
 *
 * It sets: `data-stage` ("keywords" while passages are there and no answer, "lexical", "instant" or "hybrid") and `data-kind` ("direct", "section", "possible_section", "qualified"
 * or "refusal") tell of the result that is shown, `data-read` whether its passages were read for the words that
 * answer, `data-reader` ("there" or "absent") whether this site can do that, `data-state` of the element
 * ("opening", "ready", "asking", "answered", "failed"), `data-offline="ready"`
 * that the whole index is kept on the device, `data-reading` ("processor" or "gpu") where passages are read, once that
 * is known.
 *
 * Events, all bubbling: `campanile-open` (detail: the site's manifest),
 * `campanile-loaded` (the program that answers is there),
 * `campanile-ask` (detail: the question, as it is asked by the reader),
 * `campanile-answer` (detail: the result; fired again when it gets better).
 */

/** @import { PassageReader } from "./passage-reader.js" */
/** @import { ProfileForm } from "./profile-form.js" */
/** @import { ProsePanel } from "./prose-panel.js" */
/** @import { Narrowing } from "./profile.js" */
/** @import { Passages, ReadingClient } from "./reading-client.js" */
/** @typedef {{ form: ProfileForm, prose: ProsePanel }} Extras */
/** @import { AskResult, Asker, DeviceWish, OtherWords, Profile, SiteManifest, Source, TextRange } from "./messages.js" */

import { AnswerView } from "./answer-view.js";
import { CoreClient } from "./client.js";
import { NotesView } from "./notes-view.js";
import { askerOf, isSilent, narrowed, profileKey, profileOf, today } from "./profile.js";
import { SourcesView } from "./sources-view.js";
import { StatusLine } from "./status-line.js";
import { SITE } from "./store.js";
import { formatBytes, formatDuration } from "./sizes.js";
import { contentLanguage, counted, element, withCode } from "./text.js";

/** Work shorter than this needs no word about it. */
const QUIET_MILLISECONDS = 350;

/** An index up to this size is kept for offline use without asking. */
const KEEP_BYTES = 25_000_000;

const QUESTION_UNITS = 500;

/** So many earlier questions are remembered for those that point back at them. */
const TURNS = 5;

/** @param {string | null} attribute @returns {DeviceWish} */
const wishOf = (attribute) => (attribute === "cpu" || attribute === "software" ? attribute : "auto");

/** Whether the reader has asked the browser to spare data. */
const sparesData = () => /** @type {any} */ (navigator).connection?.saveData === true;

/** @param {unknown} error */
const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

export class CampanileAsk extends HTMLElement {
  /** @type {SiteManifest | null} */ #manifest = null;
  /** @type {AskResult | null} */ #result = null;
  /** Who asks, as this device knows. @type {Profile} */ #profile = keptProfile();
  /** Of whom the answer that is shown, or on its way, is. @type {Asker} */ #asker = askerOf();
  /** @type {"absent" | "waiting" | "loading" | "ready" | "failed"} */ #encoder = "waiting";
  /** @type {"waiting" | "loading" | "ready" | "failed"} */ #instant = "waiting";
  /** What finds the words that answer. @type {"waiting" | "loading" | "ready" | "failed"} */ #spans = "waiting";
  /** Questions in other words, as the language model put them. @type {Map<string, OtherWords>} */ #words = new Map();
  /** Whether the program that answers is there. */ #loaded = false;
  #keeping = false;
  #opening = false;
  #built = false;
  /** The last questions that were answered, as they were searched: for those that point back. In this tab only. @type {string[]} */ #turns =
    [];
  /** How questions that point back were understood, by the words that were typed. @type {Map<string, string>} */ #understood =
    new Map();
  /** What the reader has chosen for this question, and no other. @type {Narrowing | null} */ #narrowing = null;
  /** The words that were typed for what is shown, or on its way. */ #typed = "";
  /** Counts the questions, so that a late answer to an old one is dropped. */
  #turn = 0;

  #client = new CoreClient({
    onNotice: (message) => this.#status.set("room", { text: message, tone: "problem" }),
    onRestart: () => this.#afterRestart(),
  });
  #status = new StatusLine();
  #answer = new AnswerView((number) => this.#sources.goTo(number));
  #sources = new SourcesView((source) => this.#read(source));
  #notes = new NotesView(
    (everyone) => this.#askAgain(everyone),
    () => this.#askAsTyped(),
    (narrowing) => this.ask(this.#typed, false, narrowing),
  );
  /** What a first answer does not need comes behind the program that gives it. @type {Extras | null} */ #extras = null;
  /** @type {Promise<PassageReader> | undefined} */ #reader;
  /** Reads passages on the graphics processor, where that is faster. @type {ReadingClient | undefined} */ #gpuReading;
  #measuring = false;
  #readingLines = element("ul");

  #input = element("input", {
    id: "campanile-question",
    class: "ask-input",
    type: "search",
    name: "q",
    maxlength: QUESTION_UNITS,
    autocomplete: "off",
    enterkeyhint: "search",
    required: true,
    placeholder: "Ask in your own words",
    oninput: () => this.#wantEncoder(),
  });
  #examples = element("section", { class: "examples", "aria-labelledby": "campanile-examples-heading", hidden: true });
  #problem = element("div", { class: "problem-box", role: "alert", "data-testid": "problem", hidden: true });
  /** Where what comes later goes. */
  #places = { form: element("div"), prose: element("div"), reading: element("div") };
  #results = element("div", { class: "results", "data-testid": "results", hidden: true });

  connectedCallback() {
    if (!this.#built) this.#build();
    this.#built = true;
    addEventListener("online", this.#network);
    addEventListener("offline", this.#network);
    this.#network();
    if (!this.#manifest) this.#open();
  }

  disconnectedCallback() {
    removeEventListener("online", this.#network);
    removeEventListener("offline", this.#network);
  }

  /** The question in the box. */
  get question() {
    return this.#input.value;
  }

  /** Puts the caret into the question box. @override @param {FocusOptions} [options] */
  focus(options) {
    this.#input.focus(options);
    this.#input.select();
  }

  /** Goes back to the beginning. */
  reset() {
    this.#turn += 1;
    this.#result = null;
    this.#turns = [];
    this.#understood.clear();
    this.#input.value = "";
    this.#results.hidden = true;
    this.#problem.hidden = true;
    this.#status.set("search", null);
    this.#status.set("notice", null);
    this.#status.set("words", null);
    this.#extras?.prose.offer(null);
    this.#examples.hidden = !this.#manifest?.examples.length;
    delete this.dataset.stage;
    delete this.dataset.kind;
    delete this.dataset.read;
    this.dataset.state = this.#manifest ? "ready" : "opening";
  }

  /**
   * Asks a question as if it had been typed.
   * @param {string} question
   * @param {boolean} [everyone]  search also what is for others
   * @param {Narrowing | null} [narrowing]  what is meant, for this question alone
   */
  async ask(question, everyone = false, narrowing = null) {
    const typed = question.trim().slice(0, QUESTION_UNITS);
    if (typed === "") return this.reset();
    const asked = this.#understood.get(typed) ?? typed;
    const turn = ++this.#turn;
    this.#typed = typed;
    this.#narrowing = narrowing;
    this.#asker = askerOf(narrowed(this.#profile, narrowing), everyone);
    this.#input.value = typed;
    this.#examples.hidden = true;
    this.#problem.hidden = true;
    this.dataset.state = "asking";
    this.#answer.busy = true;
    if (this.#manifest) this.#wantEncoder();
    else this.#open();
    const patience = setTimeout(() => this.#status.set("search", { text: "Searching …" }), QUIET_MILLISECONDS);
    this.#preview(asked, turn);
    try {
      const words = this.#words.get(asked);
      const found = await this.#client.ask(asked, this.#asker, words);
      if (turn === this.#turn && this.#isReadable(found)) this.#expect(found);
      const result = turn === this.#turn ? await this.#readClosely(found, words) : found;
      if (turn === this.#turn) this.#show(result);
    } catch (error) {
      if (turn === this.#turn)
        this.#fail("This question could not be answered.", error, () => {
          if (!this.#manifest) this.#client.restart();
          this.ask(typed, everyone, narrowing);
        });
    } finally {
      clearTimeout(patience);
      if (turn === this.#turn) this.#answer.busy = false;
    }
    this.#improve();
    this.#reword();
  }

  /**
   * Shows passages that have the question's words while the program that answers is still on its way. Who has
   * told who they are waits for the passages that are for them.
   * @param {string} question
   * @param {number} turn
   */
  async #preview(question, turn) {
    if (this.#loaded || !isSilent(this.#profile)) return;
    const sources = await this.#client.find(question, today()).catch(() => null);
    if (!sources?.length || turn !== this.#turn || this.dataset.state !== "asking") return;
    const language = contentLanguage(this.#manifest?.language ?? "none");
    this.#answer.expect(
      question,
      "Passages with words of the question are here already. The program that looks for the answer in them is on its way.",
    );
    this.#sources.preview("Passages found by keywords", sources, language);
    this.#results.hidden = false;
    this.#results.classList.remove("results-alone");
    this.dataset.stage = "keywords";
  }

  #build() {
    const form = element(
      "form",
      { class: "ask-form", role: "search", onsubmit: (/** @type {SubmitEvent} */ event) => this.#submit(event) },
      element("label", { class: "ask-label", for: "campanile-question" }, "Your question"),
      element(
        "div",
        { class: "ask-box" },
        this.#input,
        element("kbd", { class: "ask-key", "aria-hidden": "true" }, "/"),
        element("button", { class: "ask-button", type: "submit" }, "Ask"),
      ),
    );
    this.#results.append(
      element(
        "div",
        { class: "results-main" },
        this.#answer.root,
        this.#notes.root,
        this.#places.prose,
        this.#places.reading,
      ),
      this.#sources.root,
    );
    this.replaceChildren(form, this.#places.form, ...this.#status.nodes, this.#problem, this.#examples, this.#results);
    this.dataset.state = "opening";
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const question = this.#input.value.trim();
    if (question === "") return;
    // The keyboard of a phone would cover the answer.
    if (matchMedia("(pointer: coarse)").matches) this.#input.blur();
    this.#askAsReader(question);
  }

  /** Asks as the reader does: what points back at an earlier question is completed first. @param {string} question */
  async #askAsReader(question) {
    this.#emit("campanile-ask", question);
    const typed = question.trim().slice(0, QUESTION_UNITS);
    if (this.#turns.length > 0) {
      const turn = ++this.#turn;
      this.dataset.state = "asking";
      this.#answer.busy = true;
      // One that stands alone stays as it is, and so does every one where this fails.
      const whole = await this.#client.followUp(typed, this.#turns).catch(() => null);
      if (turn !== this.#turn) return;
      if (whole) this.#understood.set(typed, whole);
      else this.#understood.delete(typed);
    }
    this.ask(typed);
  }

  /** Asks what was typed last once more, word for word. */
  #askAsTyped() {
    this.#understood.delete(this.#typed);
    this.ask(this.#typed);
  }

  async #open() {
    if (this.#opening) return;
    this.#opening = true;
    const started = performance.now();
    try {
      this.#manifest = await this.#client.manifest((loaded, total) => {
        if (performance.now() - started < QUIET_MILLISECONDS) return;
        this.#status.set("search", { text: "Opening the index", progress: { loaded, total } });
      });
    } catch (error) {
      return this.#fail("This site’s index could not be opened.", error, () => {
        this.#client.restart();
        this.#problem.hidden = true;
        this.#open();
      });
    } finally {
      this.#opening = false;
      if (this.#result === null) this.#status.set("search", null);
    }
    const manifest = this.#manifest;
    if (!manifest.encoder) this.#encoder = "absent";
    this.dataset.reader = manifest.reader ? "there" : "absent";
    this.#showExamples(manifest);
    this.#complete(manifest).catch((error) => {
      this.#status.set("notice", {
        text: `Part of this page could not be loaded. ${wordsOf(error)} Reload it to try again.`,
        tone: "problem",
      });
    });
    if (this.dataset.state === "opening" || this.dataset.state === "failed") this.dataset.state = "ready";
    this.#emit("campanile-open", manifest);
    // A question may have been asked while the index was being opened.
    if (this.#turn > 0) this.#wantEncoder();
  }

  /** Brings what a first answer does not need: a form about the reader, prose. @param {SiteManifest} manifest */
  async #complete({ language, prose: model }) {
    // The form is a help: where it cannot be had, questions are asked without it.
    const choices = await this.#client.choices().catch(() => null);
    this.#loaded = true;
    this.#emit("campanile-loaded", null);
    const [{ ProfileForm }, { ProsePanel }] = await Promise.all([
      import("./profile-form.js"),
      import("./prose-panel.js"),
    ]);
    const form = new ProfileForm((profile) => this.#tell(profile));
    const prose = new ProsePanel({
      prompt: (question) =>
        this.#client.prosePrompt(
          question,
          this.#asker,
          isReworded(this.#result) ? this.#words.get(question) : undefined,
        ),
      cite: (question, text) =>
        this.#client.cite(
          question,
          this.#asker,
          isReworded(this.#result) ? this.#words.get(question) : undefined,
          text,
        ),
      onCitation: (source, highlight) => this.#read(source, highlight),
      removes: () => this.#manifest?.unsupported === "remove",
      wish: () => wishOf(this.getAttribute("device")),
      say: (words) => this.#status.say(words),
      onNotice: (message) => this.#status.set("room", { text: message, tone: "problem" }),
    });
    this.#extras = { form, prose };
    this.#places.form.replaceWith(form.root);
    this.#places.prose.replaceWith(prose.root);
    if (choices) form.offer(choices, this.#profile, contentLanguage(language));
    prose.model = model;
    prose.offer(this.#result);
  }

  /** The reader has told who they are, or taken it back. @param {Profile} profile */
  #tell(profile) {
    this.#profile = profile;
    keepProfile(profile);
    this.#status.say(isSilent(profile) ? "Searching for everybody." : "Searching for you.");
    this.#askAgain(false);
  }

  /** Asks what was asked last once more, for another circle of readers. @param {boolean} everyone */
  #askAgain(everyone) {
    if (this.#result) this.ask(this.#typed, everyone);
  }

  /** @param {SiteManifest} manifest */
  #showExamples({ examples, language }) {
    const lang = contentLanguage(language);
    this.#examples.replaceChildren(
      element("h2", { id: "campanile-examples-heading", class: "section-label" }, "Questions to start from"),
      element(
        "ul",
        { class: "example-list" },
        ...examples.map((question) =>
          element(
            "li",
            {},
            element(
              "button",
              { class: "example", type: "button", lang, onclick: () => this.#askAsReader(question) },
              question,
            ),
          ),
        ),
      ),
    );
    this.#examples.hidden = examples.length === 0 || this.#turn > 0;
  }

  /** @param {AskResult} result */
  #show(result) {
    const language = contentLanguage(this.#manifest?.language ?? "none");
    const better = this.#result?.question === result.question;
    const reworded = better && isReworded(result) && !isReworded(this.#result);
    this.#result = result;
    this.#answer.show(result, language, this.#manifest);
    this.#sources.show(result, language);
    this.#notes.show(result, this.#asker.everyone, { typed: this.#typed, narrowing: this.#narrowing });
    if (!better) this.#turns = [...this.#turns, result.question].slice(-TURNS);
    this.#extras?.prose.offer(result);
    this.#results.hidden = false;
    this.#results.classList.toggle("results-alone", result.sources.length === 0);
    this.dataset.stage = result.stage;
    this.dataset.kind = result.answer.kind;
    this.dataset.read = String(result.read ?? false);
    this.dataset.state = "answered";
    this.#status.set("search", { text: this.#describe(result) });
    this.#status.set("notice", problemsOf(result));
    // What is said of other words stands in the notes, which speak for themselves.
    this.#status.say(reworded ? "" : announce(result, better));
    this.#emit("campanile-answer", result);
    if (result.stage === "hybrid" || this.#encoder !== "loading") this.#keepIndex();
    if (result.read) this.#considerReading();
  }

  /** @param {AskResult} result */
  #describe(result) {
    const { stage, timings_ms: timings } = result;
    const passages = this.#manifest ? counted(this.#manifest.counts.chunks, "passage") : "the passages";
    const spent = timings["total"] ?? Object.values(timings).reduce((sum, part) => sum + part, 0);
    const words = {
      lexical: `Keyword results from ${passages}`,
      instant: `Searched ${passages} by keywords and, roughly, by meaning`,
      hybrid: `Searched ${passages} by keywords and meaning`,
    };
    return `${words[stage]}${isReworded(result) ? ", in other words too," : ""} in ${formatDuration(spent)}`;
  }

  /** Asks the question again, quietly, once more can be made of it than what is shown. @returns {Promise<void>} */
  async #improve() {
    const shown = this.#result;
    const better = this.#encoder === "ready" ? "hybrid" : this.#instant === "ready" ? "instant" : "lexical";
    if (!shown || this.dataset.state !== "answered") return;
    const found = shown.stage === better || shown.stage === "hybrid";
    if (found && !(this.#spans === "ready" && !shown.read)) return;
    const turn = this.#turn;
    const words = this.#words.get(shown.question);
    try {
      const result = await this.#readClosely(await this.#client.ask(shown.question, this.#asker, words), words);
      // Meanwhile the question may have been put in other words: what comes of them is better still.
      if (turn === this.#turn && words !== this.#words.get(shown.question)) return this.#improve();
      // Meanwhile the reading model may have come, and its answer before this one.
      if (turn === this.#turn && !this.#isSurpassed(result)) this.#show(result);
    } catch (error) {
      if (turn === this.#turn) this.#encoderFailed(error);
    }
  }

  /** Whether the passages of a result can be read for the words that answer. @param {AskResult} result */
  #isReadable(result) {
    return this.#spans === "ready" && result.stage === "hybrid" && !result.read && result.sources.length > 0;
  }

  /** Shows the passages while they are being read. @param {AskResult} result */
  #expect(result) {
    this.#answer.expect(result.question, "The passages are here. They are being read for the words that answer.");
    this.#sources.preview("Passages", result.sources, contentLanguage(this.#manifest?.language ?? "none"));
    this.#results.hidden = false;
    this.#results.classList.remove("results-alone");
  }

  /**
   * A result once its passages have been read; as it is where nothing can read them.
   * @param {AskResult} result
   * @param {OtherWords} [words]  with which it was found
   * @returns {Promise<AskResult>}
   */
  async #readClosely(result, words) {
    if (!this.#isReadable(result)) return result;
    try {
      return (
        (await this.#gpuReading?.read(this.#passagesOf(result.question, words))) ??
        (await this.#client.read(result.question, this.#asker, words)) ??
        result
      );
    } catch (error) {
      this.#spansFailed(error);
      return result;
    }
  }

  /** The passages of a question, for a reader elsewhere. @param {string} question @param {OtherWords} [words] @returns {Passages} */
  #passagesOf(question, words) {
    const asker = this.#asker;
    return {
      take: () => this.#client.toRead(question, asker, words),
      answer: (numbers) => this.#client.readWith(question, asker, words, numbers),
      onProcessor: () => this.#client.read(question, asker, words),
    };
  }

  /** An answer stands that was read: where might the next be read? The index goes first while it is being kept. */
  #considerReading() {
    // Where nothing is kept, the models would have to be fetched a second time.
    if (!this.#manifest?.reader || !("caches" in globalThis)) return;
    if (this.#keeping && this.dataset.offline !== "ready") return;
    if (sparesData() && !this.#gpuReading)
      this.#tellReading(["WebGPU is not tried, to spare your data.", "The processor reads."]);
    else this.#measureReading();
  }

  /** Once an answer stands that the processor has read, and the index is kept: is the graphics processor faster? */
  async #measureReading() {
    const [result, manifest] = [this.#result, this.#manifest];
    if (!result?.read || !manifest?.reader || this.#measuring || sparesData() || this.dataset.state !== "answered")
      return;
    // A language model at work would spoil the figures.
    if (this.#extras?.prose.isFree === false) return;
    this.#measuring = true;
    try {
      const { ReadingClient } = await import("./reading-client.js");
      this.#gpuReading = new ReadingClient(
        () => wishOf(this.getAttribute("device")),
        () => this.#tellReading(),
      );
      await this.#gpuReading.measure(result, this.#passagesAgain(result));
    } catch {
      // The part that would measure could not be loaded: the processor reads, as it did.
      this.#measuring = false;
    }
    if (this.#gpuReading?.disagrees && result === this.#result && this.dataset.state === "answered") {
      // The program that answers still has the other answer, and prose is written from that.
      await this.#passagesAgain(result)
        .onProcessor()
        .catch(() => null);
    }
  }

  /** The passages of a result that stands. @param {AskResult} result */
  #passagesAgain(result) {
    return this.#passagesOf(result.question, isReworded(result) ? this.#words.get(result.question) : undefined);
  }

  /** How passages are read, for who wants to know. */
  #tellReading(lines = this.#gpuReading?.lines ?? []) {
    this.#readingLines.replaceChildren(...lines.map((line) => element("li", {}, line)));
    // What stands stays: the reader may have it open, and the focus in it.
    if (!this.#readingLines.parentNode) {
      this.#places.reading.replaceChildren(
        element(
          "details",
          { class: "fine-print reading-trace", "data-testid": "reading-trace" },
          element("summary", {}, "How passages are read"),
          this.#readingLines,
        ),
      );
    }
    this.dataset.reading = this.#gpuReading?.isUsed ? "gpu" : "processor";
  }

  /** Whether what is shown was found with more than this. @param {AskResult} result */
  #isSurpassed(result) {
    const shown = this.#result;
    return shown?.stage === "hybrid" && (result.stage !== "hybrid" || Boolean(shown.read && !result.read));
  }

  /**
   * Asks the question once more in other words too, where the language model is in memory and the site
   * wants it: it is never fetched for this.
   */
  async #reword() {
    const shown = this.#result;
    if (!shown || this.dataset.state !== "answered" || this.#words.has(shown.question)) return;
    const turn = this.#turn;
    const isMeant = () => turn === this.#turn && (this.#extras?.prose.isFree ?? false);
    const patience = setTimeout(() => {
      if (isMeant()) this.#status.set("words", { text: "Putting the question in other words …" });
    }, QUIET_MILLISECONDS);
    const words = await this.#extras?.prose.reword(shown.question);
    clearTimeout(patience);
    if (turn === this.#turn) this.#status.set("words", null);
    if (!words) return;
    this.#words.set(shown.question, words);
    if (!isMeant() || (words.phrasings.length === 0 && !words.passage)) return;
    try {
      const result = await this.#readClosely(await this.#client.ask(shown.question, this.#asker, words), words);
      // Meanwhile the reading model may have come, and its answer with these words before this one.
      if (isMeant() && !this.#isSurpassed(result)) this.#show(result);
    } catch {
      // The answer that stands was found without: nothing is lost.
    }
  }

  /** The reader means to ask: time to fetch the reading model, unless data is to be spared. */
  #wantEncoder() {
    const encoder = this.#manifest?.encoder;
    if (!encoder || this.#encoder !== "waiting") return;
    if (!sparesData()) {
      this.#loadEncoder();
      return;
    }
    this.#loadInstant();
    this.#status.set("encoder", {
      text: this.#manifest?.instant
        ? "Meaning only roughly, to spare your data."
        : "Keywords only, to spare your data.",
      action: { label: `Fetch the reading model, ${formatBytes(encoder.bytes)}`, onclick: () => this.#loadEncoder() },
    });
  }

  /**
   * Fetches what finds by meaning, roughly, until the reading model is there: some hundred
   * kilobytes, against its many megabytes. Without it the page goes on with keywords.
   */
  async #loadInstant() {
    if (!this.#manifest?.instant || this.#instant !== "waiting") return;
    this.#instant = "loading";
    try {
      await this.#client.loadInstant();
      this.#instant = "ready";
      this.#improve();
    } catch (error) {
      this.#instant = "failed";
      this.#status.set("instant", {
        text: `Keywords only until the reading model is there. ${wordsOf(error)}`,
        tone: "problem",
      });
    }
  }

  async #loadEncoder() {
    const encoder = this.#manifest?.encoder;
    if (!encoder || this.#encoder === "loading") return;
    this.#encoder = "loading";
    await this.#loadInstant();
    const started = performance.now();
    try {
      await this.#client.loadEncoder((loaded, total) => this.#showEncoder(started, loaded, total || encoder.bytes));
      this.#encoder = "ready";
      this.#status.set("encoder", null);
      this.#status.set("instant", null);
      this.#improve();
    } catch (error) {
      this.#encoderFailed(error);
      return;
    }
    this.#loadSpanReader();
  }

  /** Fetches what finds the words that answer, a few megabytes. Without it the page goes on with whole sentences. */
  async #loadSpanReader() {
    if (!this.#manifest?.reader || this.#spans === "loading" || this.#spans === "ready") return;
    this.#spans = "loading";
    try {
      await this.#client.loadSpanReader();
      this.#spans = "ready";
      this.#status.set("spans", null);
      this.#improve();
    } catch (error) {
      this.#spansFailed(error);
    }
  }

  /** @param {unknown} error */
  #spansFailed(error) {
    this.#spans = "failed";
    this.#status.set("spans", {
      text: `Answers are whole sentences: what finds the words in them is not there. ${wordsOf(error)}`,
      tone: "problem",
      action: {
        label: "Try again",
        onclick: () => {
          this.#loadSpanReader();
        },
      },
    });
  }

  /** @param {number} started @param {number} loaded @param {number} total */
  #showEncoder(started, loaded, total) {
    // A kept model is there in a moment: a line that only flashes says nothing.
    if (this.#encoder !== "loading" || performance.now() - started < QUIET_MILLISECONDS) return;
    const whole = total > 0 && loaded >= total;
    this.#status.set("encoder", {
      text: whole ? "Getting the reading model ready" : "Reading model arriving",
      progress: whole ? { loaded: 0, total: 0 } : { loaded, total },
    });
  }

  /** @param {unknown} error */
  #encoderFailed(error) {
    this.#encoder = "failed";
    this.#status.set("encoder", {
      text: `${this.#instant === "ready" ? "Meaning only roughly" : "Keywords only"}: the reading model is not there. ${wordsOf(error)}`,
      tone: "problem",
      action: {
        label: "Try again",
        onclick: () => {
          this.#loadEncoder();
        },
      },
    });
    if (this.#result) this.#keepIndex();
  }

  /** A new worker knows nothing of the model that the old one had. */
  #afterRestart() {
    if (this.#instant === "ready") this.#instant = "waiting";
    if (this.#spans === "ready") this.#spans = "waiting";
    // While it is still loading, the channel asks the new worker for it again.
    if (this.#encoder !== "ready") return;
    this.#encoder = "waiting";
    this.#wantEncoder();
  }

  /** Keeps the whole index, so that other questions can be asked without a network. */
  #keepIndex() {
    const manifest = this.#manifest;
    if (!manifest || this.#keeping || !("caches" in globalThis)) return;
    const bytes = manifest.index?.bytes ?? 0;
    if (!sparesData() && bytes <= KEEP_BYTES) {
      this.#prefetch();
      return;
    }
    this.#status.set("keeping", {
      text: "To ask without a network, keep the whole index on this device.",
      action: { label: bytes > 0 ? `Keep it, ${formatBytes(bytes)}` : "Keep it", onclick: () => this.#prefetch() },
    });
  }

  async #prefetch() {
    this.#keeping = true;
    const started = performance.now();
    try {
      await this.#client.prefetch((loaded, total) => {
        if (performance.now() - started < QUIET_MILLISECONDS) return;
        this.#status.set("keeping", {
          text: "Keeping the index for use without a network",
          progress: { loaded, total },
        });
      });
      this.#status.set("keeping", null);
      // Nothing of it is fetched any more once the page is said to work without a network.
      await this.#measureReading();
      this.dataset.offline = "ready";
    } catch (error) {
      this.#keeping = false;
      this.#status.set(
        "keeping",
        navigator.onLine
          ? {
              text: `Not all of the index could be kept for use without a network. ${wordsOf(error)}`,
              action: { label: "Try again", onclick: () => this.#prefetch() },
            }
          : null,
      );
    }
  }

  #network = () => {
    this.#status.set(
      "network",
      navigator.onLine ? null : { text: "No network: answers come from what this device has kept." },
    );
    if (!navigator.onLine) return;
    if (this.#encoder === "failed") this.#loadEncoder();
    else if (this.#spans === "failed") this.#loadSpanReader();
    else if (this.dataset.state === "answered") this.#keepIndex();
  };

  /**
   * Opens the document that a source stands in.
   * @param {Source} source
   * @param {TextRange | null} [wanted]  what to mark of it, rather than what the answer quotes
   */
  async #read(source, wanted) {
    const answer = this.#result?.answer;
    const highlight = wanted ?? (answer?.source === source.number ? answer.highlight : null) ?? source.mark ?? null;
    this.#reader ??= this.#openReader();
    try {
      (await this.#reader).open(source, highlight, contentLanguage(this.#manifest?.language ?? "none"));
    } catch (error) {
      this.#reader = undefined;
      this.#status.set("notice", { text: `The document could not be opened. ${wordsOf(error)}`, tone: "problem" });
    }
  }

  async #openReader() {
    const { PassageReader } = await import("./passage-reader.js");
    const reader = new PassageReader({
      fetch: (chunk) => this.#client.document(chunk),
      onClose: (chunk) => this.#sources.returnTo(chunk),
    });
    this.append(reader.root);
    return reader;
  }

  /** @param {string} what @param {unknown} error @param {() => void} retry */
  #fail(what, error, retry) {
    this.dataset.state = "failed";
    // Passages that are there already are worth more than nothing.
    this.#results.hidden = this.dataset.stage !== "keywords";
    this.#status.set("search", null);
    this.#problem.replaceChildren(
      element("h2", { class: "problem-heading" }, what),
      element("p", {}, ...withCode(wordsOf(error))),
      element("button", { class: "button", type: "button", onclick: retry }, "Try again"),
    );
    this.#problem.hidden = false;
  }

  /** @param {string} name @param {unknown} detail */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

/** What this device has kept; nothing where it keeps nothing. @returns {Profile} */
function keptProfile() {
  try {
    return profileOf(JSON.parse(localStorage.getItem(profileKey(SITE)) ?? "null"));
  } catch {
    return {};
  }
}

/** @param {Profile} profile */
function keepProfile(profile) {
  try {
    if (Object.keys(profile).length === 0) localStorage.removeItem(profileKey(SITE));
    else localStorage.setItem(profileKey(SITE), JSON.stringify(profile));
  } catch {
    // A private window keeps nothing: the profile holds until the page is closed.
  }
}

/** Parts of the site that the search had to do without. @param {AskResult} result */
function problemsOf({ problems = [] }) {
  if (problems.length === 0) return null;
  return {
    tone: /** @type {const} */ ("problem"),
    text: `Part of this site could not be used, so something may be missing here. ${problems.join(" ")}`,
  };
}

/** Whether a result was searched for in other words too. @param {AskResult | null} result */
const isReworded = (result) => (result?.trace?.phrasings ?? []).length > 0;

/** What is said, not shown, when a result stands. @param {AskResult} result @param {boolean} better */
function announce({ stage, answer, sources }, better) {
  if (better) return stage === "hybrid" ? "The results have been refined by meaning." : "";
  const found = {
    direct: "Answer shown",
    section: "A section that covers it is shown",
    possible_section: "A section that may cover it is shown",
    qualified: "Possible answer shown",
    refusal: "No clear answer found",
  }[answer.kind];
  return `${found}, with ${counted(sources.length, "passage")}.`;
}

customElements.define("campanile-ask", CampanileAsk);
