// @ts-check
/** What a site says about itself, read from its manifest before any program is there. */

/** @import { SiteManifest } from "./messages.js" */

/** The format that this page was written for; others are for `core` to explain. */
const FORMAT = 3;

/**
 * The manifest for the page, and as it stands in the file; null where it is not as expected.
 * @param {Uint8Array} bytes
 * @returns {{ manifest: SiteManifest, raw: any } | null}
 */
export function siteManifest(bytes) {
  /** @type {any} */ let raw;
  try {
    raw = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (raw?.format !== FORMAT || !raw.counts || !raw.lexical?.head || !raw.documents?.head) return null;
  const { encoder, prose, reader, reranker: _reranker, checker, ...index } = raw;
  const instant = raw.instant ? { bytes: sumOfBytes(raw.instant) } : null;
  const manifest = {
    title: raw.title,
    description: raw.description,
    language: raw.language,
    examples: raw.examples ?? [],
    counts: raw.counts,
    index: { bytes: sumOfBytes(index) },
    instant,
    encoder: encoder ? { name: encoder.name, bytes: encoder.bytes } : null,
    reader: reader ? { name: reader.name, bytes: reader.bytes } : null,
    checker: checker ? { name: checker.name, bytes: checker.bytes } : null,
    unsupported: raw.prose_settings?.unsupported ?? "remove",
    contact: raw.contact ?? "",
    prose: prose ? { name: prose.name, bytes: prose.bytes } : null,
  };
  return { manifest, raw };
}

/** The lengths that stand anywhere within. @param {any} value @returns {number} */
function sumOfBytes(value) {
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + (key === "bytes" && typeof inner === "number" ? inner : sumOfBytes(inner)),
    0,
  );
}
