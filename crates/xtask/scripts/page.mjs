// The scripts of the page as they are served: `node page.mjs WEB FOLDER`, with the folder of Node.js tools in
// CAMPANILE_NODE_TOOLS.
//
// A browser learns of a module's imports when the module has come, and asks for six files of a host at once. On a slow line
// each round takes half a second: so the element is one script, and so is its first worker. What is imported later on, and
// the page around the element, stay files of their own. They take what they share with the element from its script: there is
// one of each module.
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.CAMPANILE_NODE_TOOLS ?? process.cwd(), 'package.json'));

/** The element's script, whose modules all others of the page share. */
const ELEMENT = 'campanile-ask.js';
/** The page around it. */
const PAGE = 'page.js';
/** Scripts that become one with all that they import from the beginning. */
const WHOLE = [ELEMENT, 'worker.js'];
/** Written anew by `campanile build`, with the hashes of all other files in it: never a part of one. */
const FILES = 'files.js';
/** Workers, and what has modules of its own for other reasons. */
const APART = ['prose-worker.js', 'prose-helper.js', 'reading-worker.js', 'rescue.js', FILES];
/** Its placeholders are filled in by the command, which looks for them as they are written. */
const AS_WRITTEN = 'service-worker.js';

/** @typedef {{ name: string, text: string, body: any[], imports: string[], later: string[] }} Script */

/**
 * Every script that is served, by its name.
 * @param {string} folder  that of the scripts as they are written
 * @param {Record<string, string>} [changed]  texts in place of what is written there
 * @returns {Record<string, string>}
 */
export function served(folder, changed = {}) {
  /** @type {Map<string, Script>} */
  const scripts = new Map();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.js') || name === AS_WRITTEN) continue;
    scripts.set(name, read(name, changed[name] ?? readFileSync(join(folder, name), 'utf8')));
  }
  const shared = new Set(inOrder(scripts, ELEMENT));
  const later = [...shared].flatMap((name) => known(scripts, name).later);
  const ofPage = reached(scripts, shared, [PAGE, ...later]);
  const texts = {};
  for (const name of WHOLE) texts[name] = whole(scripts, name);
  for (const name of reached(scripts, new Set(), APART)) texts[name] = known(scripts, name).text;
  for (const name of ofPage) {
    if (name in texts) throw new Error(`${name} is imported by the page and by a worker, and takes other modules there`);
    texts[name] = sharing(known(scripts, name), shared);
  }
  return texts;
}

/** @param {string} name @param {string} text @returns {Script} */
function read(name, text) {
  // The parser that terser brings along.
  const { parse } = createRequire(require.resolve('terser'))('acorn');
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const imports = body
    .filter(({ type, source }) => type === 'ImportDeclaration' && isOurs(source.value))
    .map(({ source }) => source.value.slice(2));
  // What is imported in a comment of types is not imported.
  const code = text.replace(/\/\*[\s\S]*?\*\//gu, '');
  const later = [...code.matchAll(/\bimport\("\.\/([\w-]+\.js)"\)/gu)].map(([, found]) => found).filter((found) => found !== FILES);
  return { name, text, body, imports, later };
}

/** Whether it lies beside the script, and is not written by the build. @param {string} address */
function isOurs(address) {
  return /^\.\/[\w-]+\.js$/u.test(address) && address !== `./${FILES}`;
}

/** A script and all that it imports, each behind what it needs itself. @param {Map<string, Script>} scripts @param {string} entry */
function inOrder(scripts, entry) {
  const order = [];
  const open = new Set();
  const visit = (name) => {
    if (order.includes(name)) return;
    if (open.has(name)) throw new Error(`${name} imports itself, by way of ${[...open].join(', ')}`);
    open.add(name);
    for (const imported of known(scripts, name).imports) visit(imported);
    open.delete(name);
    order.push(name);
  };
  visit(entry);
  return order;
}

/** @param {Map<string, Script>} scripts @param {string} name @returns {Script} */
function known(scripts, name) {
  const script = scripts.get(name);
  if (!script) throw new Error(`there is no script ${name}`);
  return script;
}

/** All that these need, now or later, without what is there already. @param {Map<string, Script>} scripts @param {Set<string>} there @param {string[]} from */
function reached(scripts, there, from) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name) || there.has(name)) return;
    found.add(name);
    const { imports, later } = known(scripts, name);
    for (const next of [...imports, ...later]) visit(next);
  };
  for (const name of from) visit(name);
  return found;
}

