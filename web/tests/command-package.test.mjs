// `publish/npm`: the script that runs the command of the package for a system, beside a stand-in for that package.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../publish/npm/", import.meta.url));
const HERE = `${process.platform}-${process.arch}`;
/** Until it is told to end, and not for ever: a test that fails ends too. */
const WAIT = 'echo ready\nn=0\nwhile [ "$n" -lt 100 ]; do n=$((n + 1)); sleep 0.1; done\necho never told';
/** The stand-ins are scripts of a shell, and Windows has no signals. */
const options = { skip: process.platform === "win32" && "stand-ins are scripts of a shell" };

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "command-package-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * An installed `@campanile/cli`, and what it finds for this system.
 * @param {string} [command]  lines of a shell; without them the package is not installed
 * @param {string[]} systems  that it names
 */
function install(command, systems = [HERE]) {
  const packages = join(folder, "node_modules/@campanile");
  mkdirSync(join(packages, "cli"), { recursive: true });
  copyFileSync(join(SOURCE, "campanile.js"), join(packages, "cli/campanile.js"));
  const described = JSON.parse(readFileSync(join(SOURCE, "package.json"), "utf8"));
  described.optionalDependencies = Object.fromEntries(systems.map((system) => [`@campanile/cli-${system}`, "1.2.0"]));
  writeFileSync(join(packages, "cli/package.json"), JSON.stringify(described));
  if (command !== undefined) {
    mkdirSync(join(packages, `cli-${HERE}`));
    const file = join(packages, `cli-${HERE}/campanile`);
    writeFileSync(file, `#!/bin/sh\n${command}\n`);
    chmodSync(file, 0o755);
  }
  return join(packages, "cli/campanile.js");
}

/** @param {string} script @param {string[]} words @param {string} [input] */
function run(script, words = [], input = "") {
  return spawnSync(process.execPath, [script, ...words], { encoding: "utf8", input });
}

/** Runs until the command says that it is ready, tells it to end, and gives how all of it ended. @param {string} script */
function ended(script, /** @type {NodeJS.Signals} */ by) {
  const running = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  running.stdout.on("data", (data) => {
    if (!said) running.kill(by);
    said += data;
  });
  return new Promise((resolve) => running.on("close", (code, signal) => resolve({ code, signal, said })));
}

test("words, input, output and exit code are the command's", options, () => {
  const script = install('cat; for word; do echo "<$word>"; done; echo aside >&2; exit 3');
  const { status, stdout, stderr } = run(script, ["build", "a folder", "--", "$HOME"], "typed\n");
  assert.equal(status, 3);
  assert.equal(stdout, "typed\n<build>\n<a folder>\n<-->\n<$HOME>\n");
  assert.equal(stderr, "aside\n");
});

test("the command is told to end, and may take its time", options, async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    const script = install(`trap 'sleep 0.2; echo tidied; exit 4' ${signal.slice(3)}\n${WAIT}`);
    assert.deepEqual(await ended(script, signal), { code: 4, signal: null, said: "ready\ntidied\n" });
  }
});

test("the command is told to end as soon as it has begun", options, () => {
  const script = install(`trap 'echo tidied; exit 4' TERM\nkill -TERM $PPID\n${WAIT}`);
  const { status, stdout } = run(script);
  assert.equal(status, 4);
  assert.match(stdout, /^(?:ready\n)?tidied\n$/);
});

test("who waits for a command that a signal ended sees that signal", options, async () => {
  const script = install(WAIT);
  assert.deepEqual(await ended(script, "SIGTERM"), { code: null, signal: "SIGTERM", said: "ready\n" });
  rmSync(join(folder, "node_modules"), { recursive: true });
  assert.equal(run(install("kill -KILL $$")).signal, "SIGKILL");
});

test("a package that npm left out is told of, with a way out", () => {
  const { status, stderr, stdout } = run(install(undefined));
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.match(stderr, new RegExp(`^campanile: the package @campanile/cli-${HERE}, which holds the command`));
  assert.match(stderr, /way out: .*npm install --include=optional @campanile\/cli"/);
});

test("a system without a package is told of, with those that have one", () => {
  const { status, stderr } = run(install(undefined, ["plan9-mips", "linux-x65"]));
  assert.equal(status, 1);
  assert.match(
    stderr,
    new RegExp(`^campanile: @campanile/cli has no command for ${HERE}, only for plan9-mips, linux-x65\\.`),
  );
  assert.match(stderr, /way out: compile it/);
});

test("a command that cannot be run is told of", options, () => {
  const script = install("");
  chmodSync(join(folder, `node_modules/@campanile/cli-${HERE}/campanile`), 0o644);
  const { status, stderr } = run(script);
  assert.equal(status, 1);
  assert.match(stderr, /^campanile: cannot run .*EACCES/);
});
