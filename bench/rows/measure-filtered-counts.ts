// Simple mode counts a list once and remembers the total until the next publish. So each round starts the service anew, and asks for
// each filtered list once.

import { LIST } from '../cases.ts';
import { FILTER_KINDS, RARITIES, type Rarity } from '../filtered-content.ts';
import { startGalley } from '../galley-process.ts';
import { watchLiveness } from '../load/watch-liveness.ts';
import type { Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';
import { askAnew, type TimedList, withSimpleMode } from './measure-filters.ts';

export interface MeasuredCount extends TimedList {
  readonly kind: string;
  readonly rarity: Rarity;
}

export interface FilteredCounts {
  /** Of /livez, one for each round. */
  readonly idleWaitsMs: readonly number[];
  readonly longestWaitsMs: readonly number[];
  readonly counts: readonly MeasuredCount[];
}

export interface CountMethod {
  readonly rounds: number;
  readonly idleSeconds: number;
}

const WARM_UP = 20;

/** The site must not be served by anybody else. */
export async function measureFilteredCounts(
  scratch: Scratch,
  { databaseUrl, reader }: Site,
  { rounds, idleSeconds }: CountMethod,
): Promise<FilteredCounts> {
  const lists = FILTER_KINDS.flatMap(({ name: kind, queries }) =>
    RARITIES.flatMap((rarity) => {
      const filter = queries[rarity];
      return filter === undefined ? [] : { kind, rarity, filter, milliseconds: [] as number[], gaveUp: 0 };
    }),
  );
  const idleWaitsMs: number[] = [];
  const longestWaitsMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const galley = await startGalley(scratch, databaseUrl);
    const simple = withSimpleMode({ ...reader, origin: galley.origin });
    for (let turn = 0; turn < WARM_UP; turn++) await askAnew(simple, `${LIST}?`);
    const watch = await watchLiveness(scratch, galley.origin, idleSeconds);
    for (const list of lists) {
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