/** The name of what a module gives to others. @param {string} name */
const given = (name) => `of_${name.replace(/\.js$/u, '').replaceAll('-', '_')}`;

/** A script with all that it imports in it; it gives what they give, each module under its name. @param {Map<string, Script>} scripts @param {string} entry */
function whole(scripts, entry) {
  const order = inOrder(scripts, entry);
  const parts = order.map((name) => `const ${given(name)} = (() => {\n${closed(known(scripts, name))}\n})();\n`);
  return `${parts.join('')}export { ${order.map(given).join(', ')} };\n`;
}

/** A module's text as the body of a function that returns what the module exports. @param {Script} script */
function closed({ name, text, body }) {
  const names = [];
  const changes = body.flatMap((node) => {
    if (node.type === 'ImportDeclaration') {
      if (!isOurs(node.source.value)) throw new Error(`${name} imports ${node.source.value}, which cannot be a part of another script`);
      return [{ ...node, by: taken(node, given(node.source.value.slice(2))) }];
    }
    if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      names.push(...declared(node.declaration));
      return [{ start: node.start, end: node.declaration.start, by: '' }];
    }
    if (node.type === 'ExportNamedDeclaration' && node.specifiers.length === 0) return [{ ...node, by: '' }];
    if (node.type.startsWith('Export')) throw new Error(`${name} exports in a way that is not known here`);
    return [];
  });
  return `${replaced(text, changes)}\nreturn { ${names.join(', ')} };`;
}

/** A module that takes from the element's script what is in there. @param {Script} script @param {Set<string>} shared */
function sharing({ text, body }, shared) {
  const changes = body.flatMap((node) => {
    const from = node.type === 'ImportDeclaration' && node.source.value.slice(2);
    if (!from || !shared.has(from)) return [];
    const names = taken(node, given(from));
    return [{ ...node, by: `import { ${given(from)} } from "./${ELEMENT}"; ${names}` }];
  });
  return replaced(text, changes);
}

/** The names of an import, taken from an object. @param {any} node @param {string} object */
function taken({ specifiers }, object) {
  if (specifiers.length === 0) return '';
  const names = specifiers.map(({ type, imported, local }) => {
    if (type !== 'ImportSpecifier') throw new Error('only what is imported by name can be found');
    return imported.name === local.name ? local.name : `${imported.name}: ${local.name}`;
  });
  return `const { ${names.join(', ')} } = ${object};`;
}

/** @param {any} declaration @returns {string[]} */
function declared(declaration) {
  if (declaration.type !== 'VariableDeclaration') return [declaration.id.name];
  if (declaration.kind !== 'const') throw new Error('what is exported may not change');
  return declaration.declarations.map(({ id }) => id.name);
}

/** @param {string} text @param {{ start: number, end: number, by: string }[]} changes  in their order */
function replaced(text, changes) {
  let at = 0;
  let found = '';
  for (const { start, end, by } of changes) {
    found += text.slice(at, start) + by;
    at = end;
  }
  return found + text.slice(at);
}

/** Writes all of them shortened, and nothing else stays in the folder. @param {string} web @param {string} folder */
async function write(web, folder) {
  const { minify } = require('terser');
  const texts = served(web);
  await mkdir(folder, { recursive: true });
  for (const old of await readdir(folder)) if (!(old in texts)) await rm(join(folder, old));
  for (const [name, text] of Object.entries(texts)) {
    const { code } = await minify(text, { module: true, ecma: 2022, compress: true, mangle: true });
    await writeFile(join(folder, name), code);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write(process.argv[2], process.argv[3]);
