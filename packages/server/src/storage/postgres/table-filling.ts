// Writing a great part of all that the tables will hold. The same few statements are run for each object, so the server
// plans each of them once; and since it knows nothing of tables that were empty a moment ago, it is told to look at them
// again and again while they grow, and when they are full.

import type { PoolClient } from 'pg';
import { COPIED_TABLES } from '../copy/copied-tables.ts';
import type { Procedure } from '../statement.ts';
import { runWriting, sendText, type Written } from './run-procedure.ts';

/** When so many rows were written; and again when there are so many times as many. */
const FIRST_LOOK = 1000;
const LOOK_AGAIN_AT = 3;
const LOOK = `analyze ${COPIED_TABLES.map(({ name }) => name).join(', ')}`;
/** Of no use where rows are found one by one, and what the server takes tables that it does not know for. */
const SCANS = ['enable_seqscan', 'enable_bitmapscan'];

export class TableFilling {
  readonly #client: PoolClient;
  /** Of the transaction, by which statements are named as in no other one: a pooler forgets what it has named. */
  #id = '';
  #rows = 0;
  #nextLook = FIRST_LOOK;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async begin(): Promise<void> {
    const settings = SCANS.map((name) => `set local ${name} = off`).join('; ');
    const [row] = await sendText(this.#client, `${settings}; select pg_current_xact_id()::text`);
    this.#id = String(row?.[0]);
  }

  async run<Outcome>(procedure: Procedure<Outcome>): Promise<Written<Outcome>> {
    if (this.#rows >= this.#nextLook) {
      await sendText(this.#client, LOOK);
      this.#nextLook = this.#rows * LOOK_AGAIN_AT;
    }
    const written = await runWriting(this.#client, procedure, (statement) => `fill_${this.#id}_${statement}`);
    this.#rows += written.written;
    return written;
  }

  async end(): Promise<void> {
    await sendText(this.#client, SCANS.map((name) => `set local ${name} to default`).join('; '));
    await sendText(this.#client, LOOK);
    this.forget();
  }

  /** Names outlive a transaction, also one that has failed. */
  forget(): void {
    this.#client.query('deallocate all').catch(() => {});
  }
}
