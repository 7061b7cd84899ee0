#!/usr/bin/env node
// @ts-check
/**
 * Runs the `campanile` command that npm has installed for this system, and ends as it does.
 *
 * The command lies in a package of its own for each system (`@campanile/cli-linux-x64` and so on). They are optional
 * dependencies of this one, so that npm installs the one whose `os`, `cpu` and `libc` fit and passes over the others.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";

const { name, optionalDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const system = `${process.platform}-${process.arch}`;
const isWindows = process.platform === "win32";

/** What somebody does who is told to end a program. A terminal tells every program that it runs, others only this one. */
const ENDINGS = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);

/** @returns {string | undefined} the path of the command */
function command() {
  try {
    const file = isWindows ? "campanile.exe" : "campanile";
    return createRequire(import.meta.url).resolve(`${name}-${system}/${file}`);
  } catch {
    return undefined;
  }
}

/** Why there is no command here, and the way out. */
function missing() {
  const known = Object.keys(optionalDependencies);
  if (!known.includes(`${name}-${system}`)) {
    const systems = known.map((known) => known.slice(name.length + 1)).join(", ");
    return `${name} has no command for ${system}, only for ${systems}.
  way out: compile it from its sources, https://github.com/campanile/campanile`;
  }
  return `the package ${name}-${system}, which holds the command, is not installed.
  It is an optional dependency. npm leaves it out if it is told to (--omit=optional, or optional=false in .npmrc), if
  node_modules was copied from another system, and on a Linux without glibc, such as Alpine.
  way out: delete node_modules and package-lock.json and run "npm install --include=optional ${name}" on this system;
  on a Linux without glibc, compile the command from its sources, https://github.com/campanile/campanile`;
}

/** @param {string} reason */
function fail(reason) {
  console.error(`campanile: ${reason}`);
  process.exitCode = 1;
}

/** @param {string} file */
function run(file) {
  // Before the command is started: who hears of it may end this one at once.
  for (const ending of ENDINGS) {
    // This one lives until the command has ended as it wants to. A second SIGINT from here beside the terminal's changes
    // nothing; on Windows, where Node.js would end the command by force, there is only the terminal's.
    process.on(ending, () => isWindows || child.kill(ending));
  }
  const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
  child.on("error", (error) => fail(`cannot run ${file}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (!signal) {
      process.exitCode = code ?? 1;
      return;
    }
    // Who asked is to see that it was ended by this signal.
    process.exitCode = 128 + constants.signals[signal];
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const found = command();
if (found) run(found);
else fail(missing());
