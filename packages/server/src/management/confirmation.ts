import { z } from 'zod';
import { strictMembers } from '../content/schema-members.ts';

/** Any text: the work itself says what it must be. */
export const confirmParameter = z
  .string()
  .optional()
  .meta({ description: 'The id of what is deleted, as in the path.' });

/** The query of calls that delete something for good. */
export const confirmation = strictMembers('the query', { confirm: confirmParameter });
