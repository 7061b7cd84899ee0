// @ts-check
/**
 * Puts the packages for npm together: `node web/packages/assemble.js TSC [TO]`, which `cargo xtask packages` runs.
 *
 * A package is a folder here, with the modules that its `package.json` exports. Along with them goes each module of
 * `web/` and each program of `pkg/` that they reach, as they are written: who uses a package shortens it with the rest.
 * A file in the package's `instead/` takes the place of the one of that name in `web/`.
 * Types are what `tsc` says of the exported modules. Each package is left as a folder in TO (`pkg/npm` if not given),
 * with the file that `npm pack` makes of it beside it.
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const PACKAGES = fileURLToPath(new URL(".", import.meta.url));
const WEB = resolve(PACKAGES, "..");
const ROOT = resolve(WEB, "..");

/** Whether a file lies in a folder. @param {string} file @param {string} folder */
const isIn = (file, folder) => file.startsWith(`${folder}/`);

/** What a package holds beside its modules, by the file's name in it. */
const BESIDE = {
  "LICENSE-APACHE": join(ROOT, "LICENSE-APACHE"),
  "LICENSE-MIT": join(ROOT, "LICENSE-MIT"),
  // Of what is compiled into the programs.
  "third-party-licences.txt": join(ROOT, "pkg/third-party-licences.txt"),
};

/** The modules of a site know of their files by this one; a package's know of its programs. */
const FILES = "web/files.js";

/** The digits of a hash that a module is held against, as `campanile build` takes them. */
const DIGITS = 16;

/**
 * Where a file of the checkout goes in a package: what is the package's own to its root, the rest into `web/`.
 * @param {string} file  absolute
 * @param {string} source  the package's folder
 */
function placeOf(file, source) {
  if (isIn(file, source)) return relative(source, file);
  const room = [WEB, ROOT].find((folder) => isIn(file, folder)) ?? ROOT;
  return join("web", relative(room, file));
}

/** Comments name modules too, whose types alone are meant. @param {string} text */
const withoutComments = (text) => text.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, "");

/** @param {string} text  of a module @returns {string[]} what it imports, starts or fetches, relative to itself */
const reaches = (text) =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)(["'])(\.{1,2}\/[^"']+\.\w+)\1/g)].map(
    ([, , path]) => /** @type {string} */ (path),
  );

/**
 * The file that a module means. The compiled programs lie beside `web/`, and in a site and a package within.
 * @param {string} path
 * @param {string} from  the module that names it
 */
function meant(path, from) {
  const file = resolve(dirname(from), path);
  return isIn(file, join(WEB, "pkg")) ? join(ROOT, relative(WEB, file)) : file;
}

/**
 * A text that names modules, as it stands in a package.
 * @param {string} text
 * @param {string} from  the file that it is of
 * @param {string} source
 */
function relinked(text, from, source) {
  if (!isIn(from, source)) return text;
  const depth = "../".repeat(relative(source, from).split("/").length);
  return text.replaceAll(`"${depth}../`, '"./web/');
}

/**
 * What a package holds of a file.
 * @param {string} file
 * @param {string} source
 */
function contentOf(file, source) {
  const instead = join(source, "instead", relative(WEB, file));
  return readFile(existsSync(instead) ? instead : file);
}

/**
 * All that some modules of a package reach, themselves among it, with what is in them.
 * @param {string[]} entries
 * @param {string} source
 * @returns {Promise<[file: string, content: Buffer][]>}
 */
async function reachable(entries, source) {
  const found = new Set(entries);
  /** @type {[string, Buffer][]} */
  const contents = [];
  for (const file of found) {
    const content = await contentOf(file, source);
    contents.push([file, content]);
    if (!file.endsWith(".js")) continue;
    for (const path of reaches(withoutComments(content.toString()))) found.add(meant(path, file));
  }
  return contents;
}

/**
 * What of a program's types is plain data. The program itself, whose types name a browser's, is the package's own affair.
 * @param {string} text
 */
const plainTypes = (text) => text.slice(0, text.search(/^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export class/m));

/**
 * Writes the types of the exported modules, and of what those name.
 * @param {string} tsc
 * @param {string} source
 * @param {string} to
 * @param {string[]} entries
 */
async function writeTypes(tsc, source, to, entries) {
  const written = `${to}-types`;
  await rm(written, { recursive: true, force: true });
  const words = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", written];
  await run(tsc, ["--project", join(source, "tsconfig.json"), ...words]);
  const found = new Set(entries.map((entry) => entry.replace(/\.js$/, ".d.ts")));
  for (const file of found) {
    const isProgram = isIn(file, join(ROOT, "pkg"));
    // What `tsc` wrote lies as in the checkout.
    const text = await readFile(isProgram ? file : join(written, relative(ROOT, file)), "utf8");
    const types = isProgram ? plainTypes(text) : text;
    for (const [, path] of types.matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+)\.js"/g))
      found.add(meant(`${path}.d.ts`, file));
    await write(join(to, placeOf(file, source)), relinked(types, file, source));
  }
  await rm(written, { recursive: true });
}

/** @param {string} file @param {string | Uint8Array} content */
async function write(file, content) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** The version that the whole project has. */
async function workspaceVersion() {
  const text = await readFile(join(ROOT, "Cargo.toml"), "utf8");
  const found = /^\[workspace\.package\][^[]*?^version = "([^"]+)"/m.exec(text)?.[1];
  if (!found) throw new Error("Cargo.toml names no version of the workspace.");
  return found;
}

