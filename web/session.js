// @ts-check
/**
 * A visitor's questions to one site: which are asked, with what, and what comes of them. Nothing here touches a page:
 * `campanile-ask.js` is one view of it.
 *
 * What is found gets better in steps, as the models arrive: by keywords, by the static encoder, by the encoder, and
 * once its passages were read. While the last of these is on its way, the passages are told (`onPassages`) and no answer: one
 * that is taken back a minute later is worse than none. Where it can't be had, the answer is what the others found.
 */

/** @import { Asker, DeviceWish, Profile } from "./messages.js" */
/** @import { AskResult, Choices, Manifest, Source } from "./pkg/core/campanile_core.js" */
/** @import { OtherWords } from "./pkg/gpu/campanile_gpu.js" */
/** @import { Asked, ClientHooks } from "./client.js" */
/** @import { Narrowing } from "./profile.js" */
/** @import { ReadingClient } from "./reading-client.js" */

import { WorkerFailure } from "./channel.js";
import { CoreClient } from "./client.js";
import { startingBytes } from "./manifest.js";
import { askerOf, isSilent, narrowed, settingsFor, today } from "./profile.js";

/** The longest question, in UTF-16 units. */
export const QUESTION_UNITS = 500;

/** So many earlier questions are remembered for those that point back at them. */
const TURNS = 5;

/**
 * A part of the site that makes answers better, or work without a network: whether it is there, and what keeps it
 * from being there. The search goes on without each of them.
 * @typedef {object} Part
 * @property {"absent" | "waiting" | "offered" | "loading" | "ready" | "failed"} state  "offered": the visitor is to
 *   say whether it may be fetched
 * @property {number} loaded  bytes
 * @property {number} total  bytes, 0 while unknown
 * @property {unknown} error  why it failed
 */

/** `spans` finds the words that answer, `words` puts the question in others, `index` is the whole of it. @typedef {"encoder" | "instant" | "spans" | "words" | "index"} PartName */

/** @typedef {"opening" | "ready" | "asking" | "answered" | "failed"} SessionState */

/**
 * What is told of a session as it goes on.
 * @typedef {object} SessionHooks
 * @property {(state: SessionState) => void} onState
 * @property {(loaded: number, total: number) => void} onOpening  bytes of what is fetched to open the site
 * @property {(manifest: Manifest) => void} onOpen
 * @property {(choices: Choices | null) => Promise<void>} onLoaded  the program that answers is there; once more where
 *   the choices could not be had before
 * @property {(sources: Source[], question: string, found: AskResult | null) => void} onPassages  for which there is no
 *   answer yet: found by keywords alone, or with what else is there so far
 * @property {(result: AskResult, change: { better: boolean, reworded: boolean }) => void} onResult  `better`: of the
 *   question that was answered before; `reworded`: now in other words too
 * @property {(what: "open" | "ask", error: unknown, retry: () => Promise<void>) => void} onFailure
 * @property {(isQuiet: boolean) => void} onQuiet  for a while nothing has come of what is waited for, or it has again
 * @property {(name: PartName, part: Part) => void} onPart
 * @property {(message: string) => void} onNotice
 * @property {() => void} onReading  where passages are read has changed, or the lines about it
 */

/**
 * What a session is told of where it runs.
 * @typedef {object} Surroundings
 * @property {() => DeviceWish} wish  where the models may run
 * @property {() => boolean} sparesData  whether the visitor has asked to spare data
 * @property {() => boolean} [keywordsAlone]  whether the visitor wants no search by meaning
 * @property {() => URL | undefined} [site]  the site's folder; the one that this script is served from, if not given
 * @property {Profile} profile  who asks
 */

/**
 * The language model, which puts a question in other words where nothing was asked of it.
 * @typedef {object} Rewriter
 * @property {boolean} isFree  no text about the question stands or is on its way
 * @property {boolean} isAtWork  a text is on its way
 * @property {(question: string) => Promise<OtherWords | null>} reword
 */

/** @returns {Part} */
const waiting = () => ({ state: "waiting", loaded: 0, total: 0, error: null });

