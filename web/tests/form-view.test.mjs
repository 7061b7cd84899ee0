// What a form is made of, without a browser: node --test web/tests/
import assert from "node:assert/strict";
import { test } from "node:test";

import { cited, stretches, verdictWords } from "../form-view.js";

const SOURCES = /** @type {any[]} */ ([
  { number: 1, text: "Closed from 21 December to 3 January 2027." },
  { number: 2, text: "𝒜 fee of €25." },
]);

test("a part is words of its source", () => {
  const rows = [
    [{ source: 1, span: { start: 12, end: 23 } }, "21 December"],
    [{ source: 2, span: { start: 10, end: 13 } }, "€25"],
    [{ source: 2, span: { start: 10, end: 99 } }, "€25."],
    [{ source: 2, span: { start: 50, end: 60 } }, ""],
    [{ source: 3, span: { start: 0, end: 4 } }, ""],
  ];
  for (const [part, expected] of rows) assert.equal(cited(/** @type {any} */ (part), SOURCES).text, expected);
});

test("a span of days keeps the words between its days", () => {
  const parts = [
    { value: "2026-12-21", source: 1, span: { start: 12, end: 23 } },
    { value: "2027-01-03", source: 1, span: { start: 27, end: 41 } },
  ].map((part) => cited(part, SOURCES));
  assert.deepEqual(stretches(parts), [
    { text: "21 December", value: "2026-12-21" },
    { text: " to ", value: null },
    { text: "3 January 2027", value: "2027-01-03" },
  ]);
  assert.deepEqual(stretches(parts.slice(1)), [{ text: "3 January 2027", value: "2027-01-03" }]);
  assert.deepEqual(stretches([]), []);
});

test("what is not plainly yes or no depends", () => {
  assert.deepEqual(["yes", "no", "conditional", null].map(verdictWords), ["Yes", "No", "It depends", "It depends"]);
});
