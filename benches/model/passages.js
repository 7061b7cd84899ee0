// Passages of the sample campus read in the page by the shipped modules: all in one batch on WebGPU, one after the
// other on one thread of the processor. Run by `cargo xtask bench gpu`; prints rows for its table.
import { launch } from '../../tests/browser/harness/chromium.js';
import { serve } from '../../tests/browser/harness/command.js';
import { ASKED } from '../../tests/browser/harness/questions.js';
import { sampleSite } from '../../tests/browser/harness/site.js';

/** The five passages of a question, as often as makes twenty. */
const TIMES = 4;
const hardware = process.env.CAMPANILE_GRAPHICS === 'hardware';
/** The best of so many counts: whatever else the machine does only makes it slower. In software one takes a minute. */
const ROUNDS = hardware ? 5 : 1;

const browser = await launch({ hardware });
const server = await serve(await sampleSite());
try {
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  const { adapter, words, passages, processor, batches } = await page.evaluate(readInPage, { question: ASKED.question, times: TIMES, rounds: ROUNDS });
  const milliseconds = (spent) => `${spent.toFixed(spent < 100 ? 1 : 0)} ms`;
  console.log(`| in Chromium ${browser.version()}: the adapter | ${adapter} |`);
  for (const { count, spent } of batches) console.log(`| ${count} passages read there in one batch | ${milliseconds(spent)} |`);
  console.log(`| ${passages} passages (${words} words in the mean) read on one thread of the processor | ${milliseconds(processor)} |`);
} finally {
  await browser.close();
  await server.stop();
}

/** Runs in the page. */
async function readInPage({ question, times, rounds }) {
  const read = async (path) => {
    const response = await fetch(`/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const best = async (act) => {
    await act();
    let least = Infinity;
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      await act();
      least = Math.min(least, performance.now() - began);
    }
    return least;
  };
  const [core, gpu] = await Promise.all(['core/campanile_core.js', 'gpu/campanile_gpu.js'].map((name) => import(`/campanile/pkg/${name}`)));
  await Promise.all([core.default(), gpu.default()]);
  const site = await core.Core.open(read, () => read);
  await site.load_encoder(() => {});
  await site.load_span_reader();
  await site.ask(question, '{}', false, []);
  const [asked, ...five] = site.to_read();
  const twenty = Array.from({ length: times }, () => five).flat();
  const words = Math.round(five.join(' ').split(/\s+/).length / five.length);

  const reader = await gpu.PassageReader.open(read);
  const batches = [];
  for (const passages of [five, twenty]) batches.push({ count: passages.length, spent: await best(() => reader.read(asked, passages)) });
  const processor = await best(() => { for (let time = 0; time < times; time += 1) site.read(); });
  // Browsers keep the name from the program; the adapter itself tells the page.
  const { info } = await navigator.gpu.requestAdapter();
  const adapter = reader.adapter() || [info.vendor, info.architecture, info.isFallbackAdapter ? 'in software' : ''].filter(Boolean).join(' ');
  return { adapter, words, passages: twenty.length, processor, batches };
}