export class Session {
  /** @type {Manifest | null} */ manifest = null;
  /** What is shown. @type {AskResult | null} */ result = null;
  /** Whether only the passages of it are shown, since better is on its way. */ isAwaited = false;
  /** The question that is shown: asked anew whenever the answer can be better. @type {Asked | null} */ asked = null;
  /** Who asks, as this device knows. @type {Profile} */ profile;
  /** Settings of the search that are others than the site's. @type {Record<string, number>} */ settings = {};
  /** Of whom the answer that is shown, or on its way, is. @type {Asker} */ asker = askerOf();
  /** The words that were typed for what is shown, or on its way. */ typed = "";
  /** What the visitor has chosen for this question, and no other. @type {Narrowing | null} */ narrowing = null;
  /** @type {SessionState} */ state = "opening";
  /** How passages are read, a line each. @type {string[]} */ readingLines = [];
  /** @type {Rewriter | null} */ rewriter = null;

  /** @type {Record<PartName, Part>} */ #parts = {
    encoder: waiting(),
    instant: waiting(),
    spans: waiting(),
    words: waiting(),
    index: waiting(),
  };
  /** Questions in other words, as the language model put them. @type {Map<string, OtherWords>} */ #words = new Map();
  /** The last questions that were answered, as they were searched: for those that point back. @type {string[]} */ #turns =
    [];
  /** How questions that point back were understood, by the words that were typed. @type {Map<string, string>} */ #understood =
    new Map();
  /** Counts the questions, so that a late answer to an old one is dropped. */ #turn = 0;
  /** The question that is being asked again, by its number. @type {number | null} */ #improving = null;
  /** Whether more can be made of it by now. */ #hasMore = false;
  /** Results whose passages were read, or could not be. @type {WeakSet<AskResult>} */ #tried = new WeakSet();
  /** Whether the program that answers is there. */ #loaded = false;
  /** What a visitor may tell of themselves, once the site has said so. @type {Choices | null} */ #choices = null;
  #opening = false;
  /** The index is being kept. @type {Promise<void> | null} */ #keeping = null;
  /** Whether there is more to be kept by now. */ #keepsMore = false;
  /** Reads passages on the graphics processor, where that is faster. @type {ReadingClient | undefined} */ #gpuReading;
  #measuring = false;
  #hooks;
  #surroundings;
  #client;

  /**
   * @param {SessionHooks} hooks
   * @param {Surroundings} surroundings
   * @param {(hooks: ClientHooks) => CoreClient} [connect]
   */
  constructor(hooks, surroundings, connect = (hooks) => new CoreClient(hooks, { site: surroundings.site })) {
    this.#hooks = hooks;
    this.#surroundings = surroundings;
    this.profile = surroundings.profile;
    const { onNotice, onQuiet } = hooks;
    this.#client = connect({ onNotice, onQuiet, onRestart: () => this.#afterRestart() });
  }

  /** Whether something was asked since the beginning. */
  get wasAsked() {
    return this.#turn > 0;
  }

  /** @param {PartName} name */
  part(name) {
    return this.#parts[name];
  }

  /** Where passages are read. */
  get readingDevice() {
    return this.#gpuReading?.isUsed ? "gpu" : "processor";
  }

  /** Opens the site; nothing happens where it is open, or being opened. */
  async open() {
    if (this.manifest || this.#opening) return;
    this.#opening = true;
    try {
      this.manifest = await this.#client.manifest(this.#hooks.onOpening);
    } catch (error) {
      this.#become("failed");
      this.#hooks.onFailure("open", error, () => this.startAgain());
      return;
    } finally {
      this.#opening = false;
    }
    const manifest = this.manifest;
    if (!manifest.encoder) this.#put("encoder", { state: "absent" });
    this.#complete();
    if (this.state === "opening" || this.state === "failed") this.#become("ready");
    this.#hooks.onOpen(manifest);
    // A question may have been asked while the site was being opened.
    if (this.wasAsked) this.wantEncoder();
  }

  async #complete() {
    // The choices are a help: where they cannot be had, questions are asked without them.
    this.#choices = await this.#client.choices().catch(() => null);
    this.#loaded = true;
    await this.#hooks.onLoaded(this.#choices);
  }

  /**
   * Starts the search program anew, with scripts fetched past all caches, and does once more what was being done.
   * Whatever it had loaded is taken from what is kept.
   */
  async startAgain() {
    const { typed, narrowing, wasAsked } = this;
    const { everyone } = this.asker;
    if (wasAsked) this.#turn += 1;
    this.#become(wasAsked ? "asking" : "opening");
    await this.#client.restart();
    for (const name of /** @type {const} */ (["encoder", "instant", "spans", "index"])) {
      if (this.#parts[name].state !== "absent") this.#put(name, { state: "waiting" });
    }
    if (this.manifest && !this.#choices) this.#complete();
    if (wasAsked && typed) await this.ask(typed, everyone, narrowing);
    else await this.open();
  }

  /** Goes back to the beginning. */
  reset() {
    this.#turn += 1;
    this.result = null;
    this.isAwaited = false;
    this.asked = null;
    this.typed = "";
    this.#turns = [];
    this.#understood.clear();
    this.#become(this.manifest ? "ready" : "opening");
  }

  /** A question as it is searched: without space around it, and no longer than that takes. @param {string} question */
  static words(question) {
    return question.trim().slice(0, QUESTION_UNITS);
  }

  /**
   * Asks a question.
   * @param {string} question
   * @param {boolean} [everyone]  search also what is for others
   * @param {Narrowing | null} [narrowing]  what is meant, for this question alone
   */
  async ask(question, everyone = false, narrowing = null) {
    const typed = Session.words(question);
    const meant = this.#understood.get(typed) ?? typed;
    const turn = ++this.#turn;
    this.typed = typed;
    this.narrowing = narrowing;
    this.asker = askerOf(narrowed(this.profile, narrowing), everyone, today(), this.settings);
    this.#become("asking");
    if (this.manifest) this.wantEncoder();
    else this.open();
    this.#preview(meant, turn);
    try {
      const words = this.#words.get(meant);
      const asked = await this.#client.ask(meant, this.asker, words);
      const isMeant = () => turn === this.#turn;
      if (isMeant() && this.#isReadable(asked.result))
        this.#hooks.onPassages(asked.result.sources, asked.result.question, asked.result);
      const result = isMeant() ? await this.#readClosely(asked) : asked.result;
      if (isMeant()) this.#show(asked, result);
    } catch (error) {
      if (turn === this.#turn) {
        this.#become("failed");
        const isBroken = !this.manifest || (error instanceof WorkerFailure && error.trouble !== undefined);
        this.#hooks.onFailure("ask", error, () =>
          isBroken ? this.startAgain() : this.ask(typed, everyone, narrowing),
        );
      }
    }
    this.#improve();
    this.#reword();
  }

  /** Asks a question that may point back at an earlier one, which is completed first. @param {string} question */
  async askNext(question) {
    const typed = Session.words(question);
    if (this.#turns.length > 0) {
      const turn = ++this.#turn;
      this.#become("asking");
      // One that stands alone stays as it is, and so does every one where this fails.
      const whole = await this.#client.followUp(typed, this.#turns).catch(() => null);
      if (turn !== this.#turn) return;
      if (whole) this.#understood.set(typed, whole);
      else this.#understood.delete(typed);
    }
    await this.ask(typed);
  }

  /** Asks what was typed last once more, word for word. */
  async askAsTyped() {
    this.#understood.delete(this.typed);
    await this.ask(this.typed);
  }

  /** Asks what was answered last once more, of other documents or as somebody else. @param {boolean} everyone */
  async askAgain(everyone) {
    if (this.result) await this.ask(this.typed, everyone);
  }

  /**
   * The best passages for the question that was answered last, so many at most.
   * @param {number} count
   */
  async more(count) {
    const { question } = this.result ?? {};
    if (!question) return [];
    const settings = settingsFor({ ...this.settings, sources: count, least_sources: count });
    const { result } = await this.#client.ask(question, { ...this.asker, ...settings }, this.#words.get(question));
    return result.sources;
  }

  /** The titles of all documents with the headings in them; none before the whole index is kept. */
  async contents() {
    return this.#parts.index.state === "ready" ? this.#client.contents() : [];
  }

  /** The document that a passage stands in. @param {number} chunk */
  document(chunk) {
    return this.#client.document(chunk);
  }

  /**
   * Finds passages by keywords while the program that answers is still on its way. Who has told who they are waits for
   * the passages that are for them.
   * @param {string} question
   * @param {number} turn
   */
  async #preview(question, turn) {
    if (this.#loaded || !isSilent(this.profile)) return;
    const sources = await this.#client.find(question, today()).catch(() => null);
    if (!sources?.length || turn !== this.#turn || this.state !== "asking") return;
    this.#hooks.onPassages(sources, question, null);
  }

  /** @param {Asked} asked @param {AskResult} result */
  #show(asked, result) {
    const again = this.result?.question === result.question;
    const better = again && !this.isAwaited;
    const reworded = better && isReworded(result) && !isReworded(this.result);
    this.asked = asked;
    this.result = result;
    // An answer that stands is not taken back for passages.
    this.isAwaited = !better && this.#isBetterComing(result);
    if (!again) this.#turns = [...this.#turns, result.question].slice(-TURNS);
    this.#become("answered");
    if (this.isAwaited) this.#hooks.onPassages(result.sources, result.question, result);
    else this.#hooks.onResult(result, { better, reworded });
    // What an answer needs comes before what later questions need.
    if (!this.#isBetterComing(result)) this.#offerIndex();
    if (result.read) this.#considerReading();
  }

  /** Whether an answer from this would be taken back or made good in a moment. @param {AskResult} result */
  #isBetterComing(result) {
    const { encoder, instant, spans } = this.#parts;
    if (result.read || encoder.state === "failed") return false;
    // Then what comes before the encoder is all that comes.
    if (encoder.state === "absent")
      return instant.state === "loading" || (instant.state === "ready" && result.stage === "lexical");
    if (encoder.state === "loading") return true;
    if (encoder.state !== "ready") return false;
    // It is being asked again with the encoder.
    if (result.stage !== "hybrid") return true;
    if (spans.state === "ready") return this.#isReadable(result) && !this.#tried.has(result);
    return this.manifest?.reader != null && (spans.state === "waiting" || spans.state === "loading");
  }

  /** What was waited for does not come: the answer is what there is. */
  #settle() {
    if (!this.isAwaited || !this.result || this.#isBetterComing(this.result)) return;
    this.isAwaited = false;
    if (this.state !== "answered") return;
    this.#hooks.onResult(this.result, { better: false, reworded: false });
    this.#offerIndex();
  }

  /**
   * Asks the question again, quietly, once more can be made of it than what is shown. One time after the other: what comes
   * while it is being asked is made use of then, or in the next.
   */
  async #improve() {
    const turn = this.#turn;
    if (this.#improving === turn) {
      this.#hasMore = true;
      return;
    }
    this.#improving = turn;
    do {
      this.#hasMore = false;
      await this.#improveOnce(turn);
    } while (this.#hasMore && turn === this.#turn);
    if (this.#improving === turn) this.#improving = null;
  }

  /** @param {number} turn */
  async #improveOnce(turn) {
    const shown = this.result;
    if (!shown || this.state !== "answered") return;
    const isReady = (/** @type {PartName} */ name) => this.#parts[name].state === "ready";
    const better = isReady("encoder") ? "hybrid" : isReady("instant") ? "instant" : "lexical";
    const found = shown.stage === better || shown.stage === "hybrid";
    if (found && !(isReady("spans") && !shown.read)) return;
    const words = this.#words.get(shown.question);
    try {
      const asked = await this.#client.ask(shown.question, this.asker, words);
      const result = await this.#readClosely(asked);
      if (turn !== this.#turn) return;
      // Meanwhile the question may have been put in other words: what comes of them is better still.
      if (words !== this.#words.get(shown.question)) this.#hasMore = true;
      // Meanwhile the encoder may have come, and its answer before this one.
      else if (!this.#isSurpassed(result)) this.#show(asked, result);
    } catch (error) {
      if (turn === this.#turn) this.#encoderFailed(error);
    }
  }

  /** Whether what is shown was found with more than this. @param {AskResult} result */
  #isSurpassed(result) {
    const shown = this.result;
    return shown?.stage === "hybrid" && (result.stage !== "hybrid" || (shown.read && !result.read));
  }

  /**
   * Asks the question once more in other words too, where the language model is in memory and the site
   * wants it: it is never fetched for this.
   */
  async #reword() {
    const shown = this.result;
    if (!shown || this.state !== "answered" || this.#words.has(shown.question)) return;
    const turn = this.#turn;
    const isMeant = () => turn === this.#turn && (this.rewriter?.isFree ?? false);
    if (isMeant()) this.#put("words", { state: "loading" });
    const words = await this.rewriter?.reword(shown.question);
    if (turn === this.#turn) this.#put("words", { state: "waiting" });
    if (!words) return;
    this.#words.set(shown.question, words);
    if (!isMeant() || (words.phrasings.length === 0 && !words.passage)) return;
    try {
      const asked = await this.#client.ask(shown.question, this.asker, words);
      const result = await this.#readClosely(asked);
      // Meanwhile the encoder may have come, and its answer with these words before this one.
      if (isMeant() && !this.#isSurpassed(result)) this.#show(asked, result);
    } catch {
      // The answer that stands was found without: nothing is lost.
    }
  }

  // What makes answers better.

  /** The visitor means to ask: time to fetch the encoder, unless data is to be spared. */
  wantEncoder() {
    if (this.#surroundings.keywordsAlone?.()) return;
    if (this.#parts.encoder.state === "absent") this.#loadInstant();
    if (!this.manifest?.encoder || this.#parts.encoder.state !== "waiting") return;
    if (!this.#surroundings.sparesData()) {
      this.loadEncoder();
      return;
    }
    this.#loadInstant();
    this.#put("encoder", { state: "offered" });
  }

  /** Fetches the encoder, which finds by meaning. Without it the search goes on by keywords. */
  async loadEncoder() {
    const encoder = this.manifest?.encoder;
    if (!encoder || this.#parts.encoder.state === "loading") return;
    this.#put("encoder", { state: "loading", loaded: 0, total: 0 });
    // It is asked for first, and so it comes first.
    this.#loadInstant();
    try {
      await this.#client.loadEncoder((loaded, total) =>
        this.#put("encoder", { state: "loading", loaded, total: total || startingBytes(encoder) }),
      );
      this.#put("encoder", { state: "ready" });
      this.#improve();
    } catch (error) {
      this.#encoderFailed(error);
      return;
    }
    await this.loadSpanReader();
    // The words that some questions need are kept too, and the answer went first.
    if (["loading", "ready"].includes(this.#parts.index.state)) this.keepIndex();
  }

  /**
   * Fetches what finds by meaning, roughly, until the encoder is there: some hundred
   * kilobytes, against its many megabytes. Without it the search goes on by keywords.
   */
  async #loadInstant() {
    if (!this.manifest?.instant || this.#parts.instant.state !== "waiting") return;
    this.#put("instant", { state: "loading" });
    try {
      await this.#client.loadInstant();
      this.#put("instant", { state: "ready" });
      this.#improve();
    } catch (error) {
      this.#put("instant", { state: "failed", error });
    }
  }

  /** Fetches what finds the words that answer, a few megabytes. Without it answers are whole sentences. */
  async loadSpanReader() {
    const { state } = this.#parts.spans;
    if (!this.manifest?.reader || state === "loading" || state === "ready") return;
    this.#put("spans", { state: "loading" });
    try {
      await this.#client.loadSpanReader();
      this.#put("spans", { state: "ready" });
      this.#improve();
    } catch (error) {
      this.#put("spans", { state: "failed", error });
    }
  }

  /** @param {unknown} error */
  #encoderFailed(error) {
    this.#put("encoder", { state: "failed", error });
    if (this.result) this.#offerIndex();
  }

  /** A new worker knows nothing of the models that the old one had. */
  #afterRestart() {
    for (const name of /** @type {const} */ (["instant", "spans"])) {
      if (this.#parts[name].state === "ready") this.#put(name, { state: "waiting" });
    }
    // While it is still loading, the channel asks the new worker for it again.
    if (this.#parts.encoder.state !== "ready") return;
    this.#put("encoder", { state: "waiting" });
    this.wantEncoder();
  }

  /** The network is back: what failed for want of it is tried again. */
  online() {
    if (this.#parts.encoder.state === "failed") this.loadEncoder();
    else if (this.#parts.spans.state === "failed") this.loadSpanReader();
    else if (this.state === "answered") this.#offerIndex();
  }

  /** The bytes of all that is kept on request: the index, and what the encoder asks for in some questions. */
  get bytesToKeep() {
    const { index_bytes: ofIndex = 0, encoder } = this.manifest ?? {};
    const isReady = this.#parts.encoder.state === "ready";
    return ofIndex + (encoder && isReady ? encoder.bytes - startingBytes(encoder) : 0);
  }

  /** Keeps the whole index where that is small, so that other questions can be asked without a network; else offers it. */
  #offerIndex() {
    const { state } = this.#parts.index;
    // Of a campus's sites each question keeps what it has read; all of them are too many.
    if (!this.manifest || this.manifest.campus) return;
    if (state === "loading" || state === "ready" || !("caches" in globalThis)) return;
    // A site that does not say how much may be kept unasked has its index offered.
    const { index_bytes, keep_bytes = 0 } = this.manifest;
    if (!this.#surroundings.sparesData() && index_bytes <= keep_bytes) this.keepIndex();
    else this.#put("index", { state: "offered" });
  }

  /** Keeps the whole index on the device; asked again meanwhile, it looks once more for what is to be kept by then. */
  keepIndex() {
    this.#keepsMore = this.#keeping !== null;
    this.#keeping ??= this.#keepAll().finally(() => {
      this.#keeping = null;
    });
    return this.#keeping;
  }

  async #keepAll() {
    this.#put("index", { state: "loading", loaded: 0, total: 0 });
    try {
      do {
        this.#keepsMore = false;
        await this.#client.prefetch((loaded, total) => this.#put("index", { state: "loading", loaded, total }));
      } while (this.#keepsMore);
      // Nothing of it is fetched any more once the page is said to work without a network.
      await this.#measureReading();
      this.#put("index", { state: "ready" });
    } catch (error) {
      this.#put("index", { state: "failed", error });
    }
  }

  // Where passages are read.

  /** Whether the passages of a result can be read for the words that answer. @param {AskResult} result */
  #isReadable(result) {
    const isReady = this.#parts.spans.state === "ready";
    return isReady && result.stage === "hybrid" && !result.read && result.sources.length > 0;
  }

  /** The result once its passages have been read; as it is where nothing can read them. @param {Asked} asked */
  async #readClosely(asked) {
    if (!this.#isReadable(asked.result)) return asked.result;
    this.#tried.add(asked.result);
    try {
      return (await this.#gpuReading?.read(asked)) ?? (await asked.read()) ?? asked.result;
    } catch (error) {
      this.#put("spans", { state: "failed", error });
      return asked.result;
    }
  }

  /** An answer stands that was read: where might the next be read? The index goes first while it is being kept. */
  #considerReading() {
    // Where nothing is kept, the models would have to be fetched a second time.
    if (!this.manifest?.reader || !("caches" in globalThis)) return;
    if (this.#parts.index.state === "loading" || this.manifest.campus) return;
    if (this.#surroundings.sparesData() && !this.#gpuReading) {
      this.readingLines = ["WebGPU is not tried, to spare your data.", "The processor reads."];
      this.#hooks.onReading();
    } else this.#measureReading();
  }

  /** The language model is at work no more: what had to wait for that is done. */
  rest() {
    if (this.result?.read) this.#considerReading();
  }

  /** Once an answer stands that the processor has read, and the index is kept: is the graphics processor faster? */
  async #measureReading() {
    const { asked, result } = this;
    if (!asked || !result?.read || !this.manifest?.reader || this.state !== "answered") return;
    // A language model at work would spoil the figures: see `rest`.
    if (this.#measuring || this.#surroundings.sparesData() || this.rewriter?.isAtWork) return;
    this.#measuring = true;
    try {
      const { ReadingClient } = await import("./reading-client.js");
      const { wish, site } = this.#surroundings;
      const onChange = () => {
        this.readingLines = reading.lines;
        this.#hooks.onReading();
      };
      const reading = new ReadingClient(wish, onChange, site?.());
      this.#gpuReading = reading;
      await reading.measure(asked, result);
    } catch {
      // The part that would measure could not be loaded: the processor reads, as it did.
      this.#measuring = false;
    }
    // The worker has the answer that the graphics processor found, and prose is written from that.
    if (this.#gpuReading?.disagrees && asked === this.asked) await asked.read().catch(() => null);
  }

  /** @param {PartName} name @param {Partial<Part>} change */
  #put(name, change) {
    this.#parts[name] = { ...this.#parts[name], error: null, ...change };
    this.#hooks.onPart(name, this.#parts[name]);
    if (change.state === "failed") this.#settle();
  }

  /** @param {SessionState} state */
  #become(state) {
    this.state = state;
    this.#hooks.onState(state);
  }
}

/** Whether a result was searched for in other words too. @param {AskResult | null} result */
export const isReworded = (result) => (result?.trace.phrasings ?? []).length > 0;
