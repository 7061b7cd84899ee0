// @ts-check
/**
 * `<campanile-ask>`: a question box with cited answers from the site that this
 * module is served with. Put it on any page:
 *
 *     <script type="module" src="campanile/campanile-ask.js"></script>
 *     <campanile-ask></campanile-ask>
 *
 * It lives in a shadow root with its own style sheet: the page's styles stay out, its own stay in. What a page may
 * change are the custom properties of `tokens.css` (`--campanile-accent`, …) and the `part`s;
 * `docs/guide/element.md` lists them.
 *
 * Attributes:
 * - `src`: the address of the site's folder, relative to the page; the site that this module is served with, if not given.
 *   It is read when the element is put on the page.
 * - `dialog`: the question box stands in a window behind a button, with the text of `label` on it.
 * - `shortcut`: the key to the question box, such as "/" or "Mod+K" (Command or Control); "Mod+K" with `dialog`.
 * - `theme`: "light", "dark" or "auto" (as the visitor's system has it); without it as the page's `color-scheme` says.
 * - `device`: where the language model may run. "auto" (the default) is WebGPU where it serves, else the processor;
 *   "cpu" is the processor alone; "software" also takes a WebGPU adapter that computes in software, for tests.
 *
 * It sets: `data-view` ("start" or "results"), `data-stage` ("keywords" while passages are there and no answer,
 * "lexical", "instant" or "hybrid") and `data-kind` ("direct", "section", "possible_section", "qualified" or
 * "refusal") of the result that is shown, the second only once there is an answer, `data-read` whether its passages
 * were read for the words that answer, `data-reader` ("there" or "absent") whether this site can do that, `data-state`
 * of the element ("opening", "ready", "asking", "answered", "failed"), `data-offline="ready"` that the whole index is
 * kept on the device, `data-reading` ("processor" or "gpu") where passages are read, once that is known.
 *
 * Events, all bubbling: `campanile-open` (detail: the site's manifest),
 * `campanile-loaded` (the program that answers is there),
 * `campanile-ask` (detail: the question, as it is asked by the visitor),
 * `campanile-passages` (detail: what was found so far, while its answer is being looked for),
 * `campanile-answer` (detail: the result; fired again when it gets better),
 * `campanile-kept` (the whole index is kept on the device).
 */

/** @import { DeviceWish, Profile } from "./messages.js" */
/** @import { AskResult, Choices, Manifest, Source, Span } from "./pkg/core/campanile_core.js" */
/** @import { AnswerTools } from "./answer-tools.js" */
/** @import { AskWindow } from "./ask-window.js" */
/** @import { EarlierView } from "./earlier-view.js" */
/** @import { PassageReader } from "./passage-reader.js" */
/** @import { Preferences } from "./preferences.js" */
/** @import { ProfileForm } from "./profile-form.js" */
/** @import { ProsePanel } from "./prose-panel.js" */
/** @import { Narrowing } from "./profile.js" */
/** @import { Part, PartName } from "./session.js" */
/** @import { Suggestion } from "./suggestions.js" */
/** @import { WhyView } from "./why-view.js" */
/** @typedef {{ form: ProfileForm, prose: ProsePanel, tools: AnswerTools, why: WhyView, earlier: EarlierView }} Extras */

import { AnswerView } from "./answer-view.js";
import { WorkerFailure } from "./channel.js";
import { NotesView } from "./notes-view.js";
import { keep, kept } from "./kept.js";
import { startingBytes } from "./manifest.js";
import { isSilent, profileOf } from "./profile.js";
import { SHEET } from "./pkg/sheets/sheet.js";
import { QUESTION_UNITS, Session, isReworded } from "./session.js";
import { SourcesView } from "./sources-view.js";
import { USUAL, keepPreferences, keptPreferences, searchSettings } from "./preferences.js";
import { isShortcut, keyName } from "./shortcut.js";
import { later } from "./later.js";
import { wear } from "./looks.js";
import { StatusLine } from "./status-line.js";
import { SITE, fetchAfresh } from "./store.js";
import { formatBytes, formatDuration } from "./sizes.js";
import { contentLanguage, element } from "./text.js";
import { explain, technical, wordsOf } from "./trouble.js";
import { words } from "./words.js";

