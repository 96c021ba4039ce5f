// Compares the middle page and the last page of filtered lists in simple mode with page 1. The service has counted each list before. On the
// first visit to a distant page, the service also has to find the page's position, so this visit is reported separately. If the service
// aborts the request, it is repeated, because the service then continues where it stopped.

import { LIST } from '../cases.ts';
import type { FilterKind } from '../filter-kinds.ts';
import { RARITIES, type Rarity } from '../filtered-content.ts';
import type { Reader } from '../recorded-answer.ts';
import { FEW_SORTS, type Situation } from './filter-situations.ts';
import {
  askAnew,
  type Contender,
  countPages,
  reportTimes,
  startContender,
  type TimedList,
  takeTurns,
  withSimpleMode,
} from './timed-list.ts';

/** A filtered list in simple mode. */
export interface MeasuredNumberedPages {
  readonly kind: string;
  readonly rarity: Rarity;
  readonly sort: string;
  readonly firstPage: TimedList;
  readonly distantPages: readonly DistantPage[];
}

export interface DistantPage extends TimedList {
  readonly place: 'middle page' | 'last page';
  /** How long the first visit took, including the requests that the service aborted. */
  readonly firstVisitMs: number;
}

/** The number of requests for a page before the measurement gives up on it. */
const MOST_ATTEMPTS = 5;
/** A shorter list has no distant pages. */
const LEAST_PAGES = 3;

export async function measureNumberedPages(
  { reader, query }: Situation & { readonly reader: Reader },
  { name: kind, queries }: FilterKind,
  samples: number,
): Promise<readonly MeasuredNumberedPages[]> {
  const simple = withSimpleMode(reader);
  const measured: MeasuredNumberedPages[] = [];
  for (const sort of FEW_SORTS) {
    for (const rarity of RARITIES) {
      const filter = queries[rarity];
      if (filter === undefined) continue;
      const path = (page: number): string => `${LIST}?${filter}&${query}${sort.query}page=${page}&`;
      const counted = await askAnew(simple, path(1));
      const pages = countPages(counted);
      if (pages < LEAST_PAGES && counted.status === 200) continue;
      const first = startContender(path(1));
      if (counted.status === 503) first.gaveUp += 1;
      const places = { 'middle page': Math.ceil(pages / 2), 'last page': pages } as const;
      const distant: (Contender & Pick<DistantPage, 'place' | 'firstVisitMs'>)[] = [];
      for (const place of ['middle page', 'last page'] as const) {
        const contender = startContender(path(places[place]));
        const firstVisitMs = await visit(simple, contender);
        distant.push({ place, firstVisitMs, ...contender });
      }
      await takeTurns(simple, [first, ...distant], samples);
      const distantPages = distant.map(({ place, firstVisitMs, ...each }) => ({
        place,
        firstVisitMs,
        ...reportTimes(each),
      }));
      measured.push({ kind, rarity, sort: sort.name, firstPage: reportTimes(first), distantPages });
    }
  }
  return measured;
}

async function visit(reader: Reader, contender: Contender): Promise<number> {
  let total = 0;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { status, milliseconds } = await askAnew(reader, contender.path);
    total += milliseconds;
    if (status === 200) break;
    contender.gaveUp += 1;
  }
  return total;
}
