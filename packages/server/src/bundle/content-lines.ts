// Finds the line of a content object, or the line that caused a database error.

import { ConstraintViolation } from '../storage/engine.ts';
import { BundleFault } from './read-bundle-lines.ts';

const PAGE = 4096;

/** Line numbers, keyed by the object's number in the database. Each takes only four bytes, because a file may have millions of lines. */
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
 * Finds the line of a record that violates a database constraint that no check covers. The import ends there, because the engine may have
 * aborted the transaction.
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
