// @ts-check
/** What the page says, in English. The other languages are files like this one, with the same names. */

import { counter } from "./counter.js";

const count = counter("en");
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
/** @param {number} rank */
const ordinal = (rank) => `${rank}${ENDINGS[ordinals.select(rank)]}`;
const documents = (/** @type {number} */ n) => count(n, { one: "document", other: "documents" });
const passages = (/** @type {number} */ n) => count(n, { one: "passage", other: "passages" });

export const words = {
  language: "en",
  direction: /** @type {"ltr" | "rtl"} */ ("ltr"),
  documents,
  passages,

  close: "Close",
  cancel: "Cancel",
  tryAgain: "Try again",
  startAgain: "Start again",
  details: "What happened, in detail",
  source: (/** @type {number} */ number, /** @type {string} */ title) => `Source ${number}: ${title}`,
  page: (/** @type {string} */ label) => `page ${label}`,

  size: {
    bytes: (/** @type {number} */ n) => count(n, { one: "byte", other: "bytes" }),
    progress: (/** @type {string} */ loaded, /** @type {string} */ total) => `${loaded} of ${total}`,
    underAMillisecond: "under 1 ms",
  },

  box: {
    label: "Your question",
    placeholder: "Ask in your own words",
    ask: "Ask",
    opener: "Ask the documents",
    examples: "Questions to start from",
    doing: "What this page is doing",
    control: "Ctrl",
  },

  status: {
    opening: "Opening the index",
    searching: "Searching …",
    quiet: "This takes longer than it should: nothing has arrived for a while.",
    byKeywords: (/** @type {string} */ time) => `Searched by keywords in ${time}`,
    byRoughMeaning: (/** @type {string} */ time) => `Searched by keywords and, roughly, by meaning in ${time}`,
    byMeaning: (/** @type {string} */ time) => `Searched by keywords and meaning in ${time}`,
    byKeywordsReworded: (/** @type {string} */ time) => `Searched by keywords, in other words too, in ${time}`,
    byRoughMeaningReworded: (/** @type {string} */ time) =>
      `Searched by keywords and, roughly, by meaning, in other words too, in ${time}`,
    byMeaningReworded: (/** @type {string} */ time) =>
      `Searched by keywords and meaning, in other words too, in ${time}`,
    rewording: "Putting the question in other words …",
    roughToSpareData: "Meaning only roughly, to spare your data.",
    keywordsToSpareData: "Keywords only, to spare your data.",
    fetchModel: (/** @type {string} */ size) => `Fetch the reading model, ${size}`,
    roughWithoutModel: "Meaning only roughly: the reading model is not there.",
    keywordsWithoutModel: "Keywords only: the reading model is not there.",
    keywordsUntilModel: "Keywords only until the reading model is there.",
    modelReadies: "Getting the reading model ready",
    modelArrives: "Reading model arriving",
    wholeSentences: "Answers are whole sentences: what finds the words in them is not there.",
    offerKeeping: "To ask without a network, keep the whole index on this device.",
    keep: "Keep it",
    keepSize: (/** @type {string} */ size) => `Keep it, ${size}`,
    keeping: "Keeping the index for offline use",
    notAllKept: "Not all of the index could be kept for use without a network.",
    noNetwork: "No network: answers come from what this device has kept.",
    incomplete: "Part of this site did not arrive, so something may be missing here.",
    partsMissing:
      "Part of this page could not be loaded: the form about you, or the text in own words. Reload it to try again.",
    noDocument: (/** @type {string} */ why) => `The document could not be opened. ${why}`,
    howRead: "How passages are read",
  },

  trouble: {
    offline: "There is no network, and this device has not kept what that takes.",
    program:
      "The program that searches did not arrive whole, or broke down. Try again; if it stays so, tell the people who publish this site.",
    part: "Part of this site did not arrive as it should. Try again; if it stays so, tell the people who publish this site.",
    browser:
      "This browser cannot run the program that searches: it is too old, or a strict security setting (such as Lockdown Mode) switches WebAssembly off. Please use another browser, or allow it for this site.",
    notOpened: "This site’s index could not be opened.",
    notAnswered: "This question could not be answered.",
  },

  spoken: {
    forEverybody: "Searching for everybody.",
    forYou: "Searching for you.",
    refined: "The results have been refined by meaning.",
    direct: (/** @type {number} */ n) => `Answer shown, with ${passages(n)}.`,
    section: (/** @type {number} */ n) => `A section that covers it is shown, with ${passages(n)}.`,
    possible_section: (/** @type {number} */ n) => `A section that may cover it is shown, with ${passages(n)}.`,
    qualified: (/** @type {number} */ n) => `Possible answer shown, with ${passages(n)}.`,
    refusal: (/** @type {number} */ n) => `No clear answer found, with ${passages(n)}.`,
  },

  answer: {
    direct: "Answer",
    section: "This section covers it",
    possible_section: "This section may cover it",
    qualified: "Possible answer",
    refusal: "No clear answer found",
    looking: "Looking for the answer",
    incomplete: "Not everything could be searched",
    incompleteRefusal: "In what has arrived of this site there is no clear answer. What has not may hold one.",
    unclear: "No passage clearly answers this.",
    nothing: "Nothing in the documents matches this question.",
    wordsAlone: "Passages with words of the question",
    quotedFrom: "Quoted from ",
    ask: "Ask: ",
    yes: "Yes",
    no: "No",
    depends: "It depends",
    awaitsProgram:
      "Passages with words of the question are here already. The program that looks for the answer in them is on its way.",
    beingRead: "The passages are here. They are being read for the words that answer.",
    awaitsModel: "Passages are here already. The model that looks for the answer in them is on its way.",
    awaitsMeaning: "By its words alone nothing was found so far. The model that searches by meaning is on its way.",
  },

  advice: {
    otherPage: (/** @type {string} */ title) =>
      `This is from “${title}”, which is not the page that the question names.`,
    eachSide: "Not sure: for each side this is what comes nearest.",
    oddsOfAnswer: (/** @type {number} */ of) => `Not sure: about one in ${NUMBERS[of]} of such answers is right.`,
    oddsOfSection: (/** @type {number} */ of) =>
      `Not sure: about one in ${NUMBERS[of]} of such sections holds what is asked.`,
    sideMissing: (/** @type {string} */ side) => `No passage near it is about “${side}”.`,
    otherLanguage: (/** @type {string} */ language) =>
      `The documents are not in ${language}: asked in their language, this may find more.`,
    fewerWords: "Other words, or fewer of them, may find more.",
    nearestByWords: (/** @type {number} */ n) =>
      `Searched by their words: ${documents(n)}. The nearest passages are listed as they are.`,
    nearestByMeaning: (/** @type {number} */ n) =>
      `Searched by their words and their meaning: ${documents(n)}. The nearest passages are listed as they are.`,
    nearest: "The nearest passages are listed as they are.",
    nameIt: "Other words, or the name of a course or an office, may find more.",
    wordMissing: (/** @type {string[]} */ missing) =>
      `No passage near it has ${either(missing.map((word) => `“${word}”`))}: another word for it may find more.`,
  },

  sources: {
    passages: "Passages",
    byKeywords: "Passages found by keywords",
    sources: "Sources",
    nearest: "Nearest passages",
    alsoIn: "The same stands in",
    rankByKeywords: (/** @type {number} */ rank) => `${ordinal(rank)} by keywords`,
    rankByMeaning: (/** @type {number} */ rank) => `${ordinal(rank)} by meaning`,
    rankByRoughMeaning: (/** @type {number} */ rank) => `${ordinal(rank)} by meaning, roughly`,
  },

  reader: {
    opening: "Opening the document …",
    open: "Open the document",
    newTab: " (in a new tab)",
    long: "This document is very long; the part around the passage is shown. ",
    all: "Show all of it",
    failed: (/** @type {string} */ why) => `The whole document could not be opened. ${why}`,
    passage: "This is the passage itself:",
    table: "Table",
  },

  notes: {
    askedAs: "Asked as: ",
    asTyped: "Ask the words as I typed them",
    narrowed: (/** @type {string} */ field, /** @type {string} */ value) =>
      `For ${field} ${value}, this question alone. `,
    forAll: "Ask it for all",
    everyone: "Passages for others are shown too. ",
    mineOnly: "Show only those for me",
    showOne: "Show it",
    showAll: "Show them",
    forOthers: (/** @type {number} */ n) =>
      count(n, { one: "passage is for others", other: "passages are for others" }),
    notToday: (/** @type {number} */ n) =>
      count(n, { one: "passage does not hold today", other: "passages do not hold today" }),
    differs: (
      /** @type {string} */ told,
      /** @type {string} */ _nearer,
      /** @type {string} */ _near,
      /** @type {string} */ _farther,
      /** @type {string} */ _far,
    ) => `${told}`,
    reason: (/** @type {string} */ aspect, /** @type {string} */ document, /** @type {string} */ profile) =>
      `${aspect}: for ${document}, and the profile says ${profile}`,
    untimely: (/** @type {string} */ document, /** @type {string} */ day) =>
      `${document}, and the day asked for is ${day}`,
    corrected: (/** @type {string} */ instead, /** @type {string} */ word) =>
      `Searched for “${instead}”: no document has “${word}”.`,
    depends: (/** @type {string} */ field) => `The answer depends on the ${field}. For which one?`,
    madeUp: "A passage made up to look for others like it, and taken from no document: ",
    otherWords: (/** @type {number} */ n) =>
      `Also searched in ${count(n, { one: "other wording", other: "other wordings" })}, written by the language model on this device.`,
  },

  /** The fields of a profile, as they stand in a sentence. */
  fields: {
    programme: "programme",
    department: "department",
    faculty: "faculty",
    specialisation: "specialisation",
    batch: "batch",
    course: "course",
    year: "year of study",
    semester: "semester of study",
  },

  profile: {
    heading: "Who is asking?",
    note: "Documents that are for others are left out, and you are told of them. What you say here stays on this device.",
    save: "Search for me",
    forget: "Forget this",
    notTold: "not told",
    programme: "Degree programme",
    department: "Department",
    faculty: "Faculty",
    specialisation: "Specialisation",
    batch: "Batch (the year in which you began)",
    year: "Year of study",
    semester: "Semester of study",
    courses: "Courses that you take or have taken",
    for: "for: ",
    everybody: "everybody",
    change: (/** @type {string} */ who) => `Searching for: ${who}. Change`,
    tell: "Searching for everybody. Say who you are",
    ofFaculty: (/** @type {string} */ name) => `faculty ${name}`,
    ofBatch: (/** @type {string} */ name) => `batch ${name}`,
    ofYear: (/** @type {number} */ n) => `year ${n}`,
    ofSemester: (/** @type {number} */ n) => `semester ${n}`,
    ofCourses: (/** @type {number} */ n) => count(n, { one: "course", other: "courses" }),
  },

  prose: {
    heading: "Written by a language model",
    write: "Write an answer with a language model (runs on this device)",
    writeAfter: (/** @type {string} */ size) => `Write an answer with a language model (${size}, runs on this device)`,
    ready: (/** @type {string} */ model) =>
      `An experiment. ${model} is ready. It is told only the passages shown here, and it misses the point more often than they do.`,
    fetches: (/** @type {string} */ model) =>
      `An experiment. Fetches ${model} once and keeps it. It is told only the passages shown here, misses the point more often than they do, and nothing leaves this device.`,
    reading: "Reading the passages",
    isReading: (/** @type {string} */ where) => `The language model is reading the passages. ${where}`,
    writing: "Writing",
    writingWords: (/** @type {number} */ n) => `Writing: ${count(n, { one: "word", other: "words" })}`,
    readies: "Getting ready",
    asksForProgram: "Asking for the program that runs the model",
    fetchesProgram: "Downloading the program that runs the model",
    fetchesModel: (/** @type {string} */ model) => `Downloading ${model}`,
    fetchesSize: (/** @type {string} */ model, /** @type {string} */ size) => `Downloading ${model}, ${size}`,
    modelReadies: (/** @type {string} */ model) => `Getting ${model} ready`,
    stop: "Stop",
    again: "Write it again",
    by: (/** @type {string} */ model) => `Written by ${model} on this device.`,
    stoppedBy: (/** @type {string} */ model) => `Stopped. Written by ${model} on this device.`,
    pace: (/** @type {number} */ tokens, /** @type {string} */ time) => ` ${tokens} tokens in ${time}.`,
    beware: " It can be wrong: hold it against the sources.",
    wasStopped: "The language model was stopped.",
    hasFinished: "The language model has finished writing.",
    checking: "Holding each sentence against the sources…",
    unchecked: (/** @type {string} */ why) => `The sentences could not be held against the sources. ${why}`,
    uncheckedHidden: (/** @type {string} */ why) =>
      `The sentences could not be held against the sources, so none is shown. ${why}`,
    tryProcessor: "Try on the processor (slower)",
    device: "What this device can do",
    notFound: "The model did not find the answer in these passages.",
    noClaims: "No sentence claims anything that could be held against the sources.",
    allFound:
      "Each sentence was found in the sources, as far as a small network can tell. Whether it answers the question is for you to judge.",
    noneShown: "Nothing that the model wrote was both found in the sources and to the point, so none of it is shown.",
    marked: (/** @type {number} */ n, /** @type {number} */ of) =>
      `Held against the sources, ${count(n, { one: "sentence", other: "sentences" })} of ${of} could not be found there and ${n === 1 ? "is" : "are"} marked.`,
    leftOut: (/** @type {number} */ n, /** @type {number} */ of) =>
      `Held against the sources, ${count(n, { one: "sentence", other: "sentences" })} of ${of} could not be found there or ${n === 1 ? "is" : "are"} beside the point, and ${n === 1 ? "is" : "are"} left out.`,
    unfound: " (not found in the sources)",
    unstated: (/** @type {string} */ what) => ` (not in the sources: ${what})`,
  },

  copy: {
    copy: "Copy",
    text: "As text, with its source",
    markdown: "As Markdown",
    link: "A link to this question",
    done: "Copied.",
    byHand: "This page may not write to the clipboard: copy it from here.",
    print: "Print",
    asked: (/** @type {string} */ question, /** @type {string} */ site, /** @type {string} */ day) =>
      `Asked “${question}” of ${site}, ${day}:`,
  },

  judge: {
    ask: "Was this right?",
    yes: "Yes",
    no: "No",
    thanks: "Noted on this device alone.",
    tell: "Tell the department",
    kept: (/** @type {number} */ n) =>
      `What you said of ${count(n, { one: "answer", other: "answers" })} is kept on this device.`,
    save: "Save it as a file",
    forget: "Forget it",
  },

  why: {
    heading: "Why this answer",
    question: (/** @type {string} */ question) => `Searched for: ${question}`,
    confidence: (/** @type {string} */ percent) =>
      `Of answers that look as sure as this one, about ${percent} are right.`,
    read: "The passages were read for the words that answer.",
    unread: "The passages were not read for the words that answer.",
    terms: (/** @type {string} */ terms) => `Words looked up, in their basic form: ${terms}.`,
    expansion: (/** @type {string} */ found, /** @type {string} */ added) =>
      `Also searched for “${added}”, which means the same as “${found}”.`,
    sources: "How each source was found: its rank, and its score on that search’s own scale",
    source: "Source",
    lexical: "Keywords",
    dense: "Meaning",
    instant: "Meaning, roughly",
    late: "Word by word",
    cross: "Read with the question",
    fused: "Together",
    score: (/** @type {number} */ rank, /** @type {string} */ score) => `${ordinal(rank)} (${score})`,
    stages: "What was done, in its order",
    stage: "Step",
    candidates: "Passages after it",
    time: "Time",
    names: {
      spelling: "Correcting words",
      synonyms: "Words of the same meaning",
      filter: "Leaving out what is for others",
      lexical: "Keywords",
      embed: "Reading the question",
      dense: "Meaning",
      further: "Other words and parts",
      feedback: "Words of the best passages",
      fused: "Putting the lists together",
      rerank: "Comparing word by word",
      families: "Pages of one make",
      cross: "Reading with the question",
      levels: "Levels of the university",
      cut: "Ending the list",
      passages: "Fetching the passages",
      neighbours: "Fetching what stands beside them",
      conflicts: "Looking for contradictions",
    },
  },

  more: {
    more: "Show ten more",
    searching: "Looking for more …",
    none: "There are no more.",
    found: (/** @type {number} */ n) => `${passages(n)} more.`,
    narrow: "Narrow the list",
    all: "all",
    kind: "Kind",
    level: "From",
    department: "Department",
    year: "Year",
    university: "University",
    faculty: "Faculty",
    shown: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of ${passages(of)} shown.`,
  },

  earlier: {
    heading: "Asked before on this device",
    clear: "Forget these",
    cleared: "Earlier questions are forgotten.",
  },

  suggest: {
    list: "Suggestions",
    found: (/** @type {number} */ n) => count(n, { one: "suggestion", other: "suggestions" }),
    question: "question",
    earlier: "asked before",
    document: "document",
    heading: "heading",
  },

  settings: {
    open: "Settings",
    heading: "How to search on this device",
    keywords: "Search by keywords alone: nothing else is fetched",
    saver: "Spare data: fetch models only when I say so",
    history: "Keep my questions on this device",
    sources: "Passages shown with an answer",
    context: "Passages read beside each",
    words: "Length of a written answer",
    short: "short",
    usual: "as the site has it",
    long: "long",
    save: "Use these",
    reset: "As the site has it",
    saved: "Settings are kept on this device.",
  },

  device: {
    graphics: "Runs on this device’s graphics processor.",
    slower: " This is slower.",
    shared: (/** @type {number} */ workers) => ` ${workers} workers share the work.`,
    alone: " One worker does it all, since others could not be used.",
    chosen: "This page has the model run on this device’s processor.",
    notOffered: "This browser offers no graphics processor to the page, so the model runs on the processor.",
    software: "This device has no graphics processor that the page can use, so the model runs on the processor.",
    failed:
      "The graphics processor could not be used, or did not compute as it should, so the model runs on the processor.",
    lost: "The graphics processor was lost more than once, so the model runs on the processor.",
    full: "The graphics processor had no room for the model, so the model runs on the processor.",
    helperLost: "A part of the program was lost: starting the model again",
    ranOut: "The graphics processor ran out of room: starting the model again",
    ranOutToProcessor: "The graphics processor ran out of room: going on with the processor, which is slower",
    wasLost: "The graphics processor was lost: starting the model again",
    wasLostToProcessor: "The graphics processor was lost: going on with the processor, which is slower",
    memory: (/** @type {string} */ detail) =>
      `There was not enough memory for the language model. ${detail} Close other tabs and programs and try again, or ask the people who publish this site for a smaller model.`,
    silent:
      "The language model went silent and was ended. Try again; on a slow device, close other tabs and programs first.",
    broken: (/** @type {string} */ detail) =>
      `The program that runs the language model broke down (${detail}). Try again.`,
    couldNot: (/** @type {string} */ detail) => `The language model could not write an answer. ${detail}`,
  },

  kiosk: {
    take: "Take this along",
    scan: "Scan this with your phone",
    code: "QR code",
    logs: "Questions that are not answered here are noted, without who asked.",
    there: "Are you still there?",
    left: (/** @type {number} */ n) =>
      `This screen starts again in ${count(n, { one: "second", other: "seconds" })}, and forgets what was asked.`,
    stay: "I am here",
  },

  /** The default page around the question box. */
  around: {
    skip: "Skip to the question box",
    facts: (/** @type {number} */ ofDocuments, /** @type {number} */ ofPassages) =>
      `${documents(ofDocuments)}, ${passages(ofPassages)}.`,
    onDevice: " Questions are answered in this page, on your device: they are not sent anywhere.",
    kept: "Kept on this device",
    keptAmount: (/** @type {string} */ size) => `${size} of the site’s files and models are kept on this device.`,
    remove: "Remove what is kept",
    removed: "Removed. Files are fetched again when they are needed.",
    licences: "Licences",
    theme: "Light or dark",
    light: "Light",
    dark: "Dark",
    system: "As the device has it",
    keepAll: "Keep everything for use without a network",
    keptAll: "The whole index is kept: this page works without a network.",
    install: "Install as an app",
    newer: "A newer version of this page is ready. ",
    useNow: "Use it now",
  },
};

/** @type {Record<number, string>} */
const NUMBERS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six" };

/** "a, b or c" @param {string[]} parts */
function either(parts) {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(parts);
}
