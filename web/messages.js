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
 * A model that the site offers, how many bytes it takes to fetch, and how many
 * its largest part takes on a device, where the site tells.
 * @typedef {{ name: string, bytes: number }} ModelSummary
 */

/**
 * What a site says about itself.
 * @typedef {object} SiteManifest
 * @property {string} title
 * @property {string} description
 * @property {string} language  "en", "de" or "none"
 * @property {string[]} examples  questions to start from
 * @property {string} [contact]  whom a reader can ask; may be empty
 * @property {{ documents: number, chunks: number }} counts
 * @property {{ bytes: number } | null} [instant]  what searches by meaning, roughly, before the reading model is there
 * @property {ModelSummary | null} encoder  the reading model
 * @property {ModelSummary | null} [reader]  what finds the words that answer in a passage
 * @property {ModelSummary | null} [checker]  what says whether a passage supports a sentence
 * @property {"flag" | "remove"} [unsupported]  what becomes of a sentence that no passage says
 * @property {ModelSummary | null} prose  the language model
 * @property {{ bytes: number }} [index]  what the whole index takes to fetch, models aside
 * @property {string} [built]  when the site was built, ISO 8601
 */

/**
 * What a reader tells of themselves.
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
 */

/**
 * What makes a difference to a site's documents; a list is empty where it does not.
 * @typedef {object} AudienceChoices
 * @property {string[]} programmes
 * @property {string[]} departments
 * @property {string[]} faculties
 * @property {string[]} specialisations
 * @property {string[]} batches
 * @property {string[]} courses
 * @property {boolean} years
 * @property {boolean} semesters
 */

/**
 * A passage that would be among the sources if it were for the reader.
 * @typedef {object} LeftOut
 * @property {number} chunk
 * @property {string} title
 * @property {string} document
 * @property {string | null} [link]
 * @property {string} audience  whom it is for, in words
 * @property {string[]} reasons  what keeps it from the reader, in words
 */

/**
 * Two sources that state different values for the same thing.
 * @typedef {object} LevelDifference
 * @property {string} words
 * @property {{ source: number, level: string, value: string, sentence: string }} nearer
 * @property {{ source: number, level: string, value: string, sentence: string }} farther
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
 * @property {StageScore | null} [instant]  by the static encoder, in place of the reading model
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
 * @property {{ number: number, label: string } | null} [page]  where it begins, in a document with pages
 * @property {string} text
 * @property {TextRange} span  bytes of the document's text, not UTF-16 units
 * @property {{ title: string, document: string, link?: string | null }[]} [also]  other documents that say the same
 * @property {TextRange | null} [mark]  the part of the text that was found, where parts are searched
 * @property {Scores} scores
 * @property {{ text: string, cosine: number, gap: number }} [question]  the documents' own question above it, where that is near
 * @property {boolean} [is_named]  of one of several pages of one make, where the question names some: whether it names this one
 * @property {number} chunk
 */

/**
 * @typedef {object} Answer
 * @property {"direct" | "section" | "possible_section" | "qualified" | "refusal"} kind  a section: the passage as a whole, `marks` in it
 * @property {string} text
 * @property {number | null} [source]  number of the source that the answer is taken from
 * @property {string} [question]  the documents' own question that it answers, of an entry of a FAQ
 * @property {TextRange | null} [highlight]  the sentence, within that source's text
 * @property {TextRange | null} [exact]  the words in it that answer, within that source's text
 * @property {TextRange[]} [marks]  sentences of a section that come nearest to answering, within its text
 */

/**
 * Part of a form: words of a source.
 * @typedef {object} FormPart
 * @property {string | null} [name]  a column of a table, a side of a comparison
 * @property {string | null} [value]  a day in ISO 8601, or "yes", "no" or "conditional"
 * @property {number} source  number of its source
 * @property {TextRange} span  within that source's text
 */

/**
 * An answer in the form that its question asks for.
 * @typedef {object} AnswerForm
 * @property {"date" | "date_range" | "amount" | "steps" | "list" | "comparison" | "permission" | "row"} kind
 * @property {FormPart[]} parts
 */

/**
 * What a reader has to choose between: the sources answer differently for different readers.
 * @typedef {object} Choice
 * @property {"course" | "programme" | "specialisation" | "department" | "faculty" | "batch"} asks  the field of a profile that decides
 * @property {{ value: string, source: number }[]} options
 */

/**
 * A question in other words, as a language model on this device wrote them.
 * @typedef {object} OtherWords
 * @property {string[]} phrasings  other ways to ask it
 * @property {string | null} [passage]  made up: how a passage that answers might read
 */

/**
 * Other words that a question was searched with.
 * @typedef {{ question: string, passage?: undefined } | { passage: string, question?: undefined }} Phrasing
 */

/**
 * A word that no document has, and the one that was searched for in its place.
 * @typedef {{ word: string, instead: string }} Correction
 */

