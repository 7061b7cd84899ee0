// The memory of a browser's pages, as the system counts it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

/**
 * What the processes that show pages hold, in megabytes; their workers are part of them. What several share (the browser's own
 * program above all) counts once, a share for each. On Linux.
 * @param {import('playwright-core').CDPSession} session  of the browser
 */
export async function megabytesOfPages(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  let kilobytes = 0;
  for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
    const held = await readFile(`/proc/${id}/smaps_rollup`, 'utf8');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(held)?.[1] ?? 0);
  }
  assert.ok(kilobytes > 0, 'the system tells what a process holds');
  return kilobytes / 1000;
}
