// Compares filtered lists with the same page without a filter: every kind of filter, with rare to common values, in five sort orders.
// Requests are sent one at a time, each for the first time, while a second connection measures how long other clients wait.

import { LIST } from '../cases.ts';
import { FILTER_KINDS, type FilterKind, HARD_CASES, RARITIES, type Rarity } from '../filtered-content.ts';
import { findNextCursor } from '../list-cursors.ts';
import { type LivenessWatch, watchLiveness } from '../load/watch-liveness.ts';
import type { Site } from '../open-site.ts';
import { askFor, type Reader, type TimedAnswer } from '../recorded-answer.ts';
import type { Scratch } from '../scratch.ts';

/** A list that was requested several times. */
export interface TimedList {
  readonly milliseconds: readonly number[];
  /** The number of requests that the service aborted (503). */
  readonly gaveUp: number;
}

/** One kind of filter, on one page, in one sort order. */
export interface MeasuredFilters {
  readonly kind: string;
  readonly sort: string;
  readonly place: 'first page' | 'last page';
  /** The same page without a filter, measured alternately with the filtered pages. */
  readonly unfiltered: TimedList;
  /** For the last page, lists with a single page are left out. */
  readonly filtered: readonly (TimedList & { readonly rarity: Rarity })[];
}

export interface MeasuredHardCase extends TimedList {
  readonly name: string;
  readonly mode: 'cursor mode' | 'simple mode';
  readonly longestWaitMs: number;
}

export interface FilteredLists {
  readonly idleWaitMs: number;
  /** The longest wait for /livez, for each kind of filter. */
  readonly longestWaitsMs: Readonly<Record<string, number>>;
  readonly lists: readonly MeasuredFilters[];
  /** Lists whose last page could not be determined, because the service aborted a request needed to find it (503). */
  readonly withoutLastPage: readonly string[];
  readonly hardCases: readonly MeasuredHardCase[];
}

export interface FilterMethod {
  /** The number of requests per list; fewer if they are slow. */
  readonly samples: number;
  readonly idleSeconds: number;
}

interface Contender {
  readonly rarity: Rarity | undefined;
  readonly path: string;
  readonly milliseconds: number[];
  gaveUp: number;
}

const PAGE = 20;
/** A list that has taken this long in total is not requested again. */
const ENOUGH_MS = 300;
const HARD_SAMPLES = 3;
const MOST_ATTEMPTS = 3;

const SORTS = [
  { name: 'newest first', query: '' },
  { name: 'by name', query: 'sort=name:asc&' },
  { name: 'by a text field', query: 'sort=summary.text:asc&' },
  { name: 'by a number field', query: 'sort=priority.number:desc&' },
  { name: 'by two keys', query: 'sort[0]=priority.number:desc&sort[1]=name:asc&' },
] as const;

export async function measureFilters(scratch: Scratch, site: Site, method: FilterMethod): Promise<FilteredLists> {
  const { reader } = site;
  const lastPages = new Map<string, string | undefined>();
  const withoutLastPage: string[] = [];
  for (const { query: sort } of SORTS) {
    for (const filter of ['', ...FILTER_KINDS.flatMap(({ queries }) => Object.values(queries))]) {
      const list = `${filter}&${sort}`;
      try {
        lastPages.set(list, await findLastPagePatiently(reader, filter, sort));
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
        withoutLastPage.push(list);
      }
    }
  }
  const watch = await watchLiveness(scratch, reader.origin, method.idleSeconds);
  const lists: MeasuredFilters[] = [];
  const longestWaitsMs: Record<string, number> = {};
  for (const kind of FILTER_KINDS) {
    for (const sort of SORTS) {
      const paths = (filter: string) => ({
        'first page': `${LIST}?${filter}&${sort.query}`,
        'last page': lastPages.get(`${filter}&${sort.query}`),
      });
      for (const place of ['first page', 'last page'] as const) {
        const contenders = buildContenders(kind, (filter) => paths(filter)[place]);
        // The first request for each list compiles its statements.
        for (const { path } of contenders) await askAnew(reader, path);
        await takeTurns(reader, contenders, method.samples);
        lists.push(...reportPlace(kind.name, sort.name, place, contenders));
      }
    }
    longestWaitsMs[kind.name] = await watch.takeLongest();
  }
  const hardCases = await measureHardCases(reader, watch);
  watch.stop();
  return { idleWaitMs: watch.idleMs, longestWaitsMs, lists, withoutLastPage, hardCases };
}

