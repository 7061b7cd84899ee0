// Pure functions of the page, without a browser: node --test web/tests/
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { paragraphs } from "../passage-reader.js";
import { shardPaths } from "../store.js";
import { formatBytes, formatDuration, formatProgress } from "../sizes.js";
import {
  beginning,
  clampRange,
  neighbourhood,
  safeLink,
  splitAt,
  withTextFragment,
  within,
  headingPath,
} from "../text.js";

const web = new URL("../", import.meta.url);
const modules = readdirSync(web).filter((name) => name.endsWith(".js"));
const source = (name) => readFileSync(new URL(name, web), "utf8");

/** Runs a function over a table of [arguments, expected]. */
function table(name, run, rows) {
  for (const [given, expected] of rows) {
    test(`${name}(${JSON.stringify(given).slice(1, -1)})`, () => assert.deepEqual(run(...given), expected));
  }
}

table("formatBytes", formatBytes, [
  [[0], "0 bytes"],
  [[999], "999 bytes"],
  [[1_000], "1 kB"],
  [[999_499], "999 kB"],
  [[999_500], "1.0 MB"],
  [[9_949_999], "9.9 MB"],
  [[9_950_000], "10 MB"],
  [[97_600_000], "98 MB"],
]);
table("formatProgress", formatProgress, [
  [[12_340_000, 23_000_000], "12.3 of 23 MB"],
  [[120_400, 180_000], "120 of 180 kB"],
  [[5_000, 0], "5 kB"],
  [[0, 2_300_000], "0.0 of 2.3 MB"],
]);
table("formatDuration", formatDuration, [
  [[0.2], "under 1 ms"],
  [[41.4], "41 ms"],
  [[1_540], "1.5 s"],
]);
table("clampRange", clampRange, [
  [[{ start: 2, end: 4 }, 10], { start: 2, end: 4 }],
  [[{ start: -3, end: 40 }, 10], { start: 0, end: 10 }],
  [[{ start: 12, end: 14 }, 10], null],
  [[{ start: 4, end: 4 }, 10], null],
  [[{ start: 6, end: 2 }, 10], null],
  [[null, 10], null],
]);
table("within", within, [
  [[{ start: 5, end: 9 }, 4, 20], { start: 1, end: 5 }],
  [[{ start: 0, end: 9 }, 4, 6], { start: 0, end: 2 }],
  [[{ start: 0, end: 3 }, 4, 6], null],
]);
table("splitAt", splitAt, [
  [["one two", { start: 4, end: 7 }], { before: "one ", marked: "two", after: "" }],
  [["𝒜 bell", { start: 3, end: 7 }], { before: "𝒜 ", marked: "bell", after: "" }],
  [["one", null], { before: "one", marked: "", after: "" }],
]);
table("beginning", beginning, [
  [["short", 10], "short"],
  [["a longer text", 9], "a longer …"],
  [["a longer text", 8], "a longer …"],
  [["a longer text", 7], "a …"],
  [["unbrokentext", 6], "unbrok …"],
  [["It opens at nine. It closes at five.", 30], "It opens at nine. …"],
  [["It opens. It closes at five on Mondays.", 30], "It opens. It closes at five on …"],
]);
table("safeLink", (link) => safeLink(link, "https://site.example/a/")?.href ?? null, [
  [["https://example.edu/x#y"], "https://example.edu/x#y"],
  [["docs/page.html"], "https://site.example/a/docs/page.html"],
  [["mailto:office@example.edu"], "mailto:office@example.edu"],
  [["javascript:alert(1)"], null],
  [[" JavaScript:alert(1)"], null],
  [["data:text/html,x"], null],
  [["file:///etc/passwd"], null],
  [["http://["], null],
  [[null], null],
  [[""], null],
]);
table("withTextFragment", (link, text) => withTextFragment(new URL(link), text), [
  [["https://a.example/x", "A late fee."], "https://a.example/x#:~:text=A%20late%20fee."],
  [
    ["https://a.example/x#part", "well-known, isn’t it & so on"],
    "https://a.example/x#part:~:text=well%2Dknown%2C%20isn%E2%80%99t%20it%20%26%20so%20on",
  ],
  [["https://a.example/", "a b c d e f g h i j k l"], "https://a.example/#:~:text=a%20b%20c%20d%20e,h%20i%20j%20k%20l"],
  [["https://a.example/", "  "], "https://a.example/"],
  [["mailto:x@a.example", "words"], "mailto:x@a.example"],
]);
table(
  "paragraphs",
  (text) => paragraphs(text, { start: 0, end: text.length }).map(({ start, end }) => text.slice(start, end)),
  [
    [["one\ntwo\n\nthree"], ["one\ntwo", "three"]],
    [["one\n  \n\n two "], ["one", "two"]],
    [["\n\n"], []],
    [[""], []],
    [["a\n\tb\n\nc"], ["a\n\tb", "c"]],
  ],
);
table("shardPaths", (value) => [...shardPaths(value)], [
  [
    [{ a: { path: "shards/x.bin" }, b: [{ path: "shards/y.bin", bytes: 3 }], title: "shards" }],
    ["shards/x.bin", "shards/y.bin"],
  ],
  [[null], []],
  [[7], []],
]);

/** What is shown around some words of a text, with "…" where it is cut. */
const around = (text, words, reach) => {
  const start = text.indexOf(words);
  const near = neighbourhood(text, { start, end: start + words.length }, reach);
  assert.equal(near.text.slice(near.range.start, near.range.end), words);
  return `${near.cutBefore ? "…" : ""}${near.text}${near.cutAfter ? "…" : ""}`;
};
const FEES = "It opens in May. Late registration costs €25. See Art. 3 of the rules. Ask at the desk.";
table("neighbourhood", around, [
  [["alpha beta gamma delta epsilon zeta", "gamma", 8], "…beta gamma delta…"],
  [["alphabeta gamma", "gamma", 3], "…gamma"],
  [[FEES, "Late registration costs €25.", 0], "…Late registration costs €25.…"],
  [[FEES, "costs €25", 20], "…Late registration costs €25.…"],
  [[FEES, "costs €25", 30], "…Late registration costs €25. See Art. 3 of the rules.…"],
  [[FEES, "Art. 3", 12], "…See Art. 3 of the…"],
  [[FEES, "Art. 3", 200], FEES],
]);

test("no module turns text into markup or code", () => {
  const forbidden =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTMLUnsafe|parseFromString|\beval\(|new Function/u;
  assert.deepEqual(
    modules.filter((name) => forbidden.test(source(name))),
    [],
  );
});

test("a heading that repeats the title is left out of the path", () => {
  const cases = [
    [["Late work", "Penalties"], "Penalties"],
    [["Rules", "Penalties"], "Rules › Penalties"],
    [["Late work"], ""],
    [[], ""],
  ];
  for (const [section, expected] of cases) {
    assert.equal(headingPath({ title: "Late work", section }), expected);
  }
});

test("each word for the build stands in the service worker once", () => {
  for (const word of ["__CAMPANILE_VERSION__", "__CAMPANILE_FILES__"]) {
    assert.equal(source("service-worker.js").split(word).length, 2, word);
  }
});
