// What the page says, in each of its languages: nothing is missing, nothing was left in English, nothing stands elsewhere.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { LANGUAGES } from "../words.js";

const web = new URL("../", import.meta.url);

/** Words that are the same in another language. */
const SAME = {
  de: [],
  fr: [
    "box.control",
    "page",
    "documents",
    "passages",
    "sources.sources",
    "sources.passages",
    "around.facts",
    "around.licences",
  ],
  es: ["box.control", "size.bytes"],
};
/** Names and marks that are the same everywhere. */
const EVERYWHERE = ["language", "direction", "prose.pace"];

/** @returns {[string, unknown][]} every word with its place */
const entries = (value, place = "") =>
  typeof value === "object"
    ? Object.entries(value).flatMap(([name, part]) => entries(part, place ? `${place}.${name}` : name))
    : [[place, value]];

/** What a word says, of made-up values where it takes some. */
const said = (word, number) =>
  typeof word === "string"
    ? word
    : word(...Array.from({ length: word.length }, (_, place) => valueFor(word, place, number)));

/** A number where the word counts something, a list where it names some, else a name. */
function valueFor(word, place, number) {
  for (const value of [number, `Name${place}`, [`Name${place}`, "Other"]]) {
    try {
      const values = Array.from({ length: word.length }, (_, other) => (other === place ? value : number));
      word(...values);
      return value;
    } catch {
      // It takes something else.
    }
  }
  return number;
}

/** Everything that is said in a language, by its place. @param {string} language */
async function all(language) {
  const files = [`../words/${language}.js`, `../words/${language}-later.js`];
  const parts = await Promise.all(files.map((file) => import(file)));
  return new Map(parts.flatMap(({ words }) => entries(words)));
}

for (const language of LANGUAGES.filter((one) => one !== "en")) {
  test(`${language} says everything that English says`, async () => {
    const [ours, theirs] = [await all("en"), await all(language)];
    assert.deepEqual([...theirs.keys()], [...ours.keys()]);
    assert.equal(theirs.get("language"), language);
    for (const [place, word] of theirs) {
      const original = ours.get(place);
      assert.equal(typeof word, typeof original, place);
      if (typeof word === "function") assert.equal(word.length, original.length, place);
      for (const number of [2, 3, 4, 5, 6]) {
        const [here, there] = [said(word, number), said(original, number)];
        assert.doesNotMatch(here, /\b(?:undefined|null|NaN)\b|\[object/u, place);
        assert.ok(here.trim() !== "", place);
        // Pieces are put together: space at their ends is part of them.
        assert.deepEqual([/^\s/u.test(here), /\s$/u.test(here)], [/^\s/u.test(there), /\s$/u.test(there)], place);
        const isSame = EVERYWHERE.includes(place) || SAME[language].includes(place);
        if (!isSame && /\p{L}{4}/u.test(there.replaceAll(/Name\d|Other/gu, ""))) assert.notEqual(here, there, place);
      }
    }
  });
}

test("one thing is counted in its own form", async () => {
  const cases = [
    ["en", "passages", 1, "1 passage"],
    ["en", "passages", 1200, "1,200 passages"],
    ["de", "documents", 1, "1 Dokument"],
    ["de", "documents", 12000, "12.000 Dokumente"],
    ["fr", "passages", 0, "0 passage"],
    ["es", "passages", 2, "2 pasajes"],
  ];
  for (const [language, name, number, expected] of cases) {
    const { words } = await import(`../words/${language}.js`);
    assert.equal(words[name](number), expected);
  }
});

/** Modules whose words engineers read: those of workers, and what says how a device was measured. */
const FOR_ENGINEERS = [
  "channel.js",
  "client.js",
  "device-watch.js",
  "devices.js",
  "memory.js",
  "prose-client.js",
  "prose-worker.js",
  "reading-choice.js",
  "reading-client.js",
  "reading-worker.js",
  "serve.js",
  "session.js",
  "store.js",
  "team.js",
  "worker.js",
  // Speaks where nothing else has arrived.
  "rescue.js",
];
/** A string that reads like words for people: a capital, and more than one word; or what an element is labelled with. */
const SPOKEN = /["`](?:[A-Z]\p{Ll}+(?:[ ,:][^"`\n]*)?)["`]/gu;

test("what a visitor reads stands in the files of words alone", () => {
  const spoken = [];
  for (const name of readdirSync(web).filter((one) => one.endsWith(".js") && !FOR_ENGINEERS.includes(one))) {
    const code = readFileSync(new URL(name, web), "utf8")
      .replace(/\/\*[\s\S]*?\*\//gu, "")
      .replace(/\/\/[^\n]*/gu, "");
    for (const [found] of code.matchAll(SPOKEN)) {
      // Names of keys, of types of errors and the prefix of a shortcut are no words for people.
      if (!/^["`](?:Escape|Enter|ArrowDown|ArrowUp|Home|End|RangeError|Control|Mod|Segmenter)["`]$/u.test(found))
        spoken.push(`${name}: ${found}`);
    }
  }
  assert.deepEqual(spoken, []);
});
