// A new file gets its write-ahead log from the first connection that asks for it. For that a connection needs the file
// alone, and where two ask at the same moment SQLite refuses one of them at once instead of letting it wait.

import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-errors.ts';

const PATIENCE_MS = 5000;
const PAUSE_MS = 5;

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

export function enterWalMode(database: DatabaseSync): void {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(neverWoken, 0, 0, PAUSE_MS);
    }
  }
}
