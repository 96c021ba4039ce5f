import { z } from 'zod';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import { strictMembers } from '../content/schema-members.ts';

/** Any text: the work itself says what it must be. */
export const confirmParameter = z
  .string()
  .optional()
  .meta({ description: 'The id of what is deleted, as in the path.' });

/** The query of calls that delete something for good. */
export const confirmation = strictMembers('the query', { confirm: confirmParameter });

/** For work that takes query parameters alone: the members that it finds fault with are those parameters. */
export async function inQuery<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AuthoringRefusal)) throw error;
    const { message, reason, details } = error;
    const faults = error.faults.map((fault) => ({ ...fault, path: `query.${fault.path}` }));
    throw new AuthoringRefusal(message, { reason, faults, ...(details === undefined ? {} : { details }) });
  }
}
