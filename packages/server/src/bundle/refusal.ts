// What an import says when it refuses a record: which record, in which line, and why.

import { ConstraintViolation } from '../storage/port.ts';
import { BundleFault } from './read-bundle-lines.ts';

export interface RefusedRecord {
  readonly kind: string;
  readonly id: string;
}

export function buildRefusal(line: number, { kind, id }: RefusedRecord, message: string): BundleFault {
  return new BundleFault(line, `${kind} ${id}: ${message}`);
}

/** The net below all checks: a rule of the schema that none of them foresaw still names the line that broke it. */
export async function withLine<Outcome>(line: number, work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error;
    const message = `this record and another cannot stand side by side (${error.message})`;
    throw new BundleFault(line, message, { cause: error });
  }
}
