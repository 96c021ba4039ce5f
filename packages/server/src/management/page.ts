// Lists in pages. A cursor says behind which entry the next page begins, by what the list is sorted by: it stays exact
// when that entry changes or goes.

import type { ManagementPageBody } from '@galley/wire';
import { z } from 'zod';
import { isPlainText } from '../content/plain-text.ts';
import { countParameter } from './count-parameter.ts';

/** What an entry is sorted by: a text and a number, of which a list may need only one. */
export interface PagePosition {
  readonly key: string;
  readonly no: number;
}

const USUAL_ENTRIES = 50;
const MOST_ENTRIES = 100;
const MOST_CURSOR_CHARACTERS = 4096;
const MOST_SEARCH_CHARACTERS = 255;
const CURSOR_RULE = 'must be the next_cursor of a page of this list';
const SEARCH_RULE = `must be text of at most ${MOST_SEARCH_CHARACTERS} characters`;

/** Parameters that every such list has. */
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

/** A part of a name, in whatever case. */
export const searchParameter = z
  .string({ error: SEARCH_RULE })
  .refine((text) => text.length <= MOST_SEARCH_CHARACTERS && isPlainText(text), { error: SEARCH_RULE })
  .default('');

export function pageSchema<Item>(item: z.ZodType<Item>, id: string): z.ZodType<ManagementPageBody<Item>> {
  return z.strictObject({ data: z.array(item), next_cursor: z.string().nullable() }).meta({ id });
}

/** @param rows one more than the page holds, where there is one more */
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
