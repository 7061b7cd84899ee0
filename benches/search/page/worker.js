// Asks all questions of one size, in rounds, as the native side does.
import init, { Keywords, Meaning } from '/module/campanile_search.js';

const WARM_UPS = 2;
const ROUNDS = 7;

onmessage = async ({ data: folder }) => {
  await init();
  const read = async (name) => new Uint8Array(await (await fetch(`${folder}/${name}`)).arrayBuffer());
  const { shards, terms, vectors } = await (await fetch(`${folder}/questions.json`)).json();
  const postings = await read('postings');
  let end = 0;
  const cut = shards.map((length) => postings.subarray(end, end += length));
  const keywords = new Keywords(await read('head'), cut);
  const meaning = new Meaning(await read('vectors'), await read('graph'));
  const questions = vectors.map((vector) => Float32Array.from(vector));
  const works = {
    'keywords, the best 10': () => terms.forEach((question) => keywords.search(question, 10)),
    'keywords, the best 100': () => terms.forEach((question) => keywords.search(question, 100)),
    'meaning by the graph': () => questions.forEach((question) => meaning.near(question, 10)),
    'meaning by all vectors': () => questions.forEach((question) => meaning.exact(question, 10)),
  };
  const sides = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const start = performance.now();
      work();
      if (round >= WARM_UPS) sides[name].push(performance.now() - start);
    }
  }
  postMessage({ questions: terms.length, sides });
};
