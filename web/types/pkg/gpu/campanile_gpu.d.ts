// The surface of the `gpu` module that the page relies on.
import type { ProseDevice, ProsePrompt, ProseResult } from "../../../messages.js";
import type { OnProgress, ReadFile } from "../core/campanile_core.js";

export default function init(options: { module_or_path: Response }): Promise<{ memory: WebAssembly.Memory }>;

export class Prose {
  private constructor();
  static open(read: ReadFile, options: { device: ProseDevice }, onProgress: OnProgress): Promise<Prose>;
  device(): ProseDevice;
  /** `onToken` gives back `false` to end the text. */
  generate(
    request: ProsePrompt & { max_tokens: number },
    onToken: (text: string) => boolean,
  ): Promise<ProseResult>;
}
