// The surface of the `gpu` module that the page relies on.
import type { OtherWords, ProseDevice, ProsePrompt, ProseResult } from "../../../messages.js";
import type { OnProgress, ReadFile } from "../core/campanile_core.js";

export default function init(options: { module_or_path: Response }): Promise<{ memory: WebAssembly.Memory }>;

/** Workers that hold a `Helper` each, numbered from 1. */
export interface Helpers {
  readonly count: number;
  ready(): Promise<void>;
  /** Has all multiply `input`, which is to be copied at once. */
  begin(product: number, input: Float32Array): void;
  /** Waits for the output of one. */
  end(number: number, output: Float32Array): void;
}

/** A part of the rows of all matrices. */
export class Helper {
  private constructor();
  static open(read: ReadFile, number: number, of: number): Promise<Helper>;
  most_input(): number;
  most_output(): number;
  multiply(product: number, input: Float32Array, output: Float32Array): void;
}

export class Prose {
  private constructor();
  static open(
    read: ReadFile,
    options: { device: ProseDevice },
    onProgress: OnProgress,
    helpers?: Helpers,
  ): Promise<Prose>;
  device(): ProseDevice;
  /**
   * `onToken` gives back `false` to end the text. With `grounded: false` the text may state what
   * the evidence does not.
   */
  generate(
    request: ProsePrompt & { max_tokens: number; grounded?: boolean },
    onToken: (text: string) => boolean,
  ): Promise<ProseResult>;
  /** Whether the site wants questions in other words. */
  rewords(): boolean;
  /** `goOn` is called as text comes, and gives back `false` to stop. */
  reword(question: string, goOn: () => boolean): Promise<OtherWords & { stopped: boolean }>;
}

/** The site's reader on WebGPU. */
export class PassageReader {
  private constructor();
  static open(read: ReadFile, onProgress?: OnProgress): Promise<PassageReader>;
  adapter(): string;
  /** What it finds, as `Core.read_with` takes it. */
  read(question: string, passages: string[]): Promise<Float32Array>;
}
