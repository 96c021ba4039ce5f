// A temporary folder for one run of the tests, removed with everything that they left in it. Tools that keep unpacked
// binaries in the temporary folder find none that another run or another release has left behind.

import { mkdtempSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Called by Vitest before the first test; what it returns is called after the last one. */
export function setup(): () => Promise<void> {
  const previous = process.env.TMPDIR;
  // Short, because the paths of sockets below it are limited to about 100 characters.
  const folder = mkdtempSync(join(previous === undefined ? chooseBase() : tmpdir(), 'galley-'));
  process.env.TMPDIR = folder;
  return async () => {
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Memory that Linux lends as a folder. */
const MEMORY_FOLDER = '/dev/shm';
/** Tests of the packages install a few gigabytes. */
const ENOUGH_BYTES = 8 * 1024 ** 3;

/** Databases wait for the disk with every commit, which takes a quarter of a run: memory does not let them wait. */
function chooseBase(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
