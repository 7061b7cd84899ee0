import assert from "node:assert/strict";
import { test } from "node:test";

import { citedProse, tally } from "../cited-prose.js";

const sentence = (support) => ({ span: { start: 0, end: 1 }, support, source: 1, unstated: [] });

test("what is said of the sentences is what they are", () => {
  const cases = [
    [[], false, "No sentence claims anything that could be held against the sources."],
    [["nothing"], false, "No sentence claims anything that could be held against the sources."],
    [["declined"], true, "The model did not find the answer in these passages."],
    [
      ["supported", "nothing"],
      false,
      "Each sentence was found in the sources, as far as a small network can tell. Whether it answers the question is for you to judge.",
    ],
    [
      ["supported", "unsupported"],
      false,
      "Held against the sources, 1 sentence of 2 could not be found there and is marked.",
    ],
    [
      ["supported", "unsupported"],
      true,
      "Held against the sources, 1 sentence of 2 could not be found there or is beside the point, and is left out.",
    ],
    [
      ["supported", "aside"],
      true,
      "Held against the sources, 1 sentence of 2 could not be found there or is beside the point, and is left out.",
    ],
    [
      ["supported", "aside"],
      false,
      "Each sentence was found in the sources, as far as a small network can tell. Whether it answers the question is for you to judge.",
    ],
    [
      ["unsupported", "unsupported", "nothing"],
      true,
      "Nothing that the model wrote was both found in the sources and to the point, so none of it is shown.",
    ],
  ];
  for (const [supports, removes, words] of cases) assert.equal(tally(supports.map(sentence), removes), words);
});

test("what no source says is left out where that is wanted, and that nothing is said never stands there", () => {
  const prose = "Due in May. Due in June. Paid here. The documents do not say.";
  const at = (start, end, support) => ({ ...sentence(support), span: { start, end } });
  const sentences = [at(0, 11, "nothing"), at(12, 24, "unsupported"), at(25, 35, "aside"), at(36, 61, "declined")];
  const nodes = citedProse(prose, sentences, { sources: [], removes: true, onCitation: () => {} });
  assert.deepEqual(nodes, ["Due in May."]);
});
