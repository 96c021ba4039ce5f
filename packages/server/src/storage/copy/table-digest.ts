// A checksum of a table's rows in their order. It is made of what Node reads, written as JSON: no engine's own way of
// writing numbers or texts shows in it, so that the same rows have the same checksum on every engine.

import { createHash } from 'node:crypto';
import type { Cells } from '../statement.ts';

export class TableDigest {
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(table: string, columns: readonly string[]) {
    this.#hash.update(`${JSON.stringify([table, columns])}\n`);
  }

  /** How many rows it is made of. */
  get rows(): number {
    return this.#rows;
  }

  /** Of the rows so far; more may be added. */
  get text(): string {
    return this.#hash.copy().digest('hex');
  }

  add(rows: readonly Cells[]): void {
    for (const cells of rows) this.#hash.update(`${JSON.stringify(cells)}\n`);
    this.#rows += rows.length;
  }
}
