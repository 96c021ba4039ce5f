// Reads lists as the service does and records the queries that were run, for tests of the database's behaviour.

import { SHARED_ROOM } from '../../src/content/answer-limit.ts';
import { CursorKey } from '../../src/listing/cursor.ts';
import { buildCursorAnswer } from '../../src/listing/envelope.ts';
import { type ListQuery, parseListQuery } from '../../src/listing/list-query.ts';
import type { CatalogMemo, ListPage } from '../../src/storage/delivery-reads.ts';
import { EMPTY_RESULT, type Procedure, type Query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type Audience, VIEWS } from '../../src/storage/views.ts';
import { createKey, readVisit } from './editor.ts';

/** The same for all audiences, so a cursor issued to one can be used by another. */
export const TEST_REALM = { key: new CursorKey(Buffer.alloc(32)), siteId: 's_test', audience: 'any' };

export interface ListRun {
  readonly page: ListPage;
  /** The queries that selected the page's objects, in order. */
  readonly queries: readonly Query[];
}

export interface ListRuns {
  /** @param sharedId the content of a share link */
  run(queryString: string, audience: Audience, sharedId?: string): Promise<ListRun>;
  /** One page of each kind: the first page, later pages, and pages on the way back. */
  runPages(queryString: string, audience: Audience): Promise<readonly (ListRun & { readonly kind: string })[]>;
  /** The cursor for the next or previous page. */
  cursorOf(page: ListPage, queryString: string, relation: 'next_cursor' | 'prev_cursor'): string;
}

/** @param steps the sizes of the later pages, which together reach the objects without a value */
export async function openListRuns(
  storage: Storage,
  siteId: string,
  steps: readonly number[] = [20, 100, 100, 100],
): Promise<ListRuns> {
  const memo = await loadMemo(storage, siteId);

  function parse(queryString: string): ListQuery {
    const defaults = { isSimple: false, language: undefined, defaultMatch: 'any', realm: TEST_REALM } as const;
    const request = { queryString, ...defaults };
    const parsed = parseListQuery(request, memo.catalog, new Map());
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value;
  }

  async function run(queryString: string, audience: Audience, sharedId?: string): Promise<ListRun> {
    const queries: Query[] = [];
    const view = VIEWS[audience];
    const reading = { memo, generation: 1, version: 1, view, room: SHARED_ROOM, sharedId: sharedId ?? null };
    const selection = { kind: 'list', query: parse(queryString), reading } as const;
    const { page } = await storage.read(record(storage.delivery.select(selection), queries));
    if (page === undefined || page.mode === 'oversized' || page.mode === 'object')
      throw new Error('The list has no pages');
    return { page, queries: queries.filter((each) => 'limit' in each.values) };
  }

  function cursorOf(page: ListPage, queryString: string, relation: 'next_cursor' | 'prev_cursor'): string {
    if (page.mode !== 'cursor') throw new Error('The page has no cursors');
    const { sorts } = parse(queryString).shape;
    const { previous, next } = page;
    const envelope = { objects: [], limit: 2, sorts, realm: TEST_REALM, previous, next };
    const { body } = buildCursorAnswer(envelope, { path: 'http://localhost/', queryString: '' });
    const cursor = new RegExp(`"${relation}":"([\\w-]+)"`).exec(body)?.[1];
    if (cursor === undefined) throw new Error(`There is no cursor for ${queryString}`);
    return cursor;
  }

  async function runPages(
    queryString: string,
    audience: Audience,
  ): Promise<readonly (ListRun & { readonly kind: string })[]> {
    const first = await run(queryString, audience);
    const pages = [{ kind: 'first page', ...first }];
    let { page } = first;
    for (const limit of steps) {
      const after = `${queryString}&limit=${limit}&cursor=${cursorOf(page, queryString, 'next_cursor')}`;
      const next = await run(after, audience);
      pages.push({ kind: 'after a cursor', ...next });
      const before = `${queryString}&limit=20&cursor=${cursorOf(next.page, queryString, 'prev_cursor')}`;
      pages.push({ kind: 'before a cursor', ...(await run(before, audience)) });
      page = next.page;
    }
    return pages;
  }

  return { run, runPages, cursorOf };
}

async function loadMemo(storage: Storage, siteId: string): Promise<CatalogMemo> {
  const { token } = await createKey(storage);
  const visit = await readVisit(storage, token, siteId);
  if (!visit?.memo) throw new Error('The site was not found');
  return visit.memo;
}

function* record<Outcome>(procedure: Procedure<Outcome>, queries: Query[]): Procedure<Outcome> {
  let found = EMPTY_RESULT;
  for (;;) {
    const step = procedure.next(found);
    if (step.done) return step.value;
    queries.push(step.value);
    found = yield step.value;
  }
}
