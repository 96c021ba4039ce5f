// Collects the cursors of a list as a client would, by paging through the list.

import { findHeader, type Reader, type RecordedAnswer, recordAnswer } from './recorded-answer.ts';

export interface ListCursors {
  /** Cursors spread evenly over the list, in order, each followed by a full page. */
  readonly inner: readonly string[];
  /** The cursor of the last page, which is also a full page. */
  readonly last: string;
}

const PAGE = 20;
const LONGEST_PAGE = 100;

/** @param start the URL of the list, to which a parameter can be appended */
export async function listCursors(reader: Reader, start: string): Promise<ListCursors> {
  const inner = await follow(reader, start, LONGEST_PAGE, undefined);
  const [last] = (await follow(reader, start, PAGE, inner.at(-1))).slice(-1);
  if (last === undefined) throw new Error('A list with a single page has no last page to compare');
  return { inner, last };
}

async function follow(
  reader: Reader,
  start: string,
  limit: number,
  from: string | undefined,
): Promise<readonly string[]> {
  const cursors: string[] = [];
  for (let cursor = from; ; ) {
    const position = cursor === undefined ? '' : `&cursor=${cursor}`;
    const answer = await recordAnswer(reader, `${start}limit=${limit}${position}`);
    cursor = findNextCursor(answer);
    if (cursor === undefined) return cursors;
    cursors.push(cursor);
  }
}

export function findNextCursor(answer: RecordedAnswer): string | undefined {
  return /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(findHeader(answer, 'link') ?? '')?.[1];
}
