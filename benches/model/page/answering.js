// The worker's side of `workers.js`.

/** @param {Record<string, (...words: any[]) => any>} functions */
export function answer(functions) {
  globalThis.onmessage = async ({ data: { name, words } }) => {
    try {
      globalThis.postMessage({ value: await functions[name](...words) });
    } catch (error) {
      globalThis.postMessage({ error: error?.stack ?? String(error) });
    }
  };
}

/** Runs `work` several times and gives the milliseconds of one. */
export async function timed(repeats, work) {
  const start = performance.now();
  for (let count = 0; count < repeats; count += 1) await work();
  return (performance.now() - start) / repeats;
}

/** @param {string} address */
export async function bytes(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A model's files: configuration, tokenizer, shards. @param {string} folder */
export const modelFiles = async (folder, shards) => [
  await bytes(`/models/${folder}/config.json`),
  await bytes(`/models/${folder}/tokenizer.json`),
  await Promise.all(shards.map((name) => bytes(`/models/${folder}/${name}`))),
];
