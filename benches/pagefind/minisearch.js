// An index of MiniSearch over pages, which a page loads whole, and that page.
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** As its documentation has it: titles count twice, and of the pages themselves only the address is kept. */
const OPTIONS = { idField: 'path', fields: ['title', 'text'], searchOptions: { boost: { title: 2 } } };
const SHOWN = 5;

/**
 * Writes `minisearch/` below the pages: the module, the index of all pages and a page that searches it.
 * @param {string} pages
 * @param {string} tools  the folder of the pinned packages
 */
export async function writeMiniSearch(pages, tools) {
  const require = createRequire(join(tools, 'package.json'));
  const MiniSearch = require('minisearch');
  const index = new MiniSearch(OPTIONS);
  const files = await readdir(pages, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const html = await readFile(join(pages, file), 'utf8');
    // The pages that search are among them.
    if (!html.includes('data-pagefind-body')) continue;
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '';
    const text = html.replace(/^.*?<body>/s, '').replace(/<[^>]*>/g, ' ');
    index.add({ path: file.replace(/\.html$/, ''), title, text });
  }
  const folder = join(pages, 'minisearch');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.json'), JSON.stringify(index));
  await copyFile(join(dirname(require.resolve('minisearch')), '../es/index.js'), join(folder, 'minisearch.js'));
  await writeFile(join(folder, 'search.html'), `<!doctype html>
<meta charset="utf-8">
<title>Search</title>
<link rel="icon" href="data:,">
<script type="module">
import MiniSearch from './minisearch.js';
const text = fetch('index.json').then((response) => response.text());
const index = text.then((text) => MiniSearch.loadJSON(text, ${JSON.stringify(OPTIONS)}));
window.search = async (text) => (await index).search(text).slice(0, ${SHOWN}).map(({ id }) => id);
</script>
`);
}
