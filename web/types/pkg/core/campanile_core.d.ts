// The surface of the `core` module that the page relies on. `wasm-bindgen`
// writes the real file at build time; this one lets the JavaScript be checked
// without it, and is where a change of the surface shows first.
import type {
  AskResult,
  AudienceChoices,
  CitedSentence,
  ProsePrompt,
  ReaderDocument,
  SiteManifest,
} from "../../../messages.js";

/** Fetches one file of the site; `reload` passes over every cache. */
export type ReadFile = (path: string, reload: boolean) => Promise<Uint8Array>;
/** Bytes so far, bytes in all. */
export type OnProgress = (loaded: number, total: number) => void;

export default function init(options: { module_or_path: Response }): Promise<unknown>;

export class Core {
  private constructor();
  static open(read: ReadFile): Promise<Core>;
  manifest(): SiteManifest;
  /** `phrasings` are the question in other words, `passage` a made-up answer to compare with. */
  ask(
    question: string,
    profile: string | undefined,
    everyone: boolean,
    phrasings: string[],
    passage?: string | null,
  ): Promise<AskResult>;
  choices(): Promise<AudienceChoices>;
  load_encoder(onProgress: OnProgress): Promise<void>;
  /** Fetches what finds the words that answer in a passage, once the encoder is there. */
  load_span_reader(): Promise<void>;
  /** The last answer once its passages have been read; null where there is none, or nothing to read them with. */
  read(): AskResult | null;
  /** The last question and the passages that are read for it; undefined where there is no answer. */
  to_read(): string[] | undefined;
  /** The last answer with what was read elsewhere; null where there is none. */
  read_with(numbers: Float32Array): AskResult | null;
  /** Fetches what says whether a passage supports a sentence, once the encoder is there. */
  load_checker(): Promise<void>;
  /** What each sentence of some prose about the last answer rests on; null where there is no answer. */
  cite(prose: string): CitedSentence[] | null;
  /** A question that points back at earlier ones, as it stands alone; undefined where it does already. */
  follow_up(question: string, earlier: string[]): string | undefined;
  load_instant(): Promise<void>;
  encoder_ready(): boolean;
  document(chunk: number): Promise<ReaderDocument>;
  prefetch(onProgress: OnProgress): Promise<void>;
  /** About the last answer; null after a refusal. */
  prose_prompt(): ProsePrompt | null;
}
