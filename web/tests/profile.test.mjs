// Who asks, without a browser: node --test web/tests/
import assert from "node:assert/strict";
import { test } from "node:test";

import { keyOf } from "../kept.js";
import { describe } from "../profile-form.js";
import { askerOf, leftOutWords, narrowed, offersChoices, profileOf, today } from "../profile.js";

/** Runs a function over a table of [arguments, expected]. */
function table(name, run, rows) {
  for (const [given, expected] of rows) {
    test(`${name}(${JSON.stringify(given).slice(1, -1)})`, () => assert.deepEqual(run(...given), expected));
  }
}

table("profileOf", profileOf, [
  [[null], {}],
  [["MSc"], {}],
  [[{ programme: "  MSc   Hydroinformatics ", batch: "" }], { programme: "MSc Hydroinformatics" }],
  [[{ year: "3", semester: 0 }], { year: 3 }],
  [[{ year: "3.5", semester: "x" }], {}],
  [[{ courses: ["A 1", "A 1", "", 7] }], { courses: ["A 1"] }],
  [[{ courses: "A 1" }], {}],
  [[{ __proto__: { department: "Physics" }, date: "2026-11-20", unknown: 1 }], { department: "Physics" }],
]);

table("describe", describe, [
  [[{}], ""],
  [
    [{ programme: "MSc Hydroinformatics", department: "Water Engineering", batch: "2024" }],
    "MSc Hydroinformatics, batch 2024",
  ],
  [[{ department: "Physics", year: 2, semester: 3 }], "Physics, year 2, semester 3"],
  [[{ faculty: "Arts", courses: ["A1", "A2"] }], "faculty Arts, A1, A2"],
  [[{ courses: ["A1", "A2", "A3", "A4"] }], "4 courses"],
]);

const reason = (aspect) => ({ aspect, outcome: { excluded: { document: "some", profile: "other" } } });
table("leftOutWords", (...aspects) => leftOutWords(aspects.map((list) => ({ reasons: list.map(reason) }))), [
  [[["batch"]], "1 passage is for others"],
  [[["batch"], ["validity"]], "2 passages are for others"],
  [[["validity"]], "1 passage does not hold today"],
  [[["validity"], ["validity"]], "2 passages do not hold today"],
  [[["validity", "batch"]], "1 passage is for others"],
  [[[]], "1 passage is for others"],
]);

test("the day is the one of the device, not the one in UTC", () => {
  assert.equal(today(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
  assert.equal(today(new Date(2026, 11, 31, 0, 1)), "2026-12-31");
});

test("the search is told the profile with the day", () => {
  assert.deepEqual(askerOf({ batch: "2024" }, true, "2026-11-20"), {
    profile: '{"batch":"2024","date":"2026-11-20"}',
    everyone: true,
  });
  assert.equal(JSON.parse(askerOf().profile).date, today());
});

test("two sites of one origin keep two profiles", () => {
  const key = (path) => keyOf("profile", new URL(path, "https://www.example.edu/"));
  assert.notEqual(key("/physics/"), key("/arts/"));
});

test("a form is offered where documents tell readers apart by what readers know of themselves", () => {
  const none = {
    programmes: [],
    departments: [],
    faculties: [],
    specialisations: [],
    batches: [],
    courses: [],
    years: false,
    semesters: false,
  };
  assert.equal(offersChoices(null), false);
  assert.equal(offersChoices(none), false);
  assert.equal(offersChoices({ ...none, validity: true }), false);
  assert.equal(offersChoices({ ...none, semesters: true }), true);
  assert.equal(offersChoices({ ...none, batches: ["2024"] }), true);
});

table("narrowed", narrowed, [
  [[{ batch: "2024" }, null], { batch: "2024" }],
  [
    [
      { batch: "2024", courses: ["A 1"] },
      { field: "course", value: "B 2" },
    ],
    { batch: "2024", courses: ["B 2"] },
  ],
  [[{ programme: "BSc Physics" }, { field: "programme", value: "MSc Optics" }], { programme: "MSc Optics" }],
]);

test("what is chosen for a question changes no profile", () => {
  const profile = { courses: ["A 1"] };
  narrowed(profile, { field: "course", value: "B 2" });
  assert.deepEqual(profile, { courses: ["A 1"] });
});
