// A numbered page is the same however it is reached: from the start, from the end, or from a landmark that earlier pages left behind.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListShape, parseListQuery } from '../../src/listing/list-query.ts';
import type { CatalogMemo } from '../../src/storage/delivery-reads.ts';
import { type ListPlan, planList } from '../../src/storage/lists/list-plan.ts';
import { readOn } from '../../src/storage/lists/select-cursor-page.ts';
import {
  countAll,
  type KnownList,
  selectNumberedPage,
  startList,
} from '../../src/storage/lists/select-numbered-page.ts';
import type { Audience } from '../../src/storage/publication/read-model.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { createKey, importRecords, readVisit } from './editor.ts';
import { TEST_REALM } from './list-runs.ts';

const SITE = 's_pages';
const FIELDS = [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
];
const STRIDE = 17;
const LIMIT = 5;

let folder: string;
let storage: Storage;
let memo: CatalogMemo;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-pages-'));
  storage = await openSqlite(join(folder, 'galley.db'), Date.now());
  await importRecords(storage, [
    site(SITE, { languages: ['en', 'fr'] }),
    contentType(SITE, 'note', FIELDS),
    contentType(SITE, 'plain', []),
    ...Array.from({ length: 333 }, (_, index) => buildContent(index)),
  ]);
  const { token } = await createKey(storage);
  const visit = await readVisit(storage, token, SITE);
  if (!visit?.memo) throw new Error('The site was not found');
  memo = visit.memo;
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

/** Keys repeat, values are missing, some content is a draft, and one type does not have the fields. */
function buildContent(index: number): object {
  const values = index % 4 === 0 ? {} : { line: { text: `line ${index % 9}` }, rank: { number: index % 7 } };
  const isPlain = index % 3 === 0;
  return content({
    id: `c_${(index * 7919) % 333}`,
    site: SITE,
    content_type: isPlain ? 'plain' : 'note',
    language: index % 5 === 0 ? 'fr' : 'en',
    status: index % 11 === 0 ? 'draft' : 'published',
    name: `Name ${index % 40}`,
    fields: isPlain ? {} : values,
  });
}

function parse(queryString: string, language: string | undefined): ListShape {
  const request = {
    queryString: `limit=${LIMIT}&${queryString}`,
    isSimple: true,
    language,
    defaultMatch: 'any',
    realm: TEST_REALM,
  } as const;
  const parsed = parseListQuery(request, memo.catalog, new Map());
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value.shape;
}

function planPages(queryString: string, language: string | undefined, audience: Audience): ListPlan {
  const plan = planList(parse(queryString, language), memo.catalog, audience);
  if (plan === undefined) throw new Error('The list cannot match anything');
  return plan;
}

function read<Outcome>(procedure: () => Procedure<Outcome>): Promise<Outcome> {
  return storage.read(procedure());
}

type Order = (one: number, other: number) => number;

const scramble = (page: number): number => Math.imul(page, 0x9e3779b1) >>> 0;
const ORDERS: readonly Order[] = [
  (one, other) => one - other,
  (one, other) => other - one,
  (one, other) => scramble(one) - scramble(other),
];

/** Requests every page in the given order, and returns the IDs on each page. */
async function readPages(plan: ListPlan, list: KnownList, order: Order): Promise<readonly (readonly string[])[]> {
  const numbers = Array.from({ length: Math.ceil(list.total / LIMIT) }, (_, index) => index + 1);
  const pages: (readonly string[])[] = [];
  for (const page of numbers.toSorted(order)) {
    pages[page - 1] = (await read(() => selectNumberedPage(plan, page, list))).map(([id]) => String(id));
  }
  return pages;
}

const QUERIES = [
  '',
  'sort=published_at:asc',
  'sort=name:asc',
  'sort=name:desc',
  'sort=line.text:asc',
  'sort=line.text:desc',
  'sort=rank.number:desc',
  'sort=rank.number:asc,',
  'sort[0]=rank.number:desc&sort[1]=name:asc',
  'sort[0]=name:desc&sort[1]=line.text:asc',
  'content_type=note&sort=line.text:asc',
  'content_type[]=note&content_type[]=plain&sort=name',
  'fields[number][rank]=3',
].map((query) => query.replace(/,$/, ''));

describe.each<Audience>(['public', 'preview'])('pages for %s readers', (audience) => {
  for (const language of [undefined, 'fr'] as const) {
    const languages = language === undefined ? [''] : ['', 'fallback_default_language=true'];
    test.each(languages.flatMap((fallback) => QUERIES.map((query) => `${query}&${fallback}`)))(
      `add up to the whole list in ${language ?? 'the default language'}: %s`,
      async (queryString) => {
        const plan = planPages(queryString, language, audience);
        const total = await read(() => countAll(plan));
        const whole = (await read(() => readOn(plan, null, true, 1000))).map(([id]) => String(id));
        expect(whole).toHaveLength(total);
        expect(total).toBeGreaterThan(0);
        const expected = Array.from({ length: Math.ceil(total / LIMIT) }, (_, page) =>
          whole.slice(page * LIMIT, (page + 1) * LIMIT),
        );
        for (const order of ORDERS) {
          const list = startList(total, STRIDE);
          expect(await readPages(plan, list, order)).toEqual(expected);
          expect(await readPages(plan, list, order)).toEqual(expected);
          const places = list.landmarks.map(({ at }) => at);
          expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
          expect(list.landmarks.length).toBeLessThanOrEqual((2 * total) / STRIDE + 3);
        }
        expect(await read(() => selectNumberedPage(plan, expected.length + 1, startList(total)))).toEqual([]);
      },
    );
  }
});

test('a page is reached from a nearby landmark, without counting from either end', async () => {
  const plan = planPages('sort=name', undefined, 'public');
  const list = startList(await read(() => countAll(plan)), STRIDE);
  await readPages(plan, list, (one, other) => one - other);
  const skipped: number[] = [];
  for (let page = 1; page * LIMIT <= list.total; page += 1) {
    await read(function* () {
      const procedure = selectNumberedPage(plan, page, list);
      for (let step = procedure.next(); !step.done; ) {
        const { offset } = step.value.values;
        if (typeof offset === 'number') skipped.push(offset);
        step = procedure.next(yield step.value);
      }
    });
  }
  expect(Math.max(...skipped)).toBeLessThanOrEqual(STRIDE);
});
