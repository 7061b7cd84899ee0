// The scripts as they are served: few, each whole, and of every module no more than one in the page.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { served } from "../../crates/xtask/scripts/page.mjs";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const texts = served(WEB);

/** What a script imports before it runs. @param {string} text */
const imports = (text) => [...text.matchAll(/^import\b[^;]*?"\.\/([\w-]+\.js)";/gmu)].map(([, name]) => name);

/** A folder with these scripts and the ones that are expected of it. @param {Record<string, string>} scripts */
function folder(scripts) {
  const path = mkdtempSync(join(tmpdir(), "campanile-scripts-"));
  const all = {
    "prose-worker.js": "",
    "prose-helper.js": "",
    "reading-worker.js": "",
    "rescue.js": "",
    "files.js": "",
  };
  for (const [name, text] of Object.entries({ ...all, "page.js": "", "worker.js": "", ...scripts }))
    writeFileSync(join(path, name), text);
  return path;
}

test("the element and the first worker wait for no other script", () => {
  for (const name of ["campanile-ask.js", "worker.js"]) assert.deepEqual(imports(texts[name]), [], name);
  assert.deepEqual([...new Set(imports(texts["page.js"]))], ["campanile-ask.js"]);
});

test("the page names the scripts that it waits for", () => {
  const page = readFileSync(join(WEB, "../www/index.html"), "utf8");
  const preloaded = [...page.matchAll(/modulepreload" href="campanile\/([\w-]+\.js)"/gu)].map(([, name]) => name);
  assert.deepEqual(preloaded.sort(), ["campanile-ask.js", "worker.js"]);
});

test("all that is imported is served, and what is served was written", () => {
  for (const [name, text] of Object.entries(texts)) {
    assert.ok(existsSync(join(WEB, name)), name);
    const later = [...text.matchAll(/\bimport\("\.\/([\w-]+\.js)"\)/gu)].map(([, found]) => found);
    for (const imported of [...imports(text), ...later]) assert.ok(imported in texts, `${name} imports ${imported}`);
  }
});

test("what is imported later shares the modules of the element", () => {
  const later = texts["prose-panel.js"];
  assert.match(later, /import \{ of_channel \} from "\.\/campanile-ask\.js"; const \{ WorkerFailure \} = of_channel;/u);
  assert.ok(!("channel.js" in texts), "there is no second one");
});

test("one script of several does what they did", async () => {
  const path = folder({
    "campanile-ask.js":
      'import { two as both } from "./two.js";\nimport "./early.js";\nexport const found = [both(), globalThis.early];\nexport class Kept {}',
    "two.js": 'import { one } from "./one.js";\nexport const two = () => one + one, other = 1;',
    "one.js": "const hidden = 1;\nexport const one = hidden;",
    "early.js": "const hidden = 3;\nglobalThis.early = hidden;",
  });
  const whole = join(path, "whole.mjs");
  writeFileSync(whole, served(path)["campanile-ask.js"]);
  const { of_campanile_ask: element, of_two: two } = await import(whole);
  assert.deepEqual(element.found, [2, 3]);
  assert.equal(new element.Kept().constructor.name, "Kept");
  assert.equal(two.other, 1);
});

test("what cannot become one script is refused", () => {
  for (const [scripts, words] of [
    [
      {
        "campanile-ask.js": 'import { a } from "./a.js";',
        "a.js": 'import "./campanile-ask.js";\nexport const a = 1;',
      },
      /imports itself/,
    ],
    [{ "campanile-ask.js": 'import { a } from "./none.js";' }, /there is no script none\.js/],
    [{ "campanile-ask.js": "export let changing = 1;" }, /may not change/],
    [{ "campanile-ask.js": "export default 1;" }, /not known here/],
    [{ "campanile-ask.js": 'import { FILES } from "./files.js";' }, /files\.js, which cannot be a part/],
  ])
    assert.throws(() => served(folder(scripts)), words);
});
