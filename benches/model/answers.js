// Timing greedy answers of two engines: reading the prompt apart from writing.
import { agreement, takeTurns } from './rounds.js';

const NEW_TOKENS = 64;

/**
 * `first` is the time to the first token, `total` that to the last; both in milliseconds.
 * @typedef {{ tokens: number[], text?: string, first: number, total: number }} Answer
 * @param {string} where  for the names of the cases
 * @param {Record<string, (prompt: string, tokens: number) => Promise<Answer>>} engines  ours first
 * @param {(round: number) => string} promptOf
 * @param {{ promptTokens: number, newTokens?: number, counts?: { warmUps: number, rounds: number } }} work
 */
export async function decoderCases(where, engines, promptOf, { promptTokens, newTokens = NEW_TOKENS, counts }) {
  const writing = {};
  const answers = {};
  const sides = {};
  for (const [name, write] of Object.entries(engines)) {
    writing[name] = [];
    answers[name] = [];
    sides[name] = async (prompt) => {
      const answer = await write(prompt, newTokens);
      const after = answer.tokens.length - 1;
      if (after < 1) throw new Error(`${name} wrote ${answer.tokens.length} tokens; ${newTokens} were asked for`);
      answers[name].push(answer);
      writing[name].push((answer.total - answer.first) / after);
      return answer.first;
    };
  }
  const reading = await takeTurns(sides, promptOf, counts);
  const kept = Object.values(reading)[0].length;
  // The same rounds as those of reading: warm-ups came first.
  const written = Object.fromEntries(Object.entries(writing).map(([name, times]) => [name, times.slice(-kept)]));
  return {
    cases: [
      { name: `${where}: reading a prompt of ${promptTokens} tokens`, tokens: promptTokens, sides: reading },
      { name: `${where}: writing, each token`, tokens: 1, sides: written },
    ],
    checks: sameText(where, answers),
  };
}

/**
 * Near ties fall the other way where a side rounds activations to 8 bits, even at the first token
 * (crates/model/tests/decoder_llama_cpp.rs looks at each), but not in more than a third of the rounds.
 */
function sameText(where, answers) {
  const [[, ours], [peer, theirs]] = Object.entries(answers);
  const shared = ours.map((answer, round) => (answer.text !== undefined && theirs[round].text !== undefined
    ? agreement([...answer.text], [...theirs[round].text])
    : agreement(answer.tokens, theirs[round].tokens)));
  const unit = ours[0].text !== undefined && theirs[0].text !== undefined ? 'characters' : 'tokens';
  const whole = shared.filter(({ same, length }) => same === length).length;
  const apart = shared.filter(({ same }) => same === 0).length;
  const middle = shared.map(({ same }) => same).sort((left, right) => left - right)[Math.floor(shared.length / 2)];
  return [{
    what: `${where}: greedy answers of ours and ${peer}`,
    passed: apart * 3 <= shared.length,
    found: `${whole} of ${shared.length} the same to the end, ${apart} different from the start, ${middle} ${unit} the same in the middle`,
  }];
}
