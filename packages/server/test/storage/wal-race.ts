// One of several threads that simultaneously turn the same new files into databases with a write-ahead log.

import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { enterWalMode } from '../../src/storage/sqlite/sqlite-connection.ts';

export interface WalRace {
  readonly paths: readonly string[];
  /** For each path, the number of threads that have reached it. */
  readonly arrivals: SharedArrayBuffer;
  readonly threads: number;
}

const { paths, arrivals, threads }: WalRace = workerData;
const counts = new Int32Array(arrivals);
for (const [index, path] of paths.entries()) {
  Atomics.add(counts, index, 1);
  while (Atomics.load(counts, index) < threads);
  const database = new DatabaseSync(path, { timeout: 5000 });
  enterWalMode(database);
  database.exec('create table if not exists t (n integer)');
  database.close();
}
