// The scripts of the page as they are served, and those of a site in one file: `node page.mjs WEB FOLDER FOLDER`, with the
// folder of Node.js tools in CAMPANILE_NODE_TOOLS.
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
 * Each is waited for by a script of the page before it runs: it takes nothing from there, or the two would wait for each
 * other for ever.
 */
const LANGUAGES = ['de', 'es', 'fr'].flatMap((language) => [`words/${language}.js`, `words/${language}-later.js`]);
/** Classic scripts, which import nothing. */
const CLASSIC = ['rescue.js', 'theme.js'];
/** Written anew by `campanile build`, with the hashes of all other files in it: never a part of one. */
const FILES = 'files.js';
/** The style sheets of the element as scripts, made by `cargo xtask web`: parts of those that import them. */
const SHEETS = './pkg/sheets/';

/**
 * What a site in one file runs, each without an import: its page, and the workers that it has a use for. The language model
 * and its workers are no part of it.
 */
const IN_ONE_FILE = ['page.js', 'worker.js', 'reading-worker.js'];
/** The languages and the parts come before all that needs them. */
const PAGE_IN_ONE_FILE = [...LANGUAGES, 'single-file-page.js', 'page.js'];
/** Where a module of the page believes itself to be, and one of a worker, which is told of the page's folder later on. */
const ADDRESS_IN_PAGE = 'new URL("campanile/page.js", document.baseURI).href';
const ADDRESS_IN_WORKER = '"file:///campanile/worker.js"';

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
    onwarn: fail,
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

/**
 * The scripts of a site in one file, by their names.
 * @param {string} folder  that of the scripts as they are written, beside that of the modules
 */
async function inOneFile(folder) {
  /** @type {Record<string, string>} */
  const texts = {};
  for (const name of IN_ONE_FILE) {
    const isPage = name === 'page.js';
    const [imports, changed] = isPage ? [PAGE_IN_ONE_FILE, {}] : [[name], IN_A_WORKER];
    const entry = imports.map((file) => `import ${JSON.stringify(join(folder, file))};`).join('\n');
    // From a page in a folder Chromium and WebKit start no module as a worker; the page itself awaits its language.
    const [address, format] = isPage ? [ADDRESS_IN_PAGE, 'es'] : [ADDRESS_IN_WORKER, 'iife'];
    texts[name] = await inOneScript(folder, { ...changed, [ENTRY]: entry }, address, format);
  }
  return texts;
}

/**
 * @param {string} folder
 * @param {Record<string, string>} changed  with the entry
 * @param {string} address  an expression
 * @param {string} format
 */
async function inOneScript(folder, changed, address, format) {
  const { rollup } = require('rollup');
  const plugin = {
    name: 'in-one-script',
    /** @param {string} path @param {string | undefined} from */
    resolveId(path, from) {
      if (path.startsWith('./pkg/')) return join(folder, '..', path);
      return from && path.startsWith('.') ? join(dirname(from), path) : path;
    },
    /** @param {string} path */
    load: (path) => changed[path] ?? changed[relative(folder, path)],
    resolveImportMeta: () => address,
  };
  const bundle = await rollup({ input: ENTRY, plugins: [plugin], onwarn: fail });
  const { output } = await bundle.generate({ format, inlineDynamicImports: true });
  await bundle.close();
  return output[0].code;
}

/** What is only a warning for a bundler is a page that does not work here. @param {{ message: string }} warning */
function fail({ message }) {
  throw new Error(message);
}

const ENTRY = 'entry';
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
    if (address.startsWith(SHEETS)) return join(folder, '..', address);
    const isApart = address === `./${FILES}` || address.startsWith('./pkg/') || LANGUAGES.includes(address.slice(2));
    if (isApart) return { id: address, external: true };
    return from ? join(dirname(from), address) : address;
  },
  /** @param {string} path */
  load: (path) => changed[relative(folder, path)],
});

/**
 * Writes scripts shortened, and nothing else stays in the folder.
 * @param {Record<string, string>} texts  by their paths in it
 * @param {string} folder
 */
async function write(texts, folder) {
  const { minify } = require('terser');
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [web, page, singleFile] = process.argv.slice(2);
  await write(await served(web), page);
  await write(await inOneFile(web), singleFile);
}
