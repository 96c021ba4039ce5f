// A numbered page is the same however it is reached: from the start, from the end, or from a landmark that earlier pages left behind.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListShape, parseListQuery } from '../../src/listing/list-query.ts';
import { openStorage } from '../../src/open-storage.ts';
import type { CatalogMemo } from '../../src/storage/delivery-reads.ts';
import { type ListPlan, planList } from '../../src/storage/lists/list-plan.ts';
import { readOn } from '../../src/storage/lists/select-cursor-page.ts';
import {
  countAll,
  type KnownList,
  ListMemory,
  selectNumberedPage,
  startList,
} from '../../src/storage/lists/select-numbered-page.ts';
import type { Cells, Procedure, Query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type Audience, VIEWS } from '../../src/storage/views.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { createTestDatabase, ENGINES, type Engine, type TestDatabase } from '../support/test-database.ts';
import { createKey, importRecords, readVisit } from './editor.ts';
import { TEST_REALM } from './list-runs.ts';

const SITE = 's_pages';
const LONG_SITE = 's_long';
const LONG = 700;
const FIELDS = [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
];
const STRIDE = 17;
const LIMIT = 5;
/** Larger, so that fewer pages make up the whole list. */
const WALK_LIMIT = 30;
const WALK_STRIDE = 50;

let database: TestDatabase;
let storage: Storage;
let token: string;
let memo: CatalogMemo;
let longMemo: CatalogMemo;

const SITES = [
  site(SITE, { languages: ['en', 'fr'] }),
  contentType(SITE, 'note', FIELDS),
  contentType(SITE, 'plain', []),
  ...Array.from({ length: 333 }, (_, index) => buildContent(index)),
];
const LONG_SITES = [
  site(LONG_SITE),
  contentType(LONG_SITE, 'note', FIELDS),
  ...Array.from({ length: LONG }, (_, index) => buildLongContent(index)),
];

/** For the tests of the enclosing `describe`. */
function useDatabase(engine: Engine, records: readonly object[]): void {
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    storage = await openStorage(database.url, Date.now());
    await importRecords(storage, records);
    ({ token } = await createKey(storage));
  });

  afterAll(async () => {
    await storage.close();
    await database.remove();
  });
}

async function readMemo(siteId: string): Promise<CatalogMemo> {
  const visit = await readVisit(storage, token, siteId);
  if (!visit?.memo) throw new Error(`The site ${siteId} was not found`);
  return visit.memo;
}

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

/** 200 objects have the rank 1, 200 have the line "mine", and 70 have both. */
function buildLongContent(index: number): object {
  const isMine = index >= 130 && index < 330;
  return content({
    id: `c_${(index * 7919) % LONG}`,
    site: LONG_SITE,
    name: `Name ${index % 40}`,
    fields: { line: { text: isMine ? 'mine' : 'other' }, rank: { number: index < 200 ? 1 : 2 } },
  });
}

function parse(queryString: string, language: string | undefined, { catalog }: CatalogMemo): ListShape {
  const request = {
    queryString: `limit=${LIMIT}&${queryString}`,
    isSimple: true,
    language,
    defaultMatch: 'any',
    realm: TEST_REALM,
  } as const;
  const parsed = parseListQuery(request, catalog, new Map());
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value.shape;
}

function planPages(queryString: string, language: string | undefined, audience: Audience, of = memo): ListPlan {
  const plan = planList(parse(queryString, language, of), of.catalog, VIEWS[audience]);
  if (plan === undefined) throw new Error('The list cannot match anything');
  return plan;
}

/** Runs the procedure once, so its statements can be counted. */
function read<Outcome>(procedure: () => Procedure<Outcome>): Promise<Outcome> {
  return storage.read(procedure());
}

/** Reads as the delivery API does. A slow procedure may be restarted. */
async function readForRequest<Outcome>(procedure: () => Procedure<Outcome>): Promise<Outcome> {
  return storage.delivery.readNewest({ token, siteId: SITE }, procedure);
}

type Order = (one: number, other: number) => number;

const scramble = (page: number): number => Math.imul(page, 0x9e3779b1) >>> 0;
/** Neither ascending nor descending. */
const SCRAMBLED: Order = (one, other) => scramble(one) - scramble(other);
const ORDERS: readonly Order[] = [(one, other) => one - other, (one, other) => other - one, SCRAMBLED];

