// Compares filtered lists with the same page without a filter, and distant pages of filtered lists with page 1. Requests are sent one at
// a time and never repeated, while a second connection measures how long other clients wait.

import { LIST } from '../cases.ts';
import { type FilterKind, HARD_CASES } from '../filter-kinds.ts';
import { RARITIES, type Rarity } from '../filtered-content.ts';
import { type LivenessWatch, watchLiveness } from '../load/watch-liveness.ts';
import type { Site } from '../open-site.ts';
import type { Reader } from '../recorded-answer.ts';
import type { Scratch } from '../scratch.ts';
import { SITUATIONS, type Situation } from './filter-situations.ts';
import { findLastPage, GaveUp } from './find-last-page.ts';
import { type MeasuredNumberedPages, measureNumberedPages } from './measure-numbered-pages.ts';
import {
  askAnew,
  type Contender,
  reportTimes,
  startContender,
  type TimedList,
  takeTurns,
  withHeaders,
  withSimpleMode,
} from './timed-list.ts';

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
  /** Undefined in reports from before these pages were measured. */
  readonly numberedPages?: readonly MeasuredNumberedPages[];
  /** Lists whose last page could not be determined, because the service aborted (503) a request that was needed to find it. */
  readonly withoutLastPage: readonly string[];
  readonly hardCases: readonly MeasuredHardCase[];
}

export interface FilterMethod {
  /** The number of requests per list; fewer if they are slow. */
  readonly samples: number;
  readonly idleSeconds: number;
}

interface FilterContender extends Contender {
  /** Undefined for the list without a filter. */
  readonly rarity: Rarity | undefined;
}

const HARD_SAMPLES = 3;

export async function measureFilters(scratch: Scratch, site: Site, method: FilterMethod): Promise<FilteredLists> {
  const prepared: PreparedSituation[] = [];
  for (const situation of SITUATIONS) prepared.push(await prepareSituation(site.reader, situation));
  const watch = await watchLiveness(scratch, site.reader.origin, method.idleSeconds);
  const lists: MeasuredFilters[] = [];
  const numberedPages: MeasuredNumberedPages[] = [];
  const longestWaitsMs: Record<string, number> = {};
  for (const situation of prepared) {
    for (const kind of situation.kinds) {
      const name = `${kind.name}${situation.suffix}`;
      lists.push(...(await measureKind(situation, { ...kind, name }, method)));
      if (situation.numberedKinds.includes(kind)) {
        numberedPages.push(...(await measureNumberedPages(situation, { ...kind, name }, method.samples)));
      }
      longestWaitsMs[name] = await watch.takeLongest();
    }
  }
  const hardCases = await measureHardCases(site.reader, watch);
  watch.stop();
  const withoutLastPage = prepared.flatMap((situation) => situation.withoutLastPage);
  return { idleWaitMs: watch.idleMs, longestWaitsMs, lists, numberedPages, withoutLastPage, hardCases };
}

interface PreparedSituation extends Situation {
  readonly reader: Reader;
  /** The URL of each list's last page; undefined if the list has a single page. */
  readonly lastPages: ReadonlyMap<string, string | undefined>;
  readonly withoutLastPage: readonly string[];
}

async function prepareSituation(anyReader: Reader, situation: Situation): Promise<PreparedSituation> {
  const reader = withHeaders(anyReader, situation.headers);
  const lastPages = new Map<string, string | undefined>();
  const withoutLastPage: string[] = [];
  for (const sort of situation.sorts) {
    const order = `${situation.query}${sort.query}`;
    for (const filter of ['', ...situation.kinds.flatMap(({ queries }) => Object.values(queries))]) {
      const list = `${filter}&${order}`;
      try {
        lastPages.set(list, await findLastPage(reader, filter, order));
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
        withoutLastPage.push(`${list}${situation.suffix}`);
      }
    }
  }
  return { ...situation, reader, lastPages, withoutLastPage };
}

async function measureKind(
  { reader, query, sorts, lastPages }: PreparedSituation,
  kind: FilterKind,
  { samples }: FilterMethod,
): Promise<readonly MeasuredFilters[]> {
  const measured: MeasuredFilters[] = [];
  for (const sort of sorts) {
    const paths = (filter: string) => {
      const list = `${filter}&${query}${sort.query}`;
      return { 'first page': `${LIST}?${list}`, 'last page': lastPages.get(list) };
    };
    for (const place of ['first page', 'last page'] as const) {
      const contenders = buildContenders(kind, (filter) => paths(filter)[place]);
      // The first request for each list compiles its statements.
      for (const { path } of contenders) await askAnew(reader, path);
      await takeTurns(reader, contenders, samples);
      measured.push(...reportPlace(kind.name, sort.name, place, contenders));
    }
  }
  return measured;
}

/** The list without a filter comes first. */
function buildContenders(
  { queries }: FilterKind,
  findPath: (filter: string) => string | undefined,
): readonly FilterContender[] {
  const all = [{ rarity: undefined, filter: '' }, ...RARITIES.map((rarity) => ({ rarity, filter: queries[rarity] }))];
  return all.flatMap(({ rarity, filter }) => {
    const path = filter === undefined ? undefined : findPath(filter);
    return path === undefined ? [] : { rarity, ...startContender(path) };
  });
}

/** Empty if the same page without a filter could not be determined, because then there is no baseline. */
function reportPlace(
  kind: string,
  sort: string,
  place: MeasuredFilters['place'],
  contenders: readonly FilterContender[],
): readonly MeasuredFilters[] {
  const unfiltered = contenders.find(({ rarity }) => rarity === undefined);
  if (unfiltered === undefined) return [];
  const filtered = contenders.flatMap((each) =>
    each.rarity === undefined ? [] : { rarity: each.rarity, ...reportTimes(each) },
  );
  return [{ kind, sort, place, unfiltered: reportTimes(unfiltered), filtered }];
}

async function measureHardCases(reader: Reader, watch: LivenessWatch): Promise<readonly MeasuredHardCase[]> {
  const measured: MeasuredHardCase[] = [];
  const modes = [
    { mode: 'cursor mode', asked: reader },
    { mode: 'simple mode', asked: withSimpleMode(reader) },
  ] as const;
  for (const { name, query } of HARD_CASES) {
    for (const { mode, asked } of modes) {
      const contender = startContender(`${LIST}?${query}&`);
      await takeTurns(asked, [contender], HARD_SAMPLES);
      measured.push({ name, mode, ...reportTimes(contender), longestWaitMs: await watch.takeLongest() });
    }
  }
  return measured;
}
