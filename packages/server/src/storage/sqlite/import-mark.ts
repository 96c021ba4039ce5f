// Tells other processes that the writer of a database is an import. The mark is a lock on an empty file beside the
// database: the system takes the lock away from a process that was killed, so that a file that was left behind means nothing.

import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-errors.ts';

/** Others hold the lock for no longer than it takes to look at it, or to end an import. */
const LONGEST_WAIT_MS = 5000;

export class ImportMark {
  readonly #path: string;

  /** @param database the path of its file */
  constructor(database: string) {
    this.#path = `${database}-import`;
  }

  /** To be called by the only writer of the database. Returns what takes the mark away. */
  set(): () => void {
    for (;;) {
      closeSync(openSync(this.#path, 'a', 0o600));
      const lock = new DatabaseSync(this.#path, { timeout: LONGEST_WAIT_MS });
      try {
        // A second file would be left behind with the first one.
        lock.exec('pragma journal_mode = memory; begin exclusive');
      } catch (error) {
        lock.close();
        throw error;
      }
      // The import before this one may have taken the file away between the two steps.
      if (existsSync(this.#path)) {
        return () => {
          rmSync(this.#path, { force: true });
          lock.close();
        };
      }
      lock.close();
    }
  }

  isSet(): boolean {
    if (!existsSync(this.#path)) return false;
    let look: DatabaseSync | undefined;
    try {
      look = new DatabaseSync(this.#path, { timeout: 0, readOnly: true });
      look.exec('select 1 from sqlite_schema');
      return false;
    } catch (error) {
      return isBusy(error);
    } finally {
      look?.close();
    }
  }
}
