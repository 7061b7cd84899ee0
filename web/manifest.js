// @ts-check
/** A site's manifest, read before any program is there. */

/** @import { Manifest } from "./pkg/core/campanile_core.js" */

/** The format that this page was written for; others are for `core` to explain. @type {Manifest["format"]} */
const FORMAT = 3;

/**
 * The manifest with the bytes of its file; null where it is not as expected.
 * @param {Uint8Array} bytes
 * @returns {{ manifest: Manifest, bytes: Uint8Array } | null}
 */
export function readManifest(bytes) {
  /** @type {Manifest | null} */ let manifest;
  try {
    manifest = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  // `core` reads all of it, minutes later on a slow line: these parts are shown and used before.
  const { format, counts, lexical, documents } = manifest ?? {};
  return manifest && format === FORMAT && counts && lexical?.head && documents?.head ? { manifest, bytes } : null;
}

/**
 * The files of a model that it starts with; the others it asks for where it needs them.
 * @param {import("./pkg/core/campanile_core.js").ModelEntry | null | undefined} model
 */
export const startingFiles = (model) => (model?.files ?? []).filter((file) => !file.on_demand);

/** Their bytes. @param {Parameters<typeof startingFiles>[0]} model */
export const startingBytes = (model) => startingFiles(model).reduce((sum, { shard }) => sum + shard.bytes, 0);
