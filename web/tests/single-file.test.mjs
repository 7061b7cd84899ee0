// The parts of a site in one file: base64 as everybody else writes it, and files as if they had been fetched.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { bytesOf, holdParts, isSingleFile, responseOf } from "../single-file.js";

test("base64 of every length is read as it was written", () => {
  for (let length = 0; length < 100; length += 1) {
    const bytes = randomBytes(length);
    assert.deepEqual(Buffer.from(bytesOf(Buffer.from(bytes.toString("base64")))), bytes, `${length} bytes`);
  }
});

test("a part is a file that was fetched, and what is no part is not there", async () => {
  assert.equal(isSingleFile(), false);
  const part = (/** @type {Buffer} */ bytes, isZipped = false) => ({ text: bytes.toString("base64"), isZipped });
  holdParts(
    new Map([
      ["shards/a.bin", part(Buffer.from([1, 2, 255]))],
      ["campanile/b.wasm", part(gzipSync("program"), true)],
      ["licences.txt", part(gzipSync("free"), true)],
    ]),
  );
  assert.equal(isSingleFile(), true);
  const shard = responseOf("shards/a.bin");
  assert.deepEqual([...new Uint8Array((await shard?.arrayBuffer()) ?? [])], [1, 2, 255]);
  const program = responseOf("campanile/b.wasm");
  assert.equal(program?.headers.get("content-type"), "application/wasm", "compiled while it is unpacked");
  assert.equal(await program?.text(), "program");
  assert.equal(await responseOf("licences.txt")?.text(), "free");
  assert.equal(responseOf("shards/b.bin"), null);
});
