// Creates a temporary folder for each test run and deletes it afterwards, with everything left in it. Tools that keep unpacked binaries in
// the temporary folder therefore find none from another run or release.

import { mkdtempSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest calls this before the first test, and calls the returned function after the last one. */
export function setup(): () => Promise<void> {
  const previous = process.env.TMPDIR;
  // Short, because the paths of sockets in this folder are limited to about 100 characters.
  const folder = mkdtempSync(join(previous === undefined ? chooseBase() : tmpdir(), 'galley-'));
  process.env.TMPDIR = folder;
  return async () => {
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Linux keeps this folder in memory. */
const MEMORY_FOLDER = '/dev/shm';
/** Packaging tests install a few gigabytes. */
const ENOUGH_BYTES = 8 * 1024 ** 3;

/** Databases wait for the disk on every commit, which takes up a quarter of a test run. A folder in memory avoids this. */
function chooseBase(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
