// Finds the last page of a list in cursor mode without following every cursor.

import { LIST } from '../cases.ts';
import { findNextCursor } from '../list-cursors.ts';
import type { Reader, TimedAnswer } from '../recorded-answer.ts';
import { askAnew, countPages, withSimpleMode } from './timed-list.ts';

/** The service aborted a request (503). */
export class GaveUp extends Error {}

const MOST_ATTEMPTS = 3;

/**
 * Returns the URL of the last page in cursor mode, to which a parameter can be appended, or undefined if the list has a single page.
 * The service remembers how far it has counted, so another attempt may get further.
 * @param filter the parameters that choose the objects
 * @param order all other parameters of the list
 */
export async function findLastPage(reader: Reader, filter: string, order: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptLastPage(reader, filter, order);
    } catch (error) {
      if (!(error instanceof GaveUp) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/**
 * First uses simple mode to find the object just before the last page. A cursor depends only on the sort order, not on the filters, so a
 * short list that contains that object and the last object provides the cursor.
 */
async function attemptLastPage(reader: Reader, filter: string, order: string): Promise<string | undefined> {
  const list = `${LIST}?${filter}&${order}`;
  const read = async (asked: Reader, path: string): Promise<TimedAnswer> => {
    const answer = await askAnew(asked, path);
    if (answer.status === 503) throw new GaveUp();
    return answer;
  };
  const readPage = (page: number): Promise<TimedAnswer> => read(withSimpleMode(reader), `${list}page=${page}&`);
  const pages = countPages(await readPage(1));
  if (pages < 2) return undefined;
  const slugBefore = listSlugs(await readPage(pages - 1)).at(-1);
  const slugs = listSlugs(await readPage(pages));
  const pair = `match=any&slug[0]=${slugBefore}&slug[1]=${slugs.at(-1)}`;
  const cursor = findNextCursor(await read(reader, `${LIST}?${pair}&${order}limit=1&`));
  if (cursor === undefined) throw new Error(`Pages ${pages - 1} and ${pages} of ${list} end with the same object`);
  const path = `${list}cursor=${cursor}&`;
  if (listSlugs(await read(reader, path)).join() !== slugs.join()) throw new Error(`${path} is not the last page`);
  return path;
}

function listSlugs({ body }: TimedAnswer): readonly string[] {
  const answer = asList(JSON.parse(body));
  return ('data' in answer ? answer.data : [answer]).map(({ slug }) => slug);
}

interface Named {
  readonly slug: string;
}

/** The body of a list: an envelope, or the object itself if there is only one. */
function asList(value: unknown): { readonly data: readonly Named[] } | Named {
  return value as { readonly data: readonly Named[] } | Named;
}