/** Work shorter than this needs no word about it. */
const QUIET_MILLISECONDS = 350;

/** @param {string | null} attribute @returns {DeviceWish} */
const wishOf = (attribute) => (attribute === "cpu" || attribute === "software" ? attribute : "auto");

/** Whether the visitor has asked the browser to spare data. */
const sparesData = () => /** @type {any} */ (navigator).connection?.saveData === true;

export class CampanileAsk extends HTMLElement {
  #session = new Session(
    {
      onState: (state) => {
        this.dataset.state = state;
        this.#answer.busy = state === "asking";
      },
      onOpening: (loaded, total) =>
        this.#unlessQuick("opening", () =>
          this.#status.set("search", { text: words.status.opening, progress: { loaded, total } }),
        ),
      onOpen: (manifest) => this.#introduce(manifest),
      onLoaded: (choices) => this.#complete(choices),
      onPassages: (sources, question, found) => this.#preview(sources, question, found),
      onResult: (result, change) => this.#show(result, change),
      onFailure: (what, error, retry) => this.#fail(what, error, retry),
      onPart: (name, part) => this.#tellPart(name, part),
      onQuiet: (isQuiet) => this.#tellSilence(isQuiet),
      onNotice: (message) => this.#status.set("room", { text: message, tone: "problem" }),
      onReading: () => this.#tellReading(),
    },
    {
      wish: () => wishOf(this.getAttribute("device")),
      sparesData: () => this.#preferences.saver || sparesData(),
      keywordsAlone: () => this.#preferences.keywords,
      site: () => this.#otherSite,
      profile: {},
    },
  );
  #preferences = USUAL;
  /** Questions that were asked before what keeps them was there. @type {string[]} */ #unkept = [];
  /** Titles and headings to suggest; none before the whole index is kept. @type {Suggestion[]} */ #contents = [];
  /** When each part began to be fetched. @type {Map<string, number>} */ #since = new Map();
  #surface = element("div", { class: "root", part: "root" });
  #content = element("div", { class: "content" });
  /** Where the question box stands behind a button. @type {AskWindow | null} */ #window = null;

  #status = new StatusLine();
  #answer = new AnswerView((number) => this.#sources.goTo(number));
  #sources = new SourcesView(
    (source) => this.#read(source),
    (count) => this.#session.more(count),
  );
  #notes = new NotesView(
    (everyone) => this.#ask(() => this.#session.askAgain(everyone)),
    () => this.#ask(() => this.#session.askAsTyped()),
    (narrowing) => this.ask(this.#session.typed, false, narrowing),
  );
  /** What a first answer does not need comes behind the program that gives it. @type {Extras | null} */ #extras = null;
  /** @type {Promise<PassageReader> | undefined} */ #reader;
  #readingLines = element("ul");

  #input = element("input", {
    id: "campanile-question",
    class: "ask-input",
    part: "input",
    type: "search",
    name: "q",
    maxlength: QUESTION_UNITS,
    autocomplete: "off",
    enterkeyhint: "search",
    required: true,
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    placeholder: words.box.placeholder,
    oninput: () => this.#session.wantEncoder(),
  });
  #examples = element("section", {
    class: "examples",
    part: "examples",
    "aria-labelledby": "campanile-examples-heading",
    hidden: true,
  });
  #problem = element("div", {
    class: "problem-box",
    part: "problem",
    role: "alert",
    "data-testid": "problem",
    hidden: true,
  });
  /** Where what comes later goes. */
  #places = {
    suggestions: element("div"),
    form: element("div", { class: "profile-place" }),
    earlier: element("div"),
    tools: element("div"),
    prose: element("div"),
    reading: element("div"),
  };
  #results = element("div", { class: "results", "data-testid": "results", hidden: true });

  connectedCallback() {
    if (!this.shadowRoot) this.#build();
    document.addEventListener("keydown", this.#onKey);
    addEventListener("online", this.#network);
    addEventListener("offline", this.#network);
    this.#network();
    if (this.hasAttribute("dialog")) this.#putBehindButton();
    else this.#open();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    removeEventListener("online", this.#network);
    removeEventListener("offline", this.#network);
  }

  /** The folder of the site that is asked. */
  get site() {
    return this.#otherSite ?? SITE;
  }

  /** That folder, where it is not the one that this module is served with. */
  get #otherSite() {
    const src = this.getAttribute("src");
    if (src === null) return undefined;
    const folder = new URL(src, document.baseURI);
    folder.pathname = folder.pathname.replace(/\/?$/, "/");
    return folder;
  }

  /** The question in the box. */
  get question() {
    return this.#input.value;
  }

  /** The size of all that is kept on request; 0 before the site is open. */
  get indexBytes() {
    return this.#session.bytesToKeep;
  }

  /** The sites that this one asks, where it is a campus's; else none. @returns {URL[]} */
  get campusSites() {
    const sites = this.#session.manifest?.campus?.sites ?? [];
    return sites.map(({ address }) => new URL(address, this.site));
  }

  /** Keeps the whole index on this device, for use without a network. */
  async keep() {
    await this.#session.keepIndex();
    const { state, error } = this.#session.part("index");
    if (state === "failed") throw error;
  }

  /** Puts the caret into the question box. @override @param {FocusOptions} [options] */
  focus(options) {
    this.#window?.open();
    this.#input.focus(options);
    this.#input.select();
  }

  /** Goes back to the beginning. */
  reset() {
    this.#session.reset();
    this.#input.value = "";
    this.#results.hidden = true;
    this.#problem.hidden = true;
    for (const matter of /** @type {const} */ (["search", "notice", "words"])) this.#status.set(matter, null);
    this.#extras?.prose.offer(null, null);
    this.#examples.hidden = !this.#session.manifest?.examples.length;
    if (this.#preferences.history) this.#extras?.earlier.show();
    this.dataset.view = "start";
    delete this.dataset.stage;
    delete this.dataset.kind;
    delete this.dataset.read;
  }

  /**
   * Asks a question as if it had been typed.
   * @param {string} question
   * @param {boolean} [everyone]  search also what is for others
   * @param {Narrowing | null} [narrowing]  what is meant, for this question alone
   */
  async ask(question, everyone = false, narrowing = null) {
    if (question.trim() === "") return this.reset();
    this.#window?.open();
    await this.#ask(() => this.#session.ask(question, everyone, narrowing), Session.words(question));
  }

  /** Asks as the visitor does: what points back at an earlier question is completed first. @param {string} question */
  async #askAsVisitor(question) {
    this.#emit("campanile-ask", question);
    this.#keepQuestion(question);
    await this.#ask(() => this.#session.askNext(question), Session.words(question));
  }

  /** Keeps a question on this device, where the visitor has not said otherwise. @param {string} question */
  #keepQuestion(question) {
    if (!this.#preferences.history || this.getAttribute("history") === "off") return;
    if (this.#extras) this.#extras.earlier.add(question);
    else this.#unkept.push(question);
  }

  /** @param {() => Promise<void>} asking @param {string} [typed] */
  async #ask(asking, typed = this.#session.typed) {
    this.#input.value = typed;
    this.dataset.view = "results";
    this.#examples.hidden = true;
    if (this.#extras) this.#extras.earlier.root.hidden = true;
    this.#problem.hidden = true;
    const patience = setTimeout(() => {
      if (this.#session.state === "asking") this.#status.set("search", { text: words.status.searching });
    }, QUIET_MILLISECONDS);
    await asking();
    clearTimeout(patience);
  }

  #open() {
    if (this.#since.has("opening")) return;
    this.#since.set("opening", performance.now());
    this.#session.open();
  }

  /** The shortcut to the question box. @param {KeyboardEvent} event */
  #onKey = (event) => {
    if (this.#shortcut === "" || !isShortcut(this.#shortcut, event)) return;
    // An opened document is read, not left; the window over the page goes as it came.
    if (this.#reader && this.shadowRoot?.querySelector(".reader[open]")) return;
    event.preventDefault();
    if (this.#window?.dialog.open) this.#window.dialog.close();
    else this.focus();
  };

  get #shortcut() {
    return this.getAttribute("shortcut") ?? (this.hasAttribute("dialog") ? "Mod+K" : "");
  }

  async #putBehindButton() {
    if (this.#window) return;
    const { AskWindow, WINDOW_SHEET } = await import("./ask-window.js");
    if (this.shadowRoot) wear(this.shadowRoot, WINDOW_SHEET);
    const label = this.getAttribute("label") ?? words.box.opener;
    this.#window = new AskWindow(label, this.#shortcut, this.#content, () => this.#open());
    this.#surface.replaceChildren(this.#window.opener, this.#window.dialog);
  }

  #build() {
    const form = element(
      "form",
      {
        class: "ask-form",
        part: "form",
        role: "search",
        onsubmit: (/** @type {SubmitEvent} */ event) => this.#submit(event),
      },
      element("label", { class: "ask-label", for: "campanile-question" }, words.box.label),
      element(
        "div",
        { class: "ask-box" },
        this.#input,
        this.#shortcut ? element("kbd", { class: "ask-key", "aria-hidden": "true" }, keyName(this.#shortcut)) : null,
        element("button", { class: "ask-button", part: "button", type: "submit" }, words.box.ask),
      ),
      this.#places.suggestions,
    );
    this.#results.append(
      element(
        "div",
        { class: "results-main" },
        this.#answer.root,
        this.#places.tools,
        this.#notes.root,
        this.#places.prose,
        this.#places.reading,
      ),
      this.#sources.root,
    );
    this.#content.append(
      form,
      this.#places.form,
      ...this.#status.nodes,
      this.#problem,
      this.#examples,
      this.#places.earlier,
      this.#results,
    );
    const shadow = this.attachShadow({ mode: "open" });
    wear(shadow, SHEET);
    this.#surface.append(this.#content);
    shadow.append(this.#surface);
    this.#surface.lang = words.language;
    this.#surface.dir = words.direction;
    this.dataset.state = this.#session.state;
    this.dataset.view = "start";
    // Only here is it known which site is meant.
    this.#preferences = keptPreferences(this.site);
    this.#session.settings = searchSettings(this.#preferences);
    this.#session.profile = profileOf(kept("profile", this.site));
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const question = this.#input.value.trim();
    if (question === "") return;
    // The keyboard of a phone would cover the answer.
    if (matchMedia("(pointer: coarse)").matches) this.#input.blur();
    this.#askAsVisitor(question);
  }

  get #language() {
    return contentLanguage(this.#session.manifest?.language ?? "none");
  }

  /** The site is open. @param {Manifest} manifest */
  #introduce(manifest) {
    if (this.#session.result === null) this.#status.set("search", null);
    this.dataset.reader = manifest.reader ? "there" : "absent";
    const lang = contentLanguage(manifest.language);
    this.#examples.replaceChildren(
      element("h2", { id: "campanile-examples-heading", class: "section-label" }, words.box.examples),
      element(
        "ul",
        { class: "example-list" },
        ...manifest.examples.map((question) =>
          element(
            "li",
            {},
            element(
              "button",
              { class: "example", part: "example", type: "button", lang, onclick: () => this.#askAsVisitor(question) },
              question,
            ),
          ),
        ),
      ),
    );
    this.#examples.hidden = manifest.examples.length === 0 || this.#session.wasAsked;
    this.#emit("campanile-open", manifest);
  }

  /** Brings what a first answer does not need: a form about the visitor, prose. @param {Choices | null} choices */
  async #complete(choices) {
    if (this.#extras) {
      if (choices) this.#extras.form.offer(choices, this.#session.profile, this.#language);
      return;
    }
    this.#emit("campanile-loaded", null);
    try {
      const [
        { ProfileForm },
        { ProsePanel },
        { AnswerTools },
        { WhyView },
        { EarlierView },
        { PreferencesForm },
        { SuggestionList },
      ] = await Promise.all([
        later(() => import("./profile-form.js")),
        later(() => import("./prose-panel.js")),
        later(() => import("./answer-tools.js")),
        later(() => import("./why-view.js")),
        later(() => import("./earlier-view.js")),
        later(() => import("./preferences-form.js")),
        later(() => import("./suggestion-list.js")),
        this.#wearAll(),
      ]);
      const say = (/** @type {string} */ told) => this.#status.say(told);
      const form = new ProfileForm((profile) => this.#tell(profile));
      const prose = new ProsePanel({
        onCitation: (source, highlight) => this.#read(source, highlight),
        removes: () => this.#session.manifest?.prose_settings.unsupported === "remove",
        wish: () => wishOf(this.getAttribute("device")),
        site: () => this.#otherSite,
        length: () => this.#preferences.words,
        say,
        onNotice: (message) => this.#status.set("room", { text: message, tone: "problem" }),
        onRest: () => this.#session.rest(),
      });
      const tools = new AnswerTools({ site: this.site, say });
      const why = new WhyView();
      const earlier = new EarlierView({ site: this.site, onChoice: (question) => this.#askAsVisitor(question), say });
      const preferences = new PreferencesForm(this.#preferences, (chosen) => this.#prefer(chosen));
      const suggestions = new SuggestionList(this.#input, {
        pool: () => this.#suggestible(),
        onChoice: ({ text }) => this.#askAsVisitor(text),
        say,
      });
      this.#extras = { form, prose, tools, why, earlier };
      this.#session.rewriter = prose;
      for (const question of this.#unkept.splice(0)) earlier.add(question);
      this.#places.suggestions.replaceWith(suggestions.root);
      this.#places.form.append(form.root, preferences.root);
      this.#places.earlier.replaceWith(earlier.root);
      this.#places.tools.replaceWith(tools.root);
      this.#places.reading.before(why.root);
      this.#places.prose.replaceWith(prose.root);
      if (choices) form.offer(choices, this.#session.profile, this.#language);
      prose.model = this.#session.manifest?.prose ?? null;
      if (!this.#session.isAwaited) {
        prose.offer(this.#session.result, this.#session.asked);
        this.#offerTools(this.#session.result);
      }
      if (this.#preferences.history && this.dataset.view === "start") earlier.show();
    } catch (error) {
      this.#status.set("notice", {
        text: words.status.partsMissing,
        tone: "problem",
        details: [wordsOf(error)],
      });
    }
  }

  /** What can be done with an answer that stands; null while none does. @param {AskResult | null} result */
  #offerTools(result) {
    this.#extras?.tools.offer(result, this.#session.manifest);
    this.#extras?.why.offer(result);
  }

  /** The visitor wants to search in another way from now on. @param {Preferences} preferences */
  #prefer(preferences) {
    this.#preferences = preferences;
    keepPreferences(this.site, preferences);
    if (!preferences.history) this.#extras?.earlier.forget();
    this.#session.settings = searchSettings(preferences);
    this.#status.say(words.spoken.settings);
    this.#session.wantEncoder();
    if (this.#session.result) this.#ask(() => this.#session.askAgain(false));
  }

  /** All that can be suggested. @returns {Suggestion[]} */
  #suggestible() {
    const questions = this.#session.manifest?.examples ?? [];
    const earlier = this.#preferences.history ? (this.#extras?.earlier.questions ?? []) : [];
    return [
      ...questions.map((text) => ({ text, kind: /** @type {const} */ ("question") })),
      ...earlier.map((text) => ({ text, kind: /** @type {const} */ ("earlier") })),
      ...this.#contents,
    ];
  }

  /** The index is kept: what its documents are called can be suggested. */
  async #learnContents() {
    // Without them there is less to suggest, which nobody misses.
    const contents = await this.#session.contents().catch(() => []);
    this.#contents = contents.flatMap(({ title, headings }) => [
      { text: title, kind: /** @type {const} */ ("document") },
      ...headings.map((text) => ({ text, kind: /** @type {const} */ ("heading") })),
    ]);
  }

  /** The visitor has told who they are, or taken it back. @param {Profile} profile */
  #tell(profile) {
    this.#session.profile = profile;
    keep("profile", this.site, isSilent(profile) ? null : profile);
    this.#status.say(isSilent(profile) ? words.spoken.forEverybody : words.spoken.forYou);
    if (this.#session.result) this.#ask(() => this.#session.askAgain(false));
  }

  /** @param {Source[]} sources @param {string} question @param {AskResult | null} found  by more than keywords alone */
  #preview(sources, question, found) {
    this.#answer.expect(question, this.#expectation(found), sources[0], this.#language);
    this.#sources.preview(found ? words.sources.passages : words.sources.byKeywords, sources, this.#language);
    this.#notes.clear();
    this.#extras?.prose.offer(null, null);
    this.#offerTools(null);
    this.#results.hidden = false;
    this.#results.classList.remove("results-alone");
    this.dataset.stage = found?.stage ?? "keywords";
    this.dataset.read = "false";
    delete this.dataset.kind;
    if (found && this.#session.state === "answered") {
      this.#status.set("search", { text: this.#describe(found) });
      this.#status.set("notice", this.#problemsOf(found));
      this.#emit("campanile-passages", found);
    }
  }

  /** What an answer waits for. @param {AskResult | null} found */
  #expectation(found) {
    const { awaitsProgram, beingRead, awaitsModel, awaitsMeaning } = words.answer;
    if (!found) return awaitsProgram;
    if (this.#session.part("encoder").state === "ready") return beingRead;
    return found.sources.length > 0 ? awaitsModel : awaitsMeaning;
  }

  /** @param {AskResult} result @param {{ better: boolean, reworded: boolean }} change */
  #show(result, { better, reworded }) {
    const { manifest, asked, asker, typed, narrowing } = this.#session;
    this.#answer.show(result, this.#language, manifest);
    this.#sources.show(result, this.#language);
    this.#notes.show(result, asker.everyone, { typed, narrowing });
    this.#extras?.prose.offer(result, asked);
    this.#offerTools(result);
    this.#results.hidden = false;
    this.#results.classList.toggle("results-alone", result.sources.length === 0);
    this.dataset.stage = result.stage;
    this.dataset.kind = result.answer.kind;
    this.dataset.read = String(result.read);
    this.#status.set("search", { text: this.#describe(result) });
    this.#status.set("notice", this.#problemsOf(result));
    // What is said of other words stands in the notes, which speak for themselves.
    this.#status.say(reworded ? "" : announce(result, better));
    this.#emit("campanile-answer", result);
  }

  /** @param {AskResult} result */
  #describe(result) {
    const { stage, timings_ms: timings } = result;
    const spent = timings["total"] ?? Object.values(timings).reduce((sum, part) => sum + part, 0);
    const { status } = words;
    const told = {
      lexical: isReworded(result) ? status.byKeywordsReworded : status.byKeywords,
      instant: isReworded(result) ? status.byRoughMeaningReworded : status.byRoughMeaning,
      hybrid: isReworded(result) ? status.byMeaningReworded : status.byMeaning,
    };
    // Short, for one line of a phone.
    return told[stage](formatDuration(spent));
  }

  /** Does it unless what was begun is done within a moment: a line that only flashes says nothing. @param {string} matter @param {() => void} act */
  #unlessQuick(matter, act) {
    if (performance.now() - (this.#since.get(matter) ?? 0) >= QUIET_MILLISECONDS) act();
  }

  /** Says how a part of the site comes along. @param {PartName} name @param {Part} part */
  #tellPart(name, part) {
    const { state, loaded } = part;
    if (state === "failed" && this.#session.state === "failed") return;
    if (state === "loading" && loaded === 0) this.#since.set(name, performance.now());
    switch (name) {
      case "encoder":
        return this.#tellEncoder(part);
      case "instant":
        return this.#tellInstant(part);
      case "spans":
        return this.#tellSpans(part);
      case "index":
        return this.#tellIndex(part);
      case "words":
        return this.#tellWords(part);
    }
  }

  /** @param {Part} part */
  #tellEncoder({ state, loaded, total, error }) {
    const { manifest } = this.#session;
    const fetch = () => this.#session.loadEncoder();
    if (state === "ready" || state === "absent") {
      this.#status.set("encoder", null);
      this.#status.set("instant", null);
    } else if (state === "offered") {
      this.#status.set("encoder", {
        text: manifest?.instant ? words.status.roughToSpareData : words.status.keywordsToSpareData,
        action: { label: words.status.fetchModel(formatBytes(startingBytes(manifest?.encoder))), onclick: fetch },
      });
    } else if (state === "failed") {
      const roughly = this.#session.part("instant").state === "ready";
      this.#status.set("encoder", {
        text: roughly ? words.status.roughWithoutModel : words.status.keywordsWithoutModel,
        tone: "problem",
        action: { label: words.tryAgain, onclick: fetch },
        details: [wordsOf(error)],
      });
    } else if (state === "loading" && loaded > 0) {
      this.#unlessQuick("encoder", () => {
        const whole = total > 0 && loaded >= total;
        this.#status.set("encoder", {
          text: whole ? words.status.modelReadies : words.status.modelArrives,
          progress: whole ? { loaded: 0, total: 0 } : { loaded, total },
        });
      });
    }
  }

  /** @param {Part} part */
  #tellInstant({ state, error }) {
    if (state !== "failed") return;
    this.#status.set("instant", {
      text: words.status.keywordsUntilModel,
      tone: "problem",
      details: [wordsOf(error)],
    });
  }

  /** @param {Part} part */
  #tellSpans({ state, error }) {
    if (state === "ready") this.#status.set("spans", null);
    if (state !== "failed") return;
    this.#status.set("spans", {
      text: words.status.wholeSentences,
      tone: "problem",
      action: { label: words.tryAgain, onclick: () => this.#session.loadSpanReader() },
      details: [wordsOf(error)],
    });
  }

  /** @param {Part} part */
  #tellIndex({ state, loaded, total, error }) {
    const keep = () => this.#session.keepIndex();
    if (state !== "ready") delete this.dataset.offline;
    if (state === "ready") {
      this.#status.set("keeping", null);
      this.dataset.offline = "ready";
      this.#learnContents();
      this.#emit("campanile-kept", null);
    } else if (state === "offered") {
      const bytes = this.#session.bytesToKeep;
      this.#status.set("keeping", {
        text: words.status.offerKeeping,
        action: { label: bytes > 0 ? words.status.keepSize(formatBytes(bytes)) : words.status.keep, onclick: keep },
      });
    } else if (state === "failed") {
      const failure = {
        text: words.status.notAllKept,
        action: { label: words.tryAgain, onclick: keep },
        details: [wordsOf(error)],
      };
      // Without a network there is nothing to try again.
      this.#status.set("keeping", navigator.onLine ? failure : null);
    } else if (loaded > 0) {
      this.#unlessQuick("index", () =>
        this.#status.set("keeping", {
          text: words.status.keeping,
          progress: { loaded, total },
        }),
      );
    }
  }

  /** @param {Part} part */
  #tellWords({ state }) {
    if (state !== "loading") return this.#status.set("words", null);
    setTimeout(() => {
      if (this.#session.part("words").state === "loading") this.#status.set("words", { text: words.status.rewording });
    }, QUIET_MILLISECONDS);
  }

  /** How passages are read, for who wants to know. */
  #tellReading() {
    this.#readingLines.replaceChildren(...this.#session.readingLines.map((line) => element("li", {}, line)));
    // What stands stays: the visitor may have it open, and the focus in it.
    if (!this.#readingLines.parentNode) {
      this.#places.reading.replaceChildren(
        element(
          "details",
          { class: "fine-print reading-trace", "data-testid": "reading-trace" },
          element("summary", {}, words.status.howRead),
          this.#readingLines,
        ),
      );
    }
    this.dataset.reading = this.#session.readingDevice;
  }

  #network = () => {
    this.#status.set("network", navigator.onLine ? null : { text: words.status.noNetwork });
    if (navigator.onLine) this.#session.online();
  };

  /**
   * Opens the document that a source stands in.
   * @param {Source} source
   * @param {Span | null} [wanted]  what to mark of it, rather than what the answer quotes
   */
  async #read(source, wanted) {
    const answer = this.#session.result?.answer;
    const highlight = wanted ?? (answer?.source === source.number ? answer.highlight : null) ?? source.found ?? null;
    this.#reader ??= this.#openReader();
    try {
      (await this.#reader).open(source, highlight, this.#language);
    } catch (error) {
      this.#reader = undefined;
      this.#status.set("notice", {
        text: words.status.noDocument(explain(error)),
        tone: "problem",
        details: [wordsOf(error)],
      });
    }
  }

  /** Puts on the looks of what comes later than the first passages. */
  async #wearAll() {
    const { LATER_SHEET } = await import("./later-sheet.js");
    if (this.shadowRoot) wear(this.shadowRoot, LATER_SHEET);
  }

  async #openReader() {
    const [{ PassageReader }] = await Promise.all([later(() => import("./passage-reader.js")), this.#wearAll()]);
    const reader = new PassageReader({
      fetch: (chunk) => this.#session.document(chunk),
      onClose: (chunk) => this.#sources.returnTo(chunk),
      site: this.site,
    });
    this.#surface.append(reader.root);
    return reader;
  }

  /** @param {"open" | "ask"} what @param {unknown} error @param {() => Promise<void>} retry */
  #fail(what, error, retry) {
    // Passages that are there already are worth more than nothing.
    this.#results.hidden = this.dataset.stage !== "keywords";
    if (!this.#results.hidden) this.#answer.fail();
    // One thing to do about it is enough: what else is missing is asked for again with the question.
    for (const matter of /** @type {const} */ (["search", "encoder", "instant", "spans", "notice"]))
      this.#status.set(matter, null);
    const again = async () => {
      this.#problem.hidden = true;
      // What no worker told is this script's own fault: it may have come damaged, and then fails again and again, until the
      // page is opened with a whole one.
      if (!(error instanceof WorkerFailure) && navigator.onLine) {
        await fetchAfresh();
        location.reload();
        return;
      }
      if (what === "ask") this.#ask(retry);
      else retry();
    };
    this.#problem.replaceChildren(
      element(
        "h2",
        { class: "problem-heading" },
        what === "open" ? words.trouble.notOpened : words.trouble.notAnswered,
      ),
      element("p", {}, explain(error)),
      element("button", { class: "button", type: "button", onclick: again }, words.tryAgain),
      technical([wordsOf(error)]),
    );
    this.#problem.hidden = false;
  }

  /** For a while nothing has come of what the visitor waits for, or it has again. @param {boolean} isQuiet */
  #tellSilence(isQuiet) {
    const { state, isAwaited, result } = this.#session;
    if (state !== "asking" && state !== "opening" && !isAwaited) return;
    const before = isAwaited && result ? this.#describe(result) : words.status.searching;
    this.#status.set(
      "search",
      isQuiet
        ? {
            text: words.status.quiet,
            action: { label: words.startAgain, onclick: () => this.#ask(() => this.#session.startAgain()) },
          }
        : { text: before },
    );
  }

  /** Parts of the site that the search had to do without. @param {AskResult} result */
  #problemsOf({ problems }) {
    if (problems.length === 0) return null;
    const { typed, asker, narrowing } = this.#session;
    const again = () => this.#ask(() => this.#session.ask(typed, asker.everyone, narrowing));
    return {
      tone: /** @type {const} */ ("problem"),
      text: words.status.incomplete,
      action: { label: words.tryAgain, onclick: again },
      details: problems,
    };
  }

  /** @param {string} name @param {unknown} detail */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

/** What is said, not shown, when a result stands. @param {AskResult} result @param {boolean} better */
function announce({ stage, answer, sources }, better) {
  if (better) return stage === "hybrid" ? words.spoken.refined : "";
  return words.spoken[answer.kind](sources.length);
}

// A page may name the module twice, by two addresses.
if (!customElements.get("campanile-ask")) {
  // What a `rem` of the sheet is: without the registration it would be worked out anew wherever it is used.
  CSS.registerProperty?.({ name: "--campanile-rem", syntax: "<length>", inherits: true, initialValue: "16px" });
  customElements.define("campanile-ask", CampanileAsk);
}
