// Tells other processes that the current writer of a database is an import. The mark is a lock on an empty file next to the database.
// The operating system releases the lock when a process is killed, so a leftover file has no effect.

import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-errors.ts';

/** Other processes hold the lock only briefly: to check it, or while their own import is ending. */
const LONGEST_WAIT_MS = 5000;

export class ImportMark {
  readonly #path: string;

  /** @param database the path of the database file */
  constructor(database: string) {
    this.#path = `${database}-import`;
  }

  /** Only the process that is writing to the database may call this. Returns a function that removes the mark. */
  set(): () => void {
    for (;;) {
      closeSync(openSync(this.#path, 'a', 0o600));
      const lock = new DatabaseSync(this.#path, { timeout: LONGEST_WAIT_MS });
      try {
        // With a different journal mode, a killed process would leave a second file behind.
        lock.exec('pragma journal_mode = memory; begin exclusive');
      } catch (error) {
        lock.close();
        throw error;
      }
      // The previous import may have removed the file before it was locked here.
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
