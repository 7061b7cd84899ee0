// As much of Node.js as the package for programs uses: its own types are no dependency of the project.

declare module "node:crypto" {
  export function createHash(name: "sha256"): { update(text: string): { digest(form: "hex"): string } };
}

declare module "node:fs" {
  export function existsSync(path: URL): boolean;
}

declare module "node:fs/promises" {
  export function mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  export function readFile(path: string): Promise<Buffer>;
  export function readdir(path: string): Promise<string[]>;
  export function rename(from: string, to: string): Promise<void>;
  export function rm(path: string, options: { force: boolean }): Promise<void>;
  export function writeFile(path: string, bytes: Uint8Array): Promise<void>;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
  export function resolve(path: string): string;
}

declare module "node:url" {
  export function fileURLToPath(url: URL): string;
  export function pathToFileURL(path: string): URL;
}

declare module "node:worker_threads" {
  export class Worker {
    constructor(script: URL, options: { workerData: unknown; execArgv: string[] });
    on(kind: "message", heard: (data: unknown) => void): void;
    on(kind: "error", heard: (error: Error) => void): void;
    on(kind: "exit", heard: () => void): void;
    postMessage(message: unknown): void;
    terminate(): Promise<number>;
    unref(): void;
  }
  export interface MessagePort {
    on(kind: "message", heard: (data: unknown) => void): void;
    postMessage(message: unknown): void;
  }
  export const parentPort: MessagePort | null;
  export const workerData: unknown;
}

type Buffer = Uint8Array<ArrayBuffer>;
declare const Buffer: {
  from(text: string): Uint8Array;
  concat(parts: Uint8Array[]): Uint8Array;
};
declare const process: {
  readonly pid: number;
  on(kind: "uncaughtException" | "unhandledRejection", heard: (error: unknown) => void): void;
};