/**
 * What comes back for a question.
 * @typedef {object} AskResult
 * @property {string} question
 * @property {Answer} answer
 * @property {AnswerForm | null} [form]  where one fits
 * @property {Choice | null} [choice]  where the answer is another for other readers
 * @property {Source[]} sources
 * @property {LeftOut[]} [left_out]
 * @property {LevelDifference[]} [differences]
 * @property {number} [confidence]  how probable it is that the answer is right, 0 to 1
 * @property {string[]} [unmatched]  words of the question that no passage near it has
 * @property {string | null} [missing_side]  the side of a comparison that no source is about, as the question calls it
 * @property {string | null} [asked_in]  the language that the question is asked in, where that is plainly not the documents'
 * @property {"lexical" | "instant" | "hybrid"} stage
 * @property {boolean} [read]  whether the passages were read for the words that answer
 * @property {boolean} [takes_prose]  whether the language model may be asked to word the answer
 * @property {string[]} [problems]  parts of the site that could not be used, each named
 * @property {{ phrasings?: Phrasing[], corrections?: Correction[] }} [trace]  what each stage of the search did
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
 * A row of a table.
 * @typedef {object} ReaderTableRow
 * @property {boolean} is_head
 * @property {{ text: string, is_header: boolean, columns: number, rows: number }[]} cells
 */

/**
 * A table; each of `lines` is a row as it stands in the document's text.
 * @typedef {object} ReaderTable
 * @property {string} caption
 * @property {ReaderTableRow[]} rows
 * @property {{ row: number, start: number, end: number }[]} lines
 */

/**
 * A whole document with one passage marked.
 * @typedef {object} ReaderDocument
 * @property {string} title
 * @property {string} path
 * @property {string | null} [link]
 * @property {ReaderSection[]} sections
 * @property {ReaderTable[]} tables
 * @property {string} text
 * @property {TextRange} passage
 */

/**
 * What the language model is asked, after `examples` of how it is to answer; `evidence` is what it may
 * state numbers, dates, codes and addresses from.
 * @typedef {{ system: string, examples?: { user: string, reply: string }[], user: string, evidence: string[] }} ProsePrompt
 */

/**
 * A sentence of prose, and what it rests on.
 * @typedef {object} CitedSentence
 * @property {TextRange} span  in the prose
 * @property {"supported" | "aside" | "unsupported" | "nothing" | "declined"} support  `aside`: found in other words than the answer's
 * @property {number | null} [source]  number of the source that comes nearest
 * @property {TextRange | null} [highlight]  where in that source's text
 * @property {string[]} unstated  its numbers, dates, codes and names that do not stand there
 * @property {number | null} [entailed]  how probable a checker finds it that it follows from there
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
 * @property {boolean} isolated  cross-origin isolated: memory can be shared between workers
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
 * several workers that compute on the processor is gone.
 * @typedef {"device-lost" | "gpu-error" | "gpu-memory" | "memory" | "broken" | "silent" | "unread" | "helper-lost"} Trouble
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
 * @property {{ takes: {}, gives: AudienceChoices }} choices
 * @property {{ takes: { question: string, today: string }, gives: Source[] | null }} find
 * @property {{ takes: { question: string, earlier: string[] }, gives: string | null }} follow-up
 * @property {{ takes: { question: string, asker: Asker, words?: OtherWords }, gives: AskResult }} ask
 * @property {{ takes: { question: string, asker: Asker, words?: OtherWords }, gives: AskResult | null }} read
 * @property {{ takes: { question: string, asker: Asker, words?: OtherWords }, gives: string[] | null }} to-read  the question and its passages
 * @property {{ takes: { question: string, asker: Asker, words?: OtherWords, numbers: Float32Array }, gives: AskResult | null }} read-with
 * @property {{ takes: {}, gives: null }} load-instant
 * @property {{ takes: {}, gives: null }} load-encoder
 * @property {{ takes: {}, gives: null }} load-span-reader
 * @property {{ takes: { chunk: number }, gives: ReaderDocument }} document
 * @property {{ takes: {}, gives: null }} prefetch
 * @property {{ takes: { question: string, asker: Asker, words?: OtherWords }, gives: ProsePrompt }} prose-prompt
 * @property {{ takes: { question: string, asker: Asker, words?: OtherWords, prose: string }, gives: CitedSentence[] }} cite
 */

/**
 * The requests that `prose-worker.js` answers. `workers` are how many shall compute on the
 * processor, and how many do; `rewords` is whether the site wants questions in other words.
 * @typedef {object} ProseRequests
 * @property {{ takes: { wish: DeviceWish }, gives: DeviceReport }} probe
 * @property {{ takes: { device: ProseDevice, bytes: number, workers: number }, gives: { device: ProseDevice, workers: number, rewords: boolean } }} open
 * @property {{ takes: { prompt: ProsePrompt, maxTokens: number }, gives: ProseResult }} generate
 * @property {{ takes: { question: string }, gives: OtherWords & { stopped: boolean } }} reword
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
/** Asks the prose worker to end the text after the present token. @typedef {{ kind: "stop" }} Stop */

/** @typedef {{ kind: "result", id: number, value: unknown }} ResultMessage */
/** @typedef {{ kind: "failure", id: number, message: string, trouble?: Trouble }} FailureMessage */
/** Bytes so far and bytes in all; `total` is 0 while unknown. @typedef {{ kind: "progress", id: number, loaded: number, total: number }} ProgressMessage */
/** A piece of generated text. @typedef {{ kind: "token", id: number, text: string }} TokenMessage */
/** Answers a ping; `fetching` counts the requests on the network. @typedef {{ kind: "pong", fetching: number }} PongMessage */
/** Something worth telling the reader that is no failure. @typedef {{ kind: "notice", message: string }} NoticeMessage */
/** The worker can no longer be trusted and wants to be replaced. @typedef {{ kind: "fatal", message: string, trouble: Trouble }} FatalMessage */

/** @typedef {ResultMessage | FailureMessage | ProgressMessage | TokenMessage | PongMessage | NoticeMessage | FatalMessage} WorkerMessage */

export {};