/** The list without a filter comes first. */
function buildContenders(
  { queries }: FilterKind,
  findPath: (filter: string) => string | undefined,
): readonly Contender[] {
  const all = [{ rarity: undefined, filter: '' }, ...RARITIES.map((rarity) => ({ rarity, filter: queries[rarity] }))];
  return all.flatMap(({ rarity, filter }) => {
    const path = filter === undefined ? undefined : findPath(filter);
    return path === undefined ? [] : { rarity, path, milliseconds: [], gaveUp: 0 };
  });
}

async function takeTurns(reader: Reader, contenders: readonly Contender[], samples: number): Promise<void> {
  for (let turn = 0; turn < samples; turn++) {
    for (const contender of contenders) {
      if (contender.milliseconds.reduce((sum, each) => sum + each, 0) > ENOUGH_MS) continue;
      const { status, milliseconds } = await askAnew(reader, contender.path);
      contender.milliseconds.push(round(milliseconds));
      if (status === 503) contender.gaveUp += 1;
    }
  }
}

/** Empty if the same page without a filter could not be determined, because then there is no baseline. */
function reportPlace(
  kind: string,
  sort: string,
  place: MeasuredFilters['place'],
  contenders: readonly Contender[],
): readonly MeasuredFilters[] {
  const report = ({ milliseconds, gaveUp }: Contender): TimedList => ({ milliseconds, gaveUp });
  const unfiltered = contenders.find(({ rarity }) => rarity === undefined);
  if (unfiltered === undefined) return [];
  const filtered = contenders.flatMap((each) =>
    each.rarity === undefined ? [] : { rarity: each.rarity, ...report(each) },
  );
  return [{ kind, sort, place, unfiltered: report(unfiltered), filtered }];
}

async function measureHardCases(reader: Reader, watch: LivenessWatch): Promise<readonly MeasuredHardCase[]> {
  const measured: MeasuredHardCase[] = [];
  const modes = [
    { mode: 'cursor mode', asked: reader },
    { mode: 'simple mode', asked: withSimpleMode(reader) },
  ] as const;
  for (const { name, query } of HARD_CASES) {
    for (const { mode, asked } of modes) {
      const contender: Contender = { rarity: undefined, path: `${LIST}?${query}&`, milliseconds: [], gaveUp: 0 };
      await takeTurns(asked, [contender], HARD_SAMPLES);
      const { milliseconds, gaveUp } = contender;
      measured.push({ name, mode, milliseconds, gaveUp, longestWaitMs: await watch.takeLongest() });
    }
  }
  return measured;
}

let asked = 0;

/** A new number in each request prevents cached responses. */
export async function askAnew(reader: Reader, path: string): Promise<TimedAnswer> {
  asked += 1;
  const answer = await askFor(reader, `${path}n=${asked}`);
  if (answer.status !== 200 && answer.status !== 503) {
    throw new Error(`GET ${path} returned ${answer.status}: ${answer.body}`);
  }
  return answer;
}

export function withSimpleMode(reader: Reader): Reader {
  return { ...reader, headers: { ...reader.headers, 'x-service-simple-pagination': 'true' } };
}

class GaveUp extends Error {}

/** The service remembers how far it has counted, so another attempt may get further. */
async function findLastPagePatiently(reader: Reader, filter: string, sort: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await findLastPage(reader, filter, sort);
    } catch (error) {
      if (!(error instanceof GaveUp) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/**
 * Returns the URL of the last page in cursor mode, to which a parameter can be appended, or undefined if the list has a single page.
 * First uses simple mode to find the object just before that page. A cursor depends only on the sort order, not on the filters, so a
 * short list that contains that object and the last object provides the cursor.
 */
async function findLastPage(reader: Reader, filter: string, sort: string): Promise<string | undefined> {
  const list = `${LIST}?${filter}&${sort}`;
  const read = async (asked: Reader, path: string): Promise<TimedAnswer> => {
    const answer = await askAnew(asked, path);
    if (answer.status === 503) throw new GaveUp();
    return answer;
  };
  const readPage = (page: number): Promise<TimedAnswer> => read(withSimpleMode(reader), `${list}page=${page}&`);
  const total = /"total":(\d+)/.exec((await readPage(1)).body)?.[1] ?? 1;
  const pages = Math.ceil(Number(total) / PAGE);
  if (pages < 2) return undefined;
  const slugBefore = listSlugs(await readPage(pages - 1)).at(-1);
  const slugs = listSlugs(await readPage(pages));
  const pair = `match=any&slug[0]=${slugBefore}&slug[1]=${slugs.at(-1)}`;
  const cursor = findNextCursor(await read(reader, `${LIST}?${pair}&${sort}limit=1&`));
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

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
