// @ts-check
/** Tells a program that broke down for want of memory from one that broke down. */

/** Memory that a program must still be able to take, or else it was out of memory: 64 MiB in pages of 64 KiB. */
const ROOM_PAGES = 1_024;

/** An allocation of the browser's own that did not succeed. @param {unknown} error */
export const isAllocationFailure = (error) => error instanceof RangeError && /alloc|memory/iu.test(error.message);

/**
 * How much a broken program had taken, when it could not have taken much more;
 * null when there was room left. A compiled program that gets no memory only
 * stops at an `unreachable`: whether that was the reason is found by asking for
 * more. To be used on a program that is about to be thrown away.
 * @param {WebAssembly.Memory | undefined} memory
 * @returns {number | null}
 */
export function takenWhenFull(memory) {
  if (!memory) return null;
  const taken = memory.buffer.byteLength;
  try {
    memory.grow(ROOM_PAGES);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return taken;
    throw error;
  }
}
