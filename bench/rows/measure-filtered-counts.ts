// Simple mode counts a list once and remembers the total until the next publish. Each round therefore restarts the service and requests
// each filtered list once. A link by ID and a link by slug produce the same list, so each round starts the service twice,
// each time for half of the filter kinds.

import { LIST } from '../cases.ts';
import { FILTER_KINDS } from '../filter-kinds.ts';
import { RARITIES, type Rarity } from '../filtered-content.ts';
import { startGalley } from '../galley-process.ts';
import { watchLiveness } from '../load/watch-liveness.ts';
import type { Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';
import { askAnew, type TimedList, withSimpleMode } from './timed-list.ts';

export interface MeasuredCount extends TimedList {
  readonly kind: string;
  readonly rarity: Rarity;
}

export interface FilteredCounts {
  /** The longest wait for /livez on the idle service, after each start. */
  readonly idleWaitsMs: readonly number[];
  readonly longestWaitsMs: readonly number[];
  readonly counts: readonly MeasuredCount[];
}

export interface CountMethod {
  readonly rounds: number;
  readonly idleSeconds: number;
}

const WARM_UP = 20;

/** While this runs, no other service may use the site's database. */
export async function measureFilteredCounts(
  scratch: Scratch,
  { databaseUrl, reader }: Site,
  { rounds, idleSeconds }: CountMethod,
): Promise<FilteredCounts> {
  const lists = FILTER_KINDS.flatMap(({ name: kind, queries }, index) =>
    RARITIES.flatMap((rarity) => {
      const filter = queries[rarity];
      const half = index % 2;
      return filter === undefined ? [] : { half, kind, rarity, filter, milliseconds: [] as number[], gaveUp: 0 };
    }),
  );
  const idleWaitsMs: number[] = [];
  const longestWaitsMs: number[] = [];
  for (let start = 0; start < rounds * 2; start++) {
    const galley = await startGalley(scratch, databaseUrl);
    const simple = withSimpleMode({ ...reader, origin: galley.origin });
    for (let turn = 0; turn < WARM_UP; turn++) await askAnew(simple, `${LIST}?`);
    const watch = await watchLiveness(scratch, galley.origin, idleSeconds);
    for (const list of lists.filter(({ half }) => half === start % 2)) {
      const { status, milliseconds } = await askAnew(simple, `${LIST}?${list.filter}&`);
      list.milliseconds.push(milliseconds);
      if (status === 503) list.gaveUp += 1;
    }
    idleWaitsMs.push(watch.idleMs);
    longestWaitsMs.push(await watch.takeLongest());
    watch.stop();
    await galley.stop();
  }
  const counts = lists.map(({ kind, rarity, milliseconds, gaveUp }) => ({ kind, rarity, milliseconds, gaveUp }));
  return { idleWaitsMs, longestWaitsMs, counts };
}
