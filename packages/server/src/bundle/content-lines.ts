// Which line of the file a content object, or a failure of the database, belongs to.

import { ConstraintViolation } from '../storage/engine.ts';
import { BundleFault } from './read-bundle-lines.ts';

const PAGE = 4096;

/** Lines by the number of the object in the database. Four bytes each, since a file may have millions. */
export class ContentLines {
  readonly #pages = new Map<number, Uint32Array>();

  /** Undefined for content that has not been read yet. */
  find(contentNo: number): number | undefined {
    return this.#pages.get(Math.floor(contentNo / PAGE))?.[contentNo % PAGE] || undefined;
  }

  has(contentNo: number): boolean {
    return this.find(contentNo) !== undefined;
  }

  note(contentNo: number, line: number): void {
    const pageNo = Math.floor(contentNo / PAGE);
    const page = this.#pages.get(pageNo) ?? new Uint32Array(PAGE);
    this.#pages.set(pageNo, page);
    page[contentNo % PAGE] = line;
  }
}

/**
 * Names the line of a record that breaks a constraint of the database which no check foresaw. The import ends there, since
 * the engine may have aborted the transaction.
 */
export async function withLine<Outcome>(line: number, work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error;
    const message = `this record conflicts with another one (${error.message})`;
    throw new BundleFault(line, message, { cause: error });
  }
}
