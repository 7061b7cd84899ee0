// How long a test waits before it gives up: guards against waiting for ever, and no measure of anything. What passes takes a
// fraction of it, also beside other work. A test that is about time has a limit of its own, in its own file.

/** For a browser to start, and for whatever a page shows by itself: it is open, it has answered, all is kept. */
export const WAIT_MILLISECONDS = 180_000;

/** For what the language model writes and for what WebGPU in software computes, which take a minute on an idle machine. */
export const MODEL_MILLISECONDS = 600_000;

/** For one test. Longer than any wait in it, whose failure says what the page showed. */
export const TEST_MILLISECONDS = 1_800_000;
