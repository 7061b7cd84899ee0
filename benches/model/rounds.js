// The method: the sides take turns, so that whatever else the machine does falls on all of them alike.

const WARM_UPS = 2;
const ROUNDS = 7;

/**
 * Times several sides at the same work; the first is ours.
 * @template Work
 * @param {Record<string, (work: Work) => Promise<number>>} sides  each gives milliseconds
 * @param {(round: number) => Work} work  what is to be done in a round; warm-ups come first
 * @param {{ warmUps?: number, rounds?: number }} [counts]
 * @returns {Promise<Record<string, number[]>>} the rounds after the warm-ups
 */
export async function takeTurns(sides, work, { warmUps = WARM_UPS, rounds = ROUNDS } = {}) {
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [name, run] of Object.entries(sides)) {
      const milliseconds = await run(work(round));
      if (round >= warmUps) times[name].push(milliseconds);
    }
  }
  return times;
}

/** The cosine of two vectors of length one. */
export const cosine = (left, right) => left.reduce((sum, value, index) => sum + value * right[index], 0);

/** How many tokens two answers share from the start on. */
export function agreement(left, right) {
  const length = Math.min(left.length, right.length);
  let same = 0;
  while (same < length && left[same] === right[same]) same += 1;
  return { same, length };
}
