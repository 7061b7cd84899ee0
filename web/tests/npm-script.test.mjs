// `publish/npm.sh`, beside a program that stands in for npm and writes down what it is told.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../publish/npm.sh", import.meta.url));
const STAND_IN =
  '#!/bin/sh\n[ "$*" != "config get registry" ] || echo https://packages.example/\necho "$*" >> "$TOLD"\n';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "npm-script-"));
  writeFileSync(join(folder, "npm"), STAND_IN);
  chmodSync(join(folder, "npm"), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * A packed package, as far as the script looks into it.
 * @param {string} file @param {Record<string, string>} [optionalDependencies]
 */
function pack(file, optionalDependencies) {
  mkdirSync(join(folder, "package"), { recursive: true });
  writeFileSync(join(folder, "package/package.json"), JSON.stringify({ optionalDependencies }));
  const { status, stderr } = spawnSync("tar", ["-czf", file, "package"], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

const publish = (name) => `publish ${join(folder, name)} --access public --provenance`;

/** @param {string[]} packed @param {string[]} options @param {string} [token] */
function run(packed, options, token) {
  for (const name of packed) pack(name);
  const told = join(folder, "told");
  writeFileSync(told, "");
  const PATH = `${folder}:${process.env.PATH}`;
  const env = { PATH, TOLD: told, ...(token && { NPM_TOKEN: token }) };
  const { status, stderr } = spawnSync(SCRIPT, options, { cwd: tmpdir(), env, encoding: "utf8" });
  return { status, stderr, told: readFileSync(told, "utf8").trim().split("\n") };
}

test("every package is published, by the account's token", () => {
  const { status, stderr, told } = run(
    ["campanile-client-1.2.0.tgz", "campanile-element-1.2.0.tgz"],
    [folder, "1.2.0"],
    "secret",
  );
  assert.equal(status, 0, stderr);
  assert.deepEqual(told, [
    "config get registry",
    "config set //packages.example/:_authToken secret",
    publish("campanile-client-1.2.0.tgz"),
    publish("campanile-element-1.2.0.tgz"),
  ]);
});

test("a folder that is named from here is no repository of somebody's", () => {
  const { status, stderr, told } = run(["campanile-client-1.2.0.tgz"], [basename(folder), "1.2.0"], "secret");
  assert.equal(status, 0, stderr);
  assert.match(told.at(-1), /^publish \//);
});

const SYSTEMS = { "@campanile/cli-linux-x64": "1.2.0", "@campanile/cli-win32-x64": "1.2.0" };

test("a package comes after those that it needs", () => {
  pack("campanile-cli-1.2.0.tgz", SYSTEMS);
  const others = [
    "campanile-cli-linux-x64-1.2.0.tgz",
    "campanile-cli-win32-x64-1.2.0.tgz",
    "campanile-client-1.2.0.tgz",
  ];
  const { status, stderr, told } = run(others, [folder, "1.2.0"], "secret");
  assert.equal(status, 0, stderr);
  assert.deepEqual(told.slice(2), [...others, "campanile-cli-1.2.0.tgz"].map(publish));
});

test("a package without those that it needs is not published, nor is any other", () => {
  pack("campanile-cli-1.2.0.tgz", SYSTEMS);
  const { status, stderr, told } = run(["campanile-cli-linux-x64-1.2.0.tgz"], [folder, "1.2.0"], "secret");
  assert.equal(status, 1);
  assert.match(stderr, /cli-1\.2\.0\.tgz needs campanile-cli-win32-x64-1\.2\.0\.tgz, which is not in/);
  assert.deepEqual(told, [""]);
});

test("a file that is no package is told of", () => {
  writeFileSync(join(folder, "campanile-client-1.2.0.tgz"), "no package");
  const { status, stderr } = run([], [folder, "1.2.0"], "secret");
  assert.equal(status, 1);
  assert.match(stderr, /client-1\.2\.0\.tgz is no package/);
});

test("nothing is published where one of them would be wrong", () => {
  const cases = [
    {
      packed: ["campanile-client-1.2.0.tgz", "campanile-element-1.1.0.tgz"],
      says: /element-1\.1\.0\.tgz is not version 1\.2\.0/,
    },
    { packed: [], says: /no packed package/ },
    { packed: ["campanile-client-1.2.0.tgz"], token: "", says: /set NPM_TOKEN/ },
    { packed: [], options: [], says: /FOLDER VERSION/ },
  ];
  for (const { packed, options = [folder, "1.2.0"], token = "secret", says } of cases) {
    const { status, stderr, told } = run(packed, options, token);
    assert.equal(status, 1);
    assert.match(stderr, says);
    assert.ok(!told.some((line) => line.startsWith("publish")), told.join("\n"));
    for (const name of packed) rmSync(join(folder, name));
  }
});
