import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tally } from '../cited-prose.js';

const sentence = (support) => ({ span: { start: 0, end: 1 }, support, source: 1, unstated: [] });

test('what is said of the sentences is what they are', () => {
  const cases = [
    [[], false, 'No sentence claims anything that could be held against the sources.'],
    [['nothing'], false, 'No sentence claims anything that could be held against the sources.'],
    [['supported', 'nothing'], false, 'Each sentence was held against the sources and found there.'],
    [['supported', 'unsupported'], false, 'Held against the sources, 1 sentence of 2 could not be found there and is marked.'],
    [['unsupported', 'unsupported', 'nothing'], true, 'Held against the sources, 2 sentences of 2 could not be found there and are left out.'],
  ];
  for (const [supports, removes, words] of cases) assert.equal(tally(supports.map(sentence), removes), words);
});
