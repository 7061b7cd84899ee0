// The scripts as they are served: few, each whole, and of every module no more than one in the page.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { served } from "../../crates/xtask/scripts/page.mjs";

const WEB = fileURLToPath(new URL("../", import.meta.url));
/** @type {Record<string, string>} */
let texts;

before(async () => {
  texts = await served(WEB);
  // Types are imported in comments.
  for (const [name, text] of Object.entries(texts)) texts[name] = withoutComments(text);
});

/** @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//gu, "");

/** What a script imports before it runs. @param {string} text */
const imports = (text) => [...text.matchAll(/^import\b[^;]*?['"](\.[^'"]+\.js)['"];/gmu)].map(([, name]) => name);

/** What it imports later. @param {string} text */
const later = (text) => [...text.matchAll(/\bimport\(['"](\.[^'"]+\.js)['"]\)/gu)].map(([, name]) => name);

test("the element and the first worker wait for no other script", () => {
  for (const name of ["campanile-ask.js", "worker.js"]) assert.deepEqual(imports(texts[name]), [], name);
  assert.deepEqual(imports(texts["page.js"]), ["./campanile-ask.js"]);
});

test("the page names the scripts that it waits for", () => {
  const page = readFileSync(join(WEB, "../www/index.html"), "utf8");
  const preloaded = [...page.matchAll(/modulepreload" href="campanile\/([^"]+\.js)"/gu)].map(([, name]) => name);
  assert.deepEqual(preloaded.sort(), ["campanile-ask.js", "worker.js"]);
});

test("all that is imported is served", () => {
  for (const [name, text] of Object.entries(texts)) {
    for (const imported of [...imports(text), ...later(text)]) {
      const path = posix.join(posix.dirname(name), imported);
      if (!path.startsWith("pkg/")) assert.ok(path in texts, `${name} imports ${imported}`);
    }
  }
});

test("what is imported later shares the modules of the element", () => {
  assert.ok(imports(texts["prose-panel.js"]).includes("./campanile-ask.js"));
  for (const name of ["channel.js", "text.js", "words.js", "words/en.js"])
    assert.ok(!(name in texts), `there is a second ${name}`);
});

test("no module waits at its top but the words, and what says later words is brought with them", () => {
  // WebKit leaves some waiting for ever, of several modules that are imported at once and wait for one (bug 242740).
  const names = readdirSync(WEB).filter((name) => name.endsWith(".js"));
  const modules = new Map(names.map((name) => [name, withoutComments(readFileSync(join(WEB, name), "utf8"))]));
  const waiting = [...modules].filter(([, text]) =>
    /^(?:await\b|(?:export )?(?:const|let) [^\n]*= await\b)/mu.test(text),
  );
  assert.deepEqual(
    waiting.map(([name]) => name),
    ["words.js"],
  );

  /** @param {string} name @param {Set<string>} seen @returns {boolean} */
  const saysLater = (name, seen = new Set()) => {
    if (name === "later-words.js") return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return imports(modules.get(name) ?? "").some((imported) => saysLater(posix.basename(imported), seen));
  };
  let brought = 0;
  for (const [name, text] of modules) {
    for (const [before, imported] of text.matchAll(/(?:later\(\(\) => )?import\("\.\/([^"/]+\.js)"\)/gu)) {
      if (name === "later.js" || !saysLater(imported)) continue;
      assert.ok(before.startsWith("later("), `${name} imports ${imported}`);
      brought += 1;
    }
  }
  assert.ok(brought > 5, "they were found");
});

test("each language but English is a file of its own, and no worker has one", () => {
  for (const name of ["de", "es", "fr"].flatMap((language) => [language, `${language}-later`])) {
    assert.ok(`words/${name}.js` in texts, name);
    // The element waits for it before it runs itself: it may not wait for the element.
    assert.deepEqual(imports(texts[`words/${name}.js`]), []);
  }
  for (const [name, text] of Object.entries(texts))
    if (name.endsWith("worker.js") || name.endsWith("helper.js"))
      assert.doesNotMatch(text, /words\/(?:de|es|fr)\.js/u, name);
});

test("every script that is written is served, in one or by itself", () => {
  const whole = Object.values(texts).join("\n");
  for (const name of ["theme.js", "rescue.js"]) assert.ok(name in texts, name);
  const cases = {
    "session.js": "class Session",
    "first-passages.js": "class FirstPassages",
  };
  for (const [name, words] of Object.entries(cases)) {
    assert.ok(existsSync(join(WEB, name)), name);
    assert.equal(whole.split(words).length, 2, name);
  }
});

test("a change to one script is in what is served, and in nothing else", async () => {
  const written = readFileSync(join(WEB, "session.js"), "utf8");
  const changed = await served(WEB, { "session.js": `${written}\nglobalThis.changedForATest = true;\n` });
  const differing = Object.keys(changed).filter((name) => withoutComments(changed[name]) !== texts[name]);
  assert.deepEqual(differing, ["campanile-ask.js"]);
  assert.match(changed["campanile-ask.js"], /changedForATest/u);
});

test("what cannot be served is refused", async () => {
  const copy = join(mkdtempSync(join(tmpdir(), "campanile-scripts-")), "web");
  cpSync(WEB, copy, { recursive: true, filter: (path) => !path.includes("packages") });
  cpSync(join(WEB, "../pkg/sheets"), join(copy, "../pkg/sheets"), { recursive: true });
  const written = readFileSync(join(WEB, "text.js"), "utf8");
  for (const [text, words] of [
    [`import "./none.js";\n${written}`, /none\.js/u],
    [`import "./campanile-ask.js";\n${written}`, /[Cc]ircular/u],
    [`import { missing } from "./sizes.js";\nmissing();\n${written}`, /missing/u],
  ]) {
    writeFileSync(join(copy, "text.js"), text);
    await assert.rejects(served(copy), words);
  }
});