/** The modules that a package exports, whatever the condition. @param {unknown} exported @returns {string[]} */
function modulesIn(exported) {
  if (typeof exported === "string") return exported.endsWith(".js") ? [exported] : [];
  return typeof exported === "object" && exported !== null ? Object.values(exported).flatMap(modulesIn) : [];
}

/**
 * Puts one package together and packs it; gives the packed file.
 * @param {string} name  of its folder
 * @param {string} tsc
 * @param {string} packages  where it goes
 */
async function assemble(name, tsc, packages) {
  const source = join(PACKAGES, name);
  const to = join(packages, name);
  const described = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const version = await workspaceVersion();
  if (described.version !== version) {
    throw new Error(
      `web/packages/${name}/package.json says ${described.version}, Cargo.toml ${version}: make them one.`,
    );
  }
  await rm(to, { recursive: true, force: true });
  const entries = [...new Set(modulesIn(described.exports))].map((entry) => join(source, entry));
  /** @type {Record<string, string>} */
  const programs = {};
  for (const [file, bytes] of await reachable(entries, source)) {
    const place = placeOf(file, source);
    if (file.endsWith(".js")) await write(join(to, place), relinked(bytes.toString(), file, source));
    else await write(join(to, place), bytes);
    if (file.endsWith(".wasm")) programs[place] = createHash("sha256").update(bytes).digest("hex").slice(0, DIGITS);
  }
  const files = await readFile(join(to, FILES), "utf8");
  await write(join(to, FILES), files.replace("FILES = {}", `FILES = ${JSON.stringify(programs, null, 2)}`));
  await writeTypes(tsc, source, to, entries);
  for (const [beside, file] of Object.entries(BESIDE)) await copyFile(file, join(to, beside));
  for (const own of ["README.md", "package.json"]) await copyFile(join(source, own), join(to, own));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", packages], {
    cwd: to,
  });
  const [packed] = JSON.parse(stdout);
  console.log(`package ${packed.name} ${packed.version}: ${packed.entryCount} files, ${packed.size} bytes packed`);
  return join(packages, packed.filename);
}

const [tsc, to = join(ROOT, "pkg/npm")] = process.argv.slice(2);
if (!tsc) throw new Error("Usage: node web/packages/assemble.js TSC [TO]");
await mkdir(to, { recursive: true });
for (const entry of await readdir(PACKAGES, { withFileTypes: true })) {
  if (entry.isDirectory()) console.log(await assemble(entry.name, tsc, resolve(to)));
}
