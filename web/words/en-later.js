// @ts-check
/** What the page says once an answer stands, and of what its visitor opens, in English. A file of its own: first passages do not wait for it. */

import { counter, ordinals } from "./counter.js";

const count = counter("en");
const ordinal = ordinals("en", { one: "st", two: "nd", few: "rd", other: "th" });

export const words = {
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
    read: "The passages were read for the words that answer; those that answer best come first.",
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

  campus: {
    asked: "Asked: ",
    missed: (/** @type {string} */ name) => `${name} could not be asked: its passages are missing here.`,
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
};
