// A temporary folder for one run of the tests, removed with everything that they left in it. Tools that keep unpacked
// binaries in the temporary folder find none that another run or another release has left behind.

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Called by Vitest before the first test; what it returns is called after the last one. */
export function setup(): () => Promise<void> {
  const previous = process.env.TMPDIR;
  // Short, because the paths of sockets below it are limited to about 100 characters.
  const folder = mkdtempSync(join(tmpdir(), 'galley-'));
  process.env.TMPDIR = folder;
  return async () => {
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
