// The surface of the `keywords` module that the page relies on, as with `core`.
import type { Source } from "../../../messages.js";

export default function init(options: { module_or_path: Response }): Promise<unknown>;

export class Keywords {
  /** @param manifest  the site's, as `JSON.parse` gives it */
  constructor(manifest: object);
  /** Either the passages or the paths of files to be given first. */
  ask(
    question: string,
    today: string,
  ): { sources: Source[]; needs: undefined } | { sources: undefined; needs: string[] };
  give(path: string, file: Uint8Array): void;
}
