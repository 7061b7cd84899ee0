import assert from "node:assert/strict";
import { test } from "node:test";

import { contactOf, guidance, reservation } from "../advice.js";

const site = { counts: { documents: 34, chunks: 210 }, contact: "" };
const result = { answer: { kind: "qualified" }, sources: [{}], stage: "hybrid", confidence: 0.3, unmatched: [] };

test("a reservation says how often such answers are right", () => {
  const cases = [
    [0, "one in six"],
    [0.15, "one in six"],
    [0.2, "one in five"],
    [0.25, "one in four"],
    [0.33, "one in three"],
    [0.49, "one in two"],
  ];
  for (const [confidence, words] of cases) {
    assert.deepEqual(reservation({ ...result, confidence }), [`Not sure: about ${words} of such answers is right.`]);
  }
  const section = { ...result, answer: { kind: "possible_section" } };
  assert.deepEqual(reservation(section), ["Not sure: about one in three of such sections holds what is asked."]);
});

test("words that no passage has are named beside a refusal", () => {
  const cases = [
    [["drone"], "No passage near it has “drone”: another word for it may find more."],
    [["drone", "film"], "No passage near it has “drone” or “film”: another word for it may find more."],
  ];
  for (const [unmatched, words] of cases) {
    assert.equal(guidance({ ...result, unmatched }, site)[1], words);
  }
});

test("a question in another language is told so", () => {
  const words = "The documents are not in French: asked in their language, this may find more.";
  const asked = { ...result, asked_in: "French" };
  assert.equal(reservation(asked)[1], words);
  assert.equal(guidance(asked, site)[1], words);
  assert.deepEqual(guidance({ ...asked, sources: [] }, site), [words]);
});

test("an answer of another page than the question names says whose it is", () => {
  const sources = [
    { number: 1, title: "Biology" },
    { number: 2, title: "Chemistry", is_named: false },
  ];
  const of = (source) => reservation({ ...result, sources, answer: { kind: "qualified", source } });
  assert.deepEqual(of(2), ["This is from “Chemistry”, which is not the page that the question names."]);
  assert.match(of(1)[0], /^Not sure/);
});

test("a comparison says which side is missing, and that each side is the nearest", () => {
  assert.deepEqual(reservation({ ...result, missing_side: "the excursion" }), [
    "Not sure: about one in three of such answers is right.",
    "No passage near it is about “the excursion”.",
  ]);
  assert.deepEqual(reservation({ ...result, form: { kind: "comparison" } }), [
    "Not sure: for each side this is what comes nearest.",
  ]);
});

test("a name that is missing comes first, and what no page has before the rest", () => {
  const missing_names = [
    { name: "WEN315", is_nowhere: true },
    { name: "Sunday", is_nowhere: false },
  ];
  const said = ["No page mentions “WEN315”.", "What was found does not mention “Sunday”."];
  assert.deepEqual(reservation({ ...result, missing_names }), said);
  assert.deepEqual(guidance({ ...result, missing_names }, null), [
    ...said,
    "The nearest passages are listed as they are.",
  ]);
});

test("a refusal says what was searched", () => {
  assert.deepEqual(guidance(result, site), [
    "Searched by their words and their meaning: 34 documents. The nearest passages are listed as they are.",
    "Other words, or the name of a course or an office, may find more.",
  ]);
  assert.match(guidance({ ...result, stage: "lexical" }, site)[0], /^Searched by their words: 34 documents\./);
  assert.deepEqual(guidance({ ...result, sources: [] }, site), ["Other words, or fewer of them, may find more."]);
});

test("an address in the contact becomes a link, and nothing else does", () => {
  const cases = [
    ["", null],
    ["the Student Office, room 1.02", { before: "the Student Office, room 1.02", address: "", href: "", after: "" }],
    [
      "Student Office, office@example.edu, room 1",
      {
        before: "Student Office, ",
        address: "office@example.edu",
        href: "mailto:office@example.edu",
        after: ", room 1",
      },
    ],
    [
      "see https://example.edu/help.",
      { before: "see ", address: "https://example.edu/help", href: "https://example.edu/help", after: "." },
    ],
    ["javascript:alert(1)", { before: "javascript:alert(1)", address: "", href: "", after: "" }],
  ];
  for (const [contact, expected] of cases) assert.deepEqual(contactOf({ ...site, contact }), expected);
});
