// The page's side of a worker: `await open('campanile_encoder.js')`, then `call(name, ...words)`.

/** @param {string} script  beside this file */
export async function open(script) {
  const worker = new Worker(new URL(script, import.meta.url), { type: 'module' });
  const ask = (message) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(`${script}: ${data.error}`)) : resolve(data.value));
    worker.onerror = (event) => reject(new Error(`${script}: ${event.message}`));
    worker.postMessage(message);
  });
  // A worker's module is loaded when it answers the first message.
  await ask({ name: 'load', words: [] });
  return (name, ...words) => ask({ name, words });
}
