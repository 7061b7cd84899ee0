// @ts-check
/**
 * The words that the page and its workers say to each other.
 *
 * Nothing here runs: the file holds types only, so that both sides of each
 * `postMessage` are checked against one description. Everything is plain data.
 */

/**
 * A half-open range of UTF-16 code units, ready for `String.prototype.slice`.
 * @typedef {{ start: number, end: number }} TextRange
 */

/**
 * A model that the site offers, and how many bytes it takes to fetch.
 * @typedef {{ name: string, bytes: number }} ModelSummary
 */

/**
 * What a site says about itself.
 * @typedef {object} SiteManifest
 * @property {string} title
 * @property {string} description
 * @property {string} language  "en", "de" or "none"
 * @property {string[]} examples  questions to start from
 * @property {{ documents: number, chunks: number }} counts
 * @property {ModelSummary | null} encoder  the reading model
 * @property {ModelSummary | null} prose  the language model
 * @property {{ bytes: number }} [index]  what the whole index takes to fetch, models aside
 * @property {string} [built]  when the site was built, ISO 8601
 */

/**
 * A place in one ranking; ranks count from 1.
 * @typedef {{ rank: number, score: number }} StageScore
 */

/**
 * How one passage came to its place. `null` means that this way of searching
 * did not find the passage.
 * @typedef {object} Scores
 * @property {StageScore | null} lexical
 * @property {StageScore | null} dense
 * @property {StageScore} fused
 */

/**
 * One passage among the sources of an answer.
 * @typedef {object} Source
 * @property {number} number  1-based, as cited
 * @property {string} document  path of the document, relative to the folder that was built
 * @property {string} title
 * @property {string[]} section  headings from the top of the document
 * @property {string | null} [link]  the document's public address
 * @property {string | null} [anchor]  the section's fragment in the document, without "#"
 * @property {string} text
 * @property {TextRange} span  bytes of the document's text, not UTF-16 units
 * @property {Scores} scores
 * @property {number} chunk
 */

/**
 * @typedef {object} Answer
 * @property {"extract" | "refusal"} kind
 * @property {string} text
 * @property {number | null} [source]  number of the source that the answer is taken from
 * @property {TextRange | null} [highlight]  the sentence, within that source's text
 */

/**
 * What comes back for a question.
 * @typedef {object} AskResult
 * @property {string} question
 * @property {Answer} answer
 * @property {Source[]} sources
 * @property {"lexical" | "hybrid"} stage
 * @property {string[]} [problems]  parts of the site that could not be used, each named
 * @property {Record<string, number>} timings_ms
 */

/**
 * A section of a document, as the passage reader shows it.
 * @typedef {object} ReaderSection
 * @property {string} heading
 * @property {number} level  0 before the first heading
 * @property {number} start
 * @property {number} end
 */

/**
 * A whole document with one passage marked.
 * @typedef {object} ReaderDocument
 * @property {string} title
 * @property {string} path
 * @property {string | null} [link]
 * @property {ReaderSection[]} sections
 * @property {string} text
 * @property {TextRange} passage
 */

/** @typedef {{ system: string, user: string }} ProsePrompt */

/** @typedef {"webgpu" | "cpu"} ProseDevice */

/**
 * @typedef {object} ProseResult
 * @property {string} text
 * @property {number} tokens
 * @property {number} milliseconds
 * @property {boolean} stopped  true when the reader stopped it
 */

/**
 * The requests that `worker.js` answers, with what each takes and gives back.
 * @typedef {object} CoreRequests
 * @property {{ takes: {}, gives: SiteManifest }} manifest
 * @property {{ takes: { question: string }, gives: AskResult }} ask
 * @property {{ takes: {}, gives: null }} load-encoder
 * @property {{ takes: { chunk: number }, gives: ReaderDocument }} document
 * @property {{ takes: {}, gives: null }} prefetch
 * @property {{ takes: { question: string }, gives: ProsePrompt }} prose-prompt
 */

/**
 * The requests that `prose-worker.js` answers.
 * @typedef {object} ProseRequests
 * @property {{ takes: {}, gives: ProseDevice }} probe
 * @property {{ takes: { device: ProseDevice, bytes: number }, gives: ProseDevice }} open
 * @property {{ takes: { prompt: ProsePrompt, maxTokens: number }, gives: ProseResult }} generate
 */

/**
 * @template {Record<string, { takes: object, gives: unknown }>} Requests
 * @template {keyof Requests} [Kind=keyof Requests]
 * @typedef {{ id: number, kind: Kind, payload: Requests[Kind]["takes"] }} Request
 */

/** Sent now and then while a request is open, to see whether the worker still listens. @typedef {{ kind: "ping" }} Ping */
/** Asks the prose worker to end the text after the present token. @typedef {{ kind: "stop" }} Stop */

/** @typedef {{ kind: "result", id: number, value: unknown }} ResultMessage */
/** @typedef {{ kind: "failure", id: number, message: string }} FailureMessage */
/** Bytes so far and bytes in all; `total` is 0 while unknown. @typedef {{ kind: "progress", id: number, loaded: number, total: number }} ProgressMessage */
/** A piece of generated text. @typedef {{ kind: "token", id: number, text: string }} TokenMessage */
/** Answers a ping; `fetching` counts the requests on the network. @typedef {{ kind: "pong", fetching: number }} PongMessage */
/** Something worth telling the reader that is no failure. @typedef {{ kind: "notice", message: string }} NoticeMessage */
/** The worker can no longer be trusted and wants to be replaced. @typedef {{ kind: "fatal", message: string }} FatalMessage */

/** @typedef {ResultMessage | FailureMessage | ProgressMessage | TokenMessage | PongMessage | NoticeMessage | FatalMessage} WorkerMessage */

export {};
