// What a visitor takes along or leaves on the device: citations, judgements, suggestions, preferences, facets.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { asMarkdown, asText, quotationOf } from "../cite-as.js";
import { choicesOf, valuesOf } from "../facets-view.js";
import { Judgements } from "../judgements.js";
import { KeptList } from "../kept-list.js";
import { USUAL, preferencesOf, searchSettings } from "../preferences.js";
import { isShortcut } from "../shortcut.js";
import { suggest } from "../suggestions.js";

const SITE = new URL("https://uni.example/handbook/");

/** A storage as browsers have it. */
class Storage {
  #items = new Map();
  getItem = (key) => this.#items.get(key) ?? null;
  setItem = (key, value) => this.#items.set(key, value);
  removeItem = (key) => this.#items.delete(key);
}
beforeEach(() => {
  globalThis.localStorage = new Storage();
  // The page is the site's own.
  globalThis.origin = SITE.origin;
});

const source = (fields = {}) => ({
  number: 1,
  title: "Late work",
  section: ["Late work", "Penalties"],
  document: "late-work.md",
  text: "Ten points\nare lost. More text.",
  page: { number: 3, label: "iii" },
  link: "https://uni.example/late.pdf",
  anchor: null,
  ...fields,
});
const result = (fields = {}) => ({
  question: "What is lost?",
  answer: { kind: "direct", source: 1, text: "Ten points are lost." },
  sources: [source()],
  ...fields,
});
const CITING = {
  title: "Ask us",
  site: SITE,
  address: "https://uni.example/handbook/#q=What+is+lost%3F",
  now: new Date("2026-11-26T12:00:00Z"),
};

test("an answer is copied with its source, its page and the way back", () => {
  assert.equal(
    asText({ result: result(), ...CITING }),
    [
      "“Ten points are lost.”",
      "— Late work, Penalties, page iii",
      "https://uni.example/late.pdf#page=3",
      "",
      "Asked “What is lost?” of Ask us, November 26, 2026:",
      "https://uni.example/handbook/#q=What+is+lost%3F",
    ].join("\n"),
  );
});

test("as Markdown nothing of a document is more than text", () => {
  const hostile = source({ title: "[a](javascript:x) <b> `c` _d_", link: "https://uni.example/a_(b).pdf", page: null });
  const answer = { kind: "direct", source: 1, text: "# no heading *no* | table" };
  assert.equal(
    asMarkdown({ result: result({ answer, sources: [hostile] }), ...CITING }),
    [
      "> \\# no heading \\*no\\* \\| table",
      ">",
      "> — [\\[a\\](javascript:x) \\<b\\> \\`c\\` \\_d\\_](https://uni.example/a_%28b%29.pdf), Late work › Penalties",
      "",
      "[Asked “What is lost?” of Ask us, November 26, 2026:](https://uni.example/handbook/#q=What+is+lost%3F)",
    ].join("\n"),
  );
});

test("what is quoted depends on the kind of answer", () => {
  const cases = [
    [{ kind: "direct", source: 1, text: "One." }, "One."],
    [{ kind: "section", source: 1, text: "One." }, "Ten points are lost. More text."],
    [{ kind: "refusal", source: null, text: "No." }, undefined],
    [{ kind: "direct", source: 7, text: "One." }, undefined],
  ];
  for (const [answer, quoted] of cases) assert.equal(quotationOf(result({ answer }))?.quoted, quoted);
});

test("a link that acts is not copied", () => {
  const sources = [source({ link: "javascript:alert(1)" })];
  assert.doesNotMatch(asText({ result: result({ sources }), ...CITING }), /javascript/u);
});

test("a list keeps the newest, each once, and nothing of another make", () => {
  const list = new KeptList("questions", SITE, 3);
  for (const name of ["a", "b", "a", "c", "d"]) list.add({ name }, (other) => other.name === name);
  assert.deepEqual(
    list.items.map(({ name }) => name),
    ["d", "c", "a"],
  );
  assert.deepEqual(new KeptList("questions", new URL("https://uni.example/other/"), 3).items, []);
  localStorage.setItem("campanile-questions:/handbook/", '{"not": "a list"}');
  assert.deepEqual(list.items, []);
  localStorage.setItem("campanile-questions:/handbook/", "broken");
  assert.deepEqual(list.items, []);
});

test("what was said of an answer is of that answer, and is said anew", () => {
  const judgements = new Judgements(SITE);
  assert.equal(judgements.of(result()), null);
  judgements.tell(result(), true);
  assert.equal(judgements.of(result()), true);
  judgements.tell(result(), false);
  assert.equal(judgements.of(result()), false);
  assert.equal(judgements.all.length, 1);
  const other = result({ answer: { kind: "direct", source: 1, text: "Another." } });
  assert.equal(judgements.of(other), null);
  assert.deepEqual(JSON.parse(judgements.file), {
    question: "What is lost?",
    right: false,
    kind: "direct",
    answer: "Ten points are lost.",
    document: "late-work.md",
    at: new Date().toISOString().slice(0, 10),
  });
});

