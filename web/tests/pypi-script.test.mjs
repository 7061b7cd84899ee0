// `publish/pypi.sh`, beside a program that stands in for Python and writes down what it is told.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../publish/pypi.sh", import.meta.url));
const STAND_IN = '#!/bin/sh\necho "$TWINE_USERNAME:$TWINE_PASSWORD $*" >> "$TOLD"\n';
const LINUX = "campanile_site-1.2.0-py3-none-manylinux_2_35_x86_64.whl";
const WINDOWS = "campanile_site-1.2.0-py3-none-win_amd64.whl";

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pypi-script-"));
  writeFileSync(join(folder, "python3"), STAND_IN);
  chmodSync(join(folder, "python3"), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {string[]} wheels @param {string[]} options @param {string} token */
function run(wheels, options = [folder, "1.2.0"], token = "secret") {
  // An archive lies beside them in what a release has.
  for (const name of [...wheels, "campanile-1.2.0-x86_64-pc-windows-msvc.tar.gz"])
    writeFileSync(join(folder, name), "");
  const told = join(folder, "told");
  writeFileSync(told, "");
  const env = { PATH: `${folder}:${process.env.PATH}`, TOLD: told, ...(token && { PYPI_TOKEN: token }) };
  const { status, stderr } = spawnSync(SCRIPT, options, { env, encoding: "utf8" });
  return { status, stderr, told: readFileSync(told, "utf8") };
}

test("every wheel is published at once, by the account's token", () => {
  const { status, stderr, told } = run([LINUX, WINDOWS]);
  assert.equal(status, 0, stderr);
  const wheels = [LINUX, WINDOWS].map((name) => join(folder, name)).join(" ");
  assert.equal(
    told,
    `: -m twine check --strict ${wheels}\n__token__:secret -m twine upload --non-interactive ${wheels}\n`,
  );
});

test("nothing is published where one of them would be wrong", () => {
  const cases = [
    {
      wheels: [LINUX, WINDOWS.replace("1.2.0", "1.1.0")],
      says: /site-1\.1\.0-py3-none-win_amd64\.whl is not version 1\.2\.0/,
    },
    { wheels: [LINUX, "campanile-1.2.0-py3-none-any.whl"], says: /is not version 1\.2\.0 of campanile-site/ },
    { wheels: [], says: /there is no wheel in/ },
    { wheels: [LINUX], token: "", says: /set PYPI_TOKEN/ },
    { wheels: [LINUX], options: [], says: /FOLDER VERSION/ },
  ];
  for (const { wheels, options, token, says } of cases) {
    const { status, stderr, told } = run(wheels, options, token);
    assert.equal(status, 1);
    assert.match(stderr, says);
    assert.equal(told, "");
    for (const name of wheels) rmSync(join(folder, name));
  }
});