/** Requests every page in the given order, and returns the IDs on each page. */
async function readPages(plan: ListPlan, list: KnownList, order: Order): Promise<readonly (readonly string[])[]> {
  const numbers = Array.from({ length: Math.ceil(list.total / plan.limit) }, (_, index) => index + 1);
  const pages: (readonly string[])[] = [];
  for (const page of numbers.toSorted(order)) {
    pages[page - 1] = (await readForRequest(() => selectNumberedPage(plan, page, list))).map(([id]) => String(id));
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
  'fields[number][rank]=3&sort=name:desc',
  'fields[number][rank]=3&sort=line.text:asc',
  'fields[number][rank][]=3&fields[number][rank][]=5&fields[text][line][]=line 1&fields[text][line][]=line 3&sort=name',
].map((query) => query.replace(/,$/, ''));

const READERS: readonly { readonly audience: Audience; readonly language?: string; readonly more?: string }[] = [
  { audience: 'public' },
  { audience: 'public', language: 'fr' },
  { audience: 'preview' },
  { audience: 'preview', language: 'fr', more: 'fallback_default_language=true' },
];

describe.each(ENGINES)('all pages together, on %s', (engine) => {
  useDatabase(engine, SITES);

  beforeAll(async () => {
    memo = await readMemo(SITE);
  });

  // PostgreSQL plans lists with a fallback for longer than it reads them. Random lists with a fallback are tested on both engines.
  describe.each(engine === 'sqlite' ? READERS : READERS.slice(0, -1))('for %j', ({ audience, language, more = '' }) => {
    test.each(QUERIES)('are the whole list, in whatever order they are read: %s', async (query) => {
      const plan = { ...planPages(`${query}&${more}`, language, audience), limit: WALK_LIMIT };
      const total = await readForRequest(() => countAll(plan));
      const whole = (await readForRequest(() => readOn(plan, null, true, 1000))).map(([id]) => String(id));
      expect(whole).toHaveLength(total);
      expect(total).toBeGreaterThan(0);
      const expected = Array.from({ length: Math.ceil(total / WALK_LIMIT) }, (_, page) =>
        whole.slice(page * WALK_LIMIT, (page + 1) * WALK_LIMIT),
      );
      for (const order of engine === 'sqlite' ? ORDERS : [SCRAMBLED]) {
        const list = startList(total, WALK_STRIDE);
        expect(await readPages(plan, list, order)).toEqual(expected);
        expect(await readPages(plan, list, order)).toEqual(expected);
        const places = list.landmarks.map(({ at }) => at);
        expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
        expect(list.landmarks.length).toBeLessThanOrEqual((2 * total) / WALK_STRIDE + 3);
      }
      expect(await readForRequest(() => selectNumberedPage(plan, expected.length + 1, startList(total)))).toEqual([]);
    });
  });
});

// The statements that a page needs are the same on every engine.
describe('finding a page', () => {
  useDatabase('sqlite', [...SITES, ...LONG_SITES]);

  beforeAll(async () => {
    memo = await readMemo(SITE);
    longMemo = await readMemo(LONG_SITE);
  });

  test('a page is found by counting from a remembered position nearby instead of from either end of the list', async () => {
    const plan = planPages('sort=name', undefined, 'public');
    const list = startList(await read(() => countAll(plan)), STRIDE);
    await readPages(plan, list, (one, other) => one - other);
    const skipped: number[] = [];
    for (let page = 1; page * LIMIT <= list.total; page += 1) {
      skipped.push(...(await listSkips(plan, page, list)).map(({ offset }) => offset));
    }
    expect(Math.max(...skipped)).toBeLessThanOrEqual(STRIDE);
  });

  test('the total and the positions of a list are remembered until the generation of the published or preview content changes', async () => {
    const memory = new ListMemory();
    const find = async (audience: Audience, generation: number) => {
      let isCounted = false;
      const list = await read(function* () {
        const procedure = memory.find(plans[audience], generation);
        let step = procedure.next();
        while (!step.done) {
          isCounted = true;
          step = procedure.next(yield step.value);
        }
        return step.value;
      });
      return { list, isCounted };
    };
    const plans = {
      public: planPages('sort=name', undefined, 'public'),
      preview: planPages('sort=name', undefined, 'preview'),
    };
    const published = await find('public', 1);
    const preview = await find('preview', 1);
    expect(preview.isCounted).toBe(true);
    expect(preview.list.total).toBeGreaterThan(published.list.total);
    for (const [audience, { list }] of [
      ['public', published],
      ['preview', preview],
    ] as const) {
      const again = await find(audience, 1);
      expect([audience, again.isCounted, again.list === list]).toEqual([audience, false, true]);
      expect((await find(audience, 2)).isCounted).toBe(true);
    }
  });

  test('the most recently read pages and the pages after them are found without counting', async () => {
    const plan = planPages('sort=name', undefined, 'public');
    const list = startList(await read(() => countAll(plan)));
    for (const page of [20, 30]) expect(await listSkips(plan, page, list)).toHaveLength(1);
    for (const page of [20, 21, 30, 31, 30, 20]) expect(await listSkips(plan, page, list)).toEqual([]);
  });

  test('a distant page of a filtered list is found by collecting all matches first, and a nearby page by reading the list in order', async () => {
    const plan = planPages('fields[number][rank]=3&sort=name', undefined, 'public');
    const total = await read(() => countAll(plan));
    const middle = Math.ceil(total / LIMIT / 2);
    expect(await listSkips(plan, middle, startList(total))).toMatchObject([{ isGathered: true }]);
    const near = { ...plan, limit: 1 };
    expect(await listSkips(near, 2, startList(total))).toMatchObject([{ isGathered: false }]);
  });

  // Of 700 objects, 70 match both filters, so a walk passes ten objects for each match that it skips.
  test.each([
    ['reading in order if each filter has more matches than there are objects to pass', 15, false],
    ['collecting all matches first if one filter has fewer than there are objects to pass', 30, true],
  ] as const)('a distant page of a list with two filters is found by %s', async (_, skipped, isGathered) => {
    const query = 'fields[number][rank]=1&fields[text][line]=mine&sort=name';
    const plan = { ...planPages(query, undefined, 'public', longMemo), limit: 1 };
    const list = await read(() => new ListMemory().find(plan, 1));
    expect(list.total).toBe(70);
    expect(await listSkips(plan, skipped + 1, list)).toMatchObject([{ isGathered }]);
  });

  test('more positions are remembered if each object is checked against a filter', async () => {
    const memory = new ListMemory();
    const readOffsets = async (plan: ListPlan, page: number): Promise<readonly number[]> => {
      const skips = await listSkips(plan, page, await read(() => memory.find(plan, 1)));
      return skips.map(({ offset }) => offset);
    };
    const plain = planPages('sort=name', undefined, 'public', longMemo);
    const filter = 'fields[number][rank][]=1&fields[number][rank][]=2';
    const checked = planPages(`${filter}&sort=name`, undefined, 'public', longMemo);
    // Page 81 ends at object 405, the list at 700. Once a walk has stopped at 450, page 93, which starts at 460, is reached from there.
    expect(await readOffsets(plain, 81)).toEqual([295]);
    expect(await readOffsets(plain, 93)).toEqual([54]);
    expect(await readOffsets(checked, 81)).toEqual([250, 45]);
    expect(await readOffsets(checked, 93)).toEqual([9]);
  });

  // The site is small; only the counts are those of a large one.
  test.each([
    [40_000, true],
    [60_000, false],
  ])('on a large site, all matches of a filter with %d matches are collected first: %s', async (size, isGathered) => {
    const plan = planPages('fields[number][rank]=1&sort=name', undefined, 'public', longMemo);
    const list = await read(() => new ListMemory().find(plan, 1));
    const claim = ({ values }: Query): Cells | undefined => {
      if (Object.keys(values).length === 0) return [1_000_000];
      return 'most' in values ? [Math.min(size, Number(values.most))] : undefined;
    };
    expect(await listSkips(plan, 30, list, claim)).toMatchObject([{ isGathered }]);
  });
});

/**
 * Reads a page, and returns the statements that only skip objects.
 * @param claim replaces the result of a query, to pretend that the site is larger
 */
async function listSkips(plan: ListPlan, page: number, list: KnownList, claim?: (query: Query) => Cells | undefined) {
  const skips: { readonly offset: number; readonly isGathered: boolean }[] = [];
  await read(function* () {
    const procedure = selectNumberedPage(plan, page, list);
    for (let step = procedure.next(); !step.done; ) {
      const { statement, values } = step.value;
      if (typeof values.offset === 'number') {
        skips.push({ offset: values.offset, isGathered: statement.takesLong });
      }
      const claimed = claim?.(step.value);
      step = procedure.next(claimed === undefined ? yield step.value : { columns: [], rows: [claimed] });
    }
  });
  return skips;
}
