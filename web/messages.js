// @ts-check
/**
 * The words that the page and its workers say to each other.
 *
 * Nothing here runs: the file holds types only, so that both sides of each
 * `postMessage` are checked against one description. Everything is plain data.
 * Replies are typed in Rust: `wasm-bindgen` writes their types beside the modules.
 */

/** @import { AskResult, Choices, CitedSentence, Contents, Manifest, ProsePrompt, Source, SourceDocument } from "./pkg/core/campanile_core.js" */
/** @import { OtherWords, ProseResult } from "./pkg/gpu/campanile_gpu.js" */
/** @import { Part } from "./single-file.js" */

/**
 * What a visitor tells of themselves.
 * @typedef {object} Profile
 * @property {string} [programme]
 * @property {string} [department]
 * @property {string} [faculty]
 * @property {string} [specialisation]
 * @property {string} [batch]  the year in which they began, or its name
 * @property {number} [year]  of study, from 1
 * @property {number} [semester]  of study, from 1
 * @property {string[]} [courses]  taken now or before
 */

/**
 * What the search is told of who asks.
 * @typedef {object} Asker
 * @property {string} profile  a profile with the day, as JSON
 * @property {boolean} everyone  whether documents for others are searched too
 * @property {string} [settings]  those of `[search]` that are others than the site's, as JSON
 */

/** @typedef {"webgpu" | "cpu"} ProseDevice */

/**
 * What the page asks for: the best device there is; the processor; or also a
 * WebGPU adapter that computes in software, which is of use for tests alone.
 * @typedef {"auto" | "cpu" | "software"} DeviceWish
 */

/**
 * What a model needs of a device.
 * @typedef {object} ModelNeeds
 * @property {number} bytes  of the whole model
 */

/**
 * What an adapter says of itself.
 * @typedef {object} AdapterFacts
 * @property {string} name
 * @property {boolean} software  computes on the processor
 * @property {boolean} f16
 * @property {boolean} timestamps
 * @property {number} maxBindingBytes
 * @property {number} maxBufferBytes
 */

/**
 * What the browser says of the device.
 * @typedef {object} DeviceFacts
 * @property {boolean} secure  served over HTTPS or from this machine; without it there is no WebGPU
 * @property {boolean} webgpu
 * @property {AdapterFacts | null} adapter
 * @property {boolean} simd
 * @property {boolean} relaxedSimd
 * @property {boolean} isolated  the page is cross-origin isolated
 * @property {boolean} sharedMemory  and workers can share memory, as it lets them in most browsers
 * @property {number} cores  logical processors; some browsers name fewer than there are
 * @property {number | null} memoryGigabytes  rounded by the browser; most tell nothing
 */

/**
 * Why the model runs on the processor: what the probe found ("none": it does
 * not), or what came of the graphics processor when it was tried.
 * @typedef {"none" | "chosen" | "no-webgpu" | "no-adapter" | "software"
 *   | "failed" | "lost" | "gpu-memory"} FallbackReason
 */

/**
 * What the probe found: where the model shall run, why, and the findings for engineers.
 * @typedef {object} DeviceReport
 * @property {ProseDevice} device
 * @property {FallbackReason} reason
 * @property {number} workers  how many are to compute where it is the processor
 * @property {string[]} lines
 * @property {DeviceFacts} facts
 */

/**
 * What has gone wrong with a worker or in it, as far as it changes what is done next:
 * the graphics device was lost, reported an error, or had no room; this tab had no
 * room; the program broke down, or went silent; a file could not be read; one of
 * several workers that compute on the processor is gone; the worker knows nothing of the question (any more);
 * the browser runs no such program.
 * @typedef {"device-lost" | "gpu-error" | "gpu-memory" | "memory" | "broken" | "silent" | "unread" | "helper-lost" | "forgotten" | "browser"} Trouble
 */

/**
 * What reading the same passages took on both devices.
 * @typedef {object} ReadingMeasurement
 * @property {string} adapter
 * @property {string} model  the program and the models that were run, by what their files are named after
 * @property {number} passages
 * @property {number} processorMs
 * @property {number} gpuMs
 * @property {boolean} agrees  whether both gave the same answer
 */

