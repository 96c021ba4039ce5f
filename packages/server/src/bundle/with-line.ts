import { ConstraintViolation } from '../storage/port.ts';
import { BundleFault } from './read-bundle-lines.ts';

/**
 * The net below all checks: a rule of the schema that none of them foresaw still names the line that broke it. What comes
 * after it cannot be checked, since an engine may end the transaction with it.
 */
export async function withLine<Outcome>(line: number, work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error;
    const message = `this record and another cannot stand side by side (${error.message})`;
    throw new BundleFault(line, message, { cause: error });
  }
}