test("a letter is one that the visitor sends, and no longer than mail programs take", () => {
  const judgements = new Judgements(SITE);
  judgements.tell(result({ question: "A & B = C?" }), true);
  assert.equal(judgements.letter("", "Ask us"), null);
  const mail = judgements.letter("dean+office@uni.example", "Ask us");
  assert.equal(mail.protocol, "mailto:");
  assert.equal(mail.searchParams.get("subject"), "Ask us");
  assert.equal(mail.searchParams.get("body"), "+ A & B = C?\n  Ten points are lost.\n");
  const issue = judgements.letter("https://forge.example/new?labels=answers", "Ask us");
  assert.equal(issue.searchParams.get("labels"), "answers");
  assert.equal(issue.searchParams.get("title"), "Ask us");
  for (let number = 0; number < 100; number += 1) judgements.tell(result({ question: `Question ${number}?` }), true);
  assert.ok(judgements.letter("a@uni.example", "Ask us").searchParams.get("body").length < 1_600);
});

test("suggestions fit every word that was typed, wherever it begins", () => {
  const pool = [
    { text: "How late may I hand in coursework?", kind: "question" },
    { text: "Late work", kind: "document" },
    { text: "Prüfungsordnung", kind: "document" },
    { text: "Late registration", kind: "heading" },
    { text: "late  work", kind: "heading" },
    { text: "Penalties for late work", kind: "heading" },
  ];
  const cases = [
    ["late", ["Late work", "Late registration", "How late may I hand in coursework?", "Penalties for late work"]],
    ["LATE wo", ["Late work", "Penalties for late work"]],
    ["work late", ["Late work", "Penalties for late work"]],
    ["course", ["How late may I hand in coursework?"]],
    ["prufung", ["Prüfungsordnung"]],
    ["l", []],
    ["", []],
    ["Late registration", []],
    ["zebra", []],
  ];
  for (const [typed, expected] of cases)
    assert.deepEqual(
      suggest(typed, pool).map(({ text }) => text),
      expected,
      typed,
    );
});

test("preferences are read as they are meant, whatever is kept", () => {
  const cases = [
    [null, USUAL],
    ["text", USUAL],
    [{ sources: 7, context: -1, words: "endless", keywords: "yes" }, USUAL],
    [
      { keywords: true, saver: true, history: false, sources: 10, context: 0, words: "short" },
      { keywords: true, saver: true, history: false, sources: 10, context: 0, words: "short" },
    ],
  ];
  for (const [kept, expected] of cases) assert.deepEqual(preferencesOf(kept), expected);
  assert.deepEqual(searchSettings(USUAL), {});
  assert.deepEqual(searchSettings({ ...USUAL, sources: 3, context: 1 }), {
    sources: 3,
    least_sources: 3,
    neighbours_before: 1,
    neighbours_after: 1,
  });
});

test("a facet is offered where it tells passages apart", () => {
  const of = (kind, level, departments, year) => ({ level, facets: { kind, departments, year } });
  const sources = [
    of("policy", "university", ["Water"], 2025),
    of("policy", "university", [], 2026),
    { level: "university" },
    of("WEN210", null, ["Water", "Civil"], 2026),
  ];
  const choices = choicesOf(sources);
  assert.deepEqual(choices.get("kind"), [
    ["policy", 2],
    ["WEN210", 1],
  ]);
  assert.deepEqual(choices.get("department"), [
    ["Water", 2],
    ["Civil", 1],
  ]);
  assert.deepEqual(choices.get("year"), [
    ["2026", 2],
    ["2025", 1],
  ]);
  assert.deepEqual(choices.get("level"), [["university", 3]]);
  assert.equal(choicesOf([sources[0], sources[0]]).size, 0);
  assert.deepEqual(valuesOf(sources[3], "department"), ["Water", "Civil"]);
});

test("a shortcut is a key by itself, or with Control or Command", () => {
  globalThis.HTMLElement ??= class {};
  const event = (fields) => ({ key: "/", composedPath: () => [{}], ...fields });
  const cases = [
    ["/", event({}), true],
    ["/", event({ ctrlKey: true }), false],
    ["/", event({ altKey: true }), false],
    ["/", event({ key: "x" }), false],
    ["/", event({ defaultPrevented: true }), false],
    ["Mod+K", event({ key: "k", ctrlKey: true }), true],
    ["Mod+K", event({ key: "K", metaKey: true }), true],
    ["Mod+K", event({ key: "k" }), false],
  ];
  for (const [shortcut, told, expected] of cases)
    assert.equal(isShortcut(shortcut, told), expected, JSON.stringify(told));
});
