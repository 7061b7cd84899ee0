// @ts-check
/**
 * What the page says from the beginning, in English; `en-later.js` has the rest. The other languages are files like these
 * two, with the same names.
 */

import { counter, ordinals } from "./counter.js";

const count = counter("en");
const ordinal = ordinals("en", { one: "st", two: "nd", few: "rd", other: "th" });
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
    settings: "Settings are kept on this device.",
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
    nameNowhere: (/** @type {string[]} */ names) => `No page mentions ${either(names.map((name) => `“${name}”`))}.`,
    nameMissing: (/** @type {string[]} */ names) =>
      `What was found does not mention ${either(names.map((name) => `“${name}”`))}.`,
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
