// Query parameters that several routes share: counts, pages, search, and the confirmation for deletions.

import type { ManagementPageBody } from '@galley/wire';
import { z } from 'zod';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import { strictMembers } from '../content/schema-members.ts';
import { isPlainText } from '../content/text-rules.ts';

const DIGITS = /^[1-9]\d{0,8}$/;

/** A parameter that is a whole number from 1 to `most`. */
export function countParameter(most: number) {
  const error = `must be a whole number from 1 to ${most}`;
  return z
    .string({ error })
    .refine((text) => DIGITS.test(text) && Number(text) <= most, { error })
    .transform(Number);
}

/**
 * The end of a page: the text and the number that its last entry is sorted by; some lists need only one of them. The position stays
 * valid if that entry is changed or deleted.
 */
export interface PagePosition {
  readonly key: string;
  readonly no: number;
}

const USUAL_ENTRIES = 50;
const MOST_ENTRIES = 100;
const MOST_CURSOR_CHARACTERS = 4096;
const MOST_SEARCH_CHARACTERS = 255;
const CURSOR_RULE = 'must be a next_cursor from this list';
const SEARCH_RULE = `must be text of at most ${MOST_SEARCH_CHARACTERS} characters`;

/** Parameters that every paginated list has. */
export const pageParameters = {
  limit: countParameter(MOST_ENTRIES).default(USUAL_ENTRIES),
  cursor: z
    .string({ error: CURSOR_RULE })
    .transform((text, context) => {
      const position = decodeCursor(text);
      if (position !== undefined) return position;
      context.issues.push({ code: 'custom', message: CURSOR_RULE, input: text });
      return z.NEVER;
    })
    .optional(),
};

/** Part of a name, in upper or lower case. */
export const searchParameter = z
  .string({ error: SEARCH_RULE })
  .refine((text) => text.length <= MOST_SEARCH_CHARACTERS && isPlainText(text), { error: SEARCH_RULE })
  .default('');

export function pageSchema<Item>(item: z.ZodType<Item>, id: string): z.ZodType<ManagementPageBody<Item>> {
  return z.strictObject({ data: z.array(item), next_cursor: z.string().nullable() }).meta({ id });
}

/** @param rows one more row than fits on the page, if there are more pages */
export function buildPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  render: (row: Row) => Item,
  positionOf: (row: Row) => PagePosition,
): ManagementPageBody<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return { data: shown.map(render), next_cursor: hasNext ? encodeCursor(positionOf(last)) : null };
}

function encodeCursor({ key, no }: PagePosition): string {
  return Buffer.from(JSON.stringify([key, no])).toString('base64url');
}

function decodeCursor(text: string): PagePosition | undefined {
  if (text.length > MOST_CURSOR_CHARACTERS) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 2) return undefined;
  const [key, no] = parts;
  return typeof key === 'string' && isPlainText(key) && Number.isSafeInteger(no) ? { key, no } : undefined;
}

/** Accepts any text, because the operation checks the value itself. */
export const confirmParameter = z
  .string()
  .optional()
  .meta({ description: 'The id of the object to delete. It must match the id in the path.' });

/** The query for calls that permanently delete something. */
export const confirmation = strictMembers('the query', { confirm: confirmParameter });

/** For operations whose input is in the query: adds `query` to the paths of their faults. */
export async function inQuery<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AuthoringRefusal)) throw error;
    const { message, reason, code, details } = error;
    const faults = error.faults.map((fault) => ({ ...fault, path: `query.${fault.path}` }));
    throw new AuthoringRefusal(message, { reason, code, faults, ...(details === undefined ? {} : { details }) });
  }
}