/**
 * The requests that `worker.js` answers, with what each takes and gives back. `asked` is the number of a question: what
 * is made of its answer is asked by it.
 * @typedef {object} CoreRequests
 * @property {{ takes: {}, gives: Manifest }} manifest
 * @property {{ takes: {}, gives: Choices }} choices
 * @property {{ takes: { question: string, today: string }, gives: Source[] | null }} find
 * @property {{ takes: { question: string, earlier: string[] }, gives: string | null }} follow-up
 * @property {{ takes: { asked: number, question: string, asker: Asker, words?: OtherWords | undefined }, gives: AskResult }} ask
 * @property {{ takes: { asked: number }, gives: AskResult | null }} read
 * @property {{ takes: { asked: number }, gives: string[] }} passages
 * @property {{ takes: { asked: number, numbers: Float32Array }, gives: AskResult }} read-with
 * @property {{ takes: { asked: number }, gives: ProsePrompt }} prompt
 * @property {{ takes: { asked: number, prose: string }, gives: CitedSentence[] }} cite
 * @property {{ takes: {}, gives: null }} load-instant
 * @property {{ takes: {}, gives: null }} load-encoder
 * @property {{ takes: {}, gives: null }} load-span-reader
 * @property {{ takes: object, gives: Contents[] }} contents
 * @property {{ takes: { chunk: number }, gives: SourceDocument }} document
 * @property {{ takes: {}, gives: null }} prefetch
 */

/**
 * The requests that `prose-worker.js` answers. `workers` are how many shall compute on the
 * processor, and how many do; `rewords` is whether the site wants questions in other words.
 * @typedef {object} ProseRequests
 * @property {{ takes: { wish: DeviceWish }, gives: DeviceReport }} probe
 * @property {{ takes: { device: ProseDevice, bytes: number, workers: number }, gives: { device: ProseDevice, workers: number, rewords: boolean } }} open
 * @property {{ takes: { prompt: ProsePrompt, maxTokens: number }, gives: ProseResult }} generate
 * @property {{ takes: { question: string }, gives: OtherWords }} reword
 */

/**
 * The requests that `reading-worker.js` answers; `model` names the program and the models that it would run.
 * @typedef {object} ReadingRequests
 * @property {{ takes: { wish: DeviceWish }, gives: { report: DeviceReport, model: string } }} probe
 * @property {{ takes: {}, gives: null }} open
 * @property {{ takes: { question: string, passages: string[] }, gives: Float32Array }} read
 */

/**
 * @template {Record<string, { takes: object, gives: unknown }>} Requests
 * @template {keyof Requests} [Kind=keyof Requests]
 * @typedef {{ id: number, kind: Kind, payload: Requests[Kind]["takes"] }} Request
 */

/** Sent now and then while a request is open, to see whether the worker still listens. @typedef {{ kind: "ping" }} Ping */
/** Comes before all requests where the site is not the one that the worker's script is served from, and where there is nothing but the page. @typedef {{ kind: "site", site: string, parts?: Map<string, Part> }} SiteMessage */
/** Asks the prose worker to end the text after the present token. @typedef {{ kind: "stop" }} Stop */

/** @typedef {{ kind: "result", id: number, value: unknown }} ResultMessage */
/** @typedef {{ kind: "failure", id: number, message: string, trouble?: Trouble }} FailureMessage */
/** Bytes so far and bytes in all; `total` is 0 while unknown. @typedef {{ kind: "progress", id: number, loaded: number, total: number }} ProgressMessage */
/** A piece of generated text. @typedef {{ kind: "token", id: number, text: string }} TokenMessage */
/** Answers a ping; `fetching` counts the requests on the network, `received` the bytes that came of them. @typedef {{ kind: "pong", fetching: number, received: number }} PongMessage */
/** Something worth telling the visitor that is no failure. @typedef {{ kind: "notice", message: string }} NoticeMessage */
/** The worker can no longer be trusted and wants to be replaced. @typedef {{ kind: "fatal", message: string, trouble: Trouble }} FatalMessage */

/** @typedef {ResultMessage | FailureMessage | ProgressMessage | TokenMessage | PongMessage | NoticeMessage | FatalMessage} WorkerMessage */

export {};
