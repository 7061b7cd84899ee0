// The scripts of the page as they are served: `node page.mjs WEB FOLDER`, with the folder of Node.js tools in
// CAMPANILE_NODE_TOOLS.
//
// A browser learns of a module's imports when the module has come, and asks for six files of a host at once. On a slow line
// each round takes half a second: so the element is one script, and so is each worker. What is imported later on, and the
// page around the element, stay files of their own. They take what they share with the element from its script: there is
// one of each module.
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.CAMPANILE_NODE_TOOLS ?? process.cwd(), 'package.json'));

/** The scripts of the page: what they share lies in the first that needs it. */
const PAGE = ['campanile-ask.js', 'page.js'];
/** Each runs by itself, with all that it imports. */
const WORKERS = ['worker.js', 'prose-worker.js', 'prose-helper.js', 'reading-worker.js'];
/** What workers say is for engineers, in English: they need no other language. */
const IN_A_WORKER = { 'words.js': 'export { words } from "./words/en.js";' };
/**
 * Each is waited for by the element's script before it runs: it takes nothing from there, or the two would wait for each
 * other for ever.
 */
const LANGUAGES = ['words/de.js', 'words/es.js', 'words/fr.js'];
/** Classic scripts, which import nothing. */
const CLASSIC = ['rescue.js', 'theme.js'];
/** Written anew by `campanile build`, with the hashes of all other files in it: never a part of one. */
const FILES = 'files.js';
/** The style sheets of the element as a script, made by `cargo xtask web`: a part of the element's. */
const SHEETS = './pkg/sheets/sheet.js';

/**
 * Every script that is served, by its path below `campanile/`.
 * @param {string} folder  that of the scripts as they are written
 * @param {Record<string, string>} [changed]  texts in place of what is written there, by their path in it
 * @returns {Promise<Record<string, string>>}
 */
export async function served(folder, changed = {}) {
  const text = (/** @type {string} */ path) => changed[path] ?? readFileSync(join(folder, path), 'utf8');
  const texts = Object.fromEntries([...CLASSIC, FILES].map((name) => [name, text(name)]));
  const parts = [await bundled(folder, PAGE, changed)];
  for (const name of LANGUAGES) parts.push(await bundled(folder, [name], changed));
  for (const name of WORKERS) parts.push(await bundled(folder, [name], { ...changed, ...IN_A_WORKER }));
  for (const [path, code] of parts.flatMap(Object.entries)) {
    if (path in texts) throw new Error(`${path} is imported later by two that share nothing else`);
    texts[path] = code;
  }
  return texts;
}

/** @param {string} folder @param {string[]} entries @param {Record<string, string>} changed */
async function bundled(folder, entries, changed) {
  const { rollup } = require('rollup');
  const bundle = await rollup({
    input: entries.map((name) => join(folder, name)),
    preserveEntrySignatures: 'allow-extension',
    plugins: [asInASite(folder, changed)],
    // What is only a warning there is a page that does not work here.
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    format: 'es',
    // Where it was written: addresses in it are relative.
    entryFileNames: ({ facadeModuleId }) => relative(folder, facadeModuleId),
    chunkFileNames: ({ facadeModuleId }) => (facadeModuleId ? relative(folder, facadeModuleId) : '[name].js'),
    // What the first needs from the beginning lies in it, also where others need it too: they come later.
    manualChunks: (id, { getModuleInfo }) => (needs(join(folder, entries[0]), getModuleInfo).has(id) ? FIRST : null),
  });
  await bundle.close();
  return Object.fromEntries(output.map(({ fileName, code }) => [fileName, code]));
}

const FIRST = 'first';

/** A module with all that it imports from the beginning. @param {string} id @param {(id: string) => any} infoOf @param {Set<string>} [found] */
function needs(id, infoOf, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of infoOf(id)?.importedIds ?? []) needs(imported, infoOf, found);
  return found;
}

/** Finds modules as a site has them. @param {string} folder @param {Record<string, string>} changed */
const asInASite = (folder, changed) => ({
  name: 'as-in-a-site',
  /** @param {string} address @param {string | undefined} from */
  resolveId(address, from) {
    if (address === SHEETS) return join(folder, '..', SHEETS);
    const isApart = address === `./${FILES}` || address.startsWith('./pkg/') || LANGUAGES.includes(address.slice(2));
    if (isApart) return { id: address, external: true };
    return from ? join(dirname(from), address) : address;
  },
  /** @param {string} path */
  load: (path) => changed[relative(folder, path)],
});

/** Writes all of them shortened, and nothing else stays in the folder. @param {string} web @param {string} folder */
async function write(web, folder) {
  const { minify } = require('terser');
  const texts = await served(web);
  await mkdir(folder, { recursive: true });
  for (const old of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(old.parentPath, old.name);
    if (old.isFile() && !(relative(folder, path) in texts)) await rm(path);
  }
  for (const [path, text] of Object.entries(texts)) {
    const { code } = await minify(text, { module: !CLASSIC.includes(path), ecma: 2022, compress: true, mangle: true });
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), code);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write(process.argv[2], process.argv[3]);
