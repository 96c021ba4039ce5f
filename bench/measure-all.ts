// Runs all measurements. The sites with articles come first. There, reads are measured before writes, because publishing empties the cache,
// and the change feed and startup are measured after both. The rows that use a separate site follow.

import { startBareServer } from './bare-process.ts';
import { startBareSelect } from './bare-select.ts';
import { buildGroups } from './cases.ts';
import type { CommandOutcome } from './galley-process.ts';
import type { Load } from './load/load.ts';
import { type MeasuredGroup, measureGroup } from './measure-group.ts';
import { openPostgresSite, openSite, type Site, type SiteOrder } from './open-site.ts';
import type { BenchOptions } from './options.ts';
import { type ProcessUsage, readUsage } from './process-usage.ts';
import { type MeasuredChanges, measureChanges } from './rows/measure-changes.ts';
import { type FilteredCounts, measureFilteredCounts } from './rows/measure-filtered-counts.ts';
import { type FilteredLists, measureFilters } from './rows/measure-filters.ts';
import { type MeasuredLatency, measureLatency } from './rows/measure-latency.ts';
import { type MeasuredPublishes, measurePublishes } from './rows/measure-publishes.ts';
import { type MeasuredRenderings, measureRenderings } from './rows/measure-renderings.ts';
import { type MeasuredPages, measureSimplePages } from './rows/measure-simple-pages.ts';
import { measureStarts, type Start } from './rows/measure-starts.ts';
import { FILTER_ROWS, type RowName } from './rows/row-names.ts';
import type { Scratch } from './scratch.ts';

const STARTS = 3;
const PAGES = 41;
const QUICK_PAGES = 11;
const PUBLISHES = 151;
const QUICK_PUBLISHES = 31;
const RENDERINGS = 101;
const QUICK_RENDERINGS = 21;

const CHANGE_METHOD = { renamed: 20_000, rounds: 3, streams: 2000, publishes: 21 } as const;
const QUICK_CHANGE_METHOD = { renamed: 2000, rounds: 1, streams: 200, publishes: 5 } as const;

const FILTER_METHOD = { samples: 9, rounds: 3, idleSeconds: 3 } as const;
const QUICK_FILTER_METHOD = { samples: 3, rounds: 1, idleSeconds: 1 } as const;

/** Rows that were not requested are empty or undefined. */
export interface ArticleMeasurements {
  readonly groups: readonly MeasuredGroup[];
  readonly latencies: readonly MeasuredLatency[];
  readonly pages: readonly MeasuredPages[];
  readonly publishes: readonly MeasuredPublishes[];
  readonly renderings: MeasuredRenderings | undefined;
  readonly changes: MeasuredChanges | undefined;
  readonly starts: readonly Start[];
  readonly memory: ProcessUsage | undefined;
  readonly imported: CommandOutcome | undefined;
  readonly disturbances: readonly string[];
}

export interface FilterMeasurements {
  readonly filteredLists: FilteredLists | undefined;
  readonly filteredCounts: FilteredCounts | undefined;
}

export interface Measurements extends ArticleMeasurements, FilterMeasurements {}

const NOTHING: Measurements = {
  groups: [],
  latencies: [],
  pages: [],
  publishes: [],
  renderings: undefined,
  changes: undefined,
  starts: [],
  memory: undefined,
  imported: undefined,
  disturbances: [],
  filteredLists: undefined,
  filteredCounts: undefined,
};

export async function measureAll(
  scratch: Scratch,
  load: Load,
  options: BenchOptions,
  tell: (text: string) => void,
): Promise<Measurements> {
  const rows = [...options.rows];
  const areFiltered = (row: RowName): boolean => FILTER_ROWS.includes(row);
  return {
    ...NOTHING,
    ...(rows.every(areFiltered) ? {} : await measureArticles(scratch, load, options, tell)),
    ...(rows.some(areFiltered) ? await measureFilterRows(scratch, options, tell) : {}),
  };
}

function open(scratch: Scratch, order: SiteOrder, options: BenchOptions, tell: (text: string) => void): Promise<Site> {
  return options.engine === 'postgres'
    ? openPostgresSite(scratch, order, tell)
    : openSite(scratch, order, options.keptIn, tell);
}

async function measureArticles(
  scratch: Scratch,
  load: Load,
  options: BenchOptions,
  tell: (text: string) => void,
): Promise<ArticleMeasurements> {
  const { rounds, seconds, briefSeconds, warmUpSeconds, connections, isQuick } = options;
  const isWanted = (row: RowName): boolean => options.rows.has(row);
  const [smallSize, largeSize] = options.sizes;
  const small = await open(scratch, { content: 'site', size: smallSize }, options, tell);
  const large = await open(scratch, { content: 'site', size: largeSize }, options, tell);
  const disturbances: string[] = [];
  const onDisturbed = (text: string): void => {
    disturbances.push(text);
    tell(text);
  };

  tell('following each list to its last page');
  const bare = startBareServer(scratch);
  const select = options.engine === 'postgres' ? startBareSelect(scratch) : undefined;
  const method = { bare, select, load, rounds, seconds, briefSeconds, warmUpSeconds, onDisturbed };
  const groups: MeasuredGroup[] = [];
  for (const group of await buildGroups(small, large, isWanted)) {
    tell(`${group.row}: ${group.what}`);
    groups.push(await measureGroup(group, method));
  }
  let latencies: readonly MeasuredLatency[] = [];
  if (isWanted('latency')) {
    tell('latency');
    latencies = await measureLatency(scratch, large, { bare, load, connections, rounds, seconds });
  }
  let pages: readonly MeasuredPages[] = [];
  if (isWanted('simple')) {
    tell('simple mode');
    pages = await measureSimplePages(large, isQuick ? QUICK_PAGES : PAGES);
  }
  const memory = isWanted('memory') ? readUsage(large.galley.pid) : undefined;
  let publishes: readonly MeasuredPublishes[] = [];
  if (isWanted('publish')) {
    tell('publishing');
    publishes = await measurePublishes(scratch, [small, large], isQuick ? QUICK_PUBLISHES : PUBLISHES);
  }
  let renderings: MeasuredRenderings | undefined;
  if (isWanted('render')) {
    tell('rendering');
    renderings = await measureRenderings(scratch, small, isQuick ? QUICK_RENDERINGS : RENDERINGS);
  }
  // A clean shutdown, so that a database kept for later runs is complete without its journal.
  for (const { galley } of [small, large]) await galley.stop();
  let starts: readonly Start[] = [];
  if (isWanted('start')) {
    tell('starting');
    starts = await measureStarts(scratch, large, STARTS);
  }
  let changes: MeasuredChanges | undefined;
  if (isWanted('changes')) {
    tell('changes');
    changes = await measureChanges(scratch, large, isQuick ? QUICK_CHANGE_METHOD : CHANGE_METHOD);
  }
  const imported = isWanted('import') ? large.imported : undefined;
  return { groups, latencies, pages, publishes, renderings, changes, starts, memory, imported, disturbances };
}

async function measureFilterRows(
  scratch: Scratch,
  options: BenchOptions,
  tell: (text: string) => void,
): Promise<FilterMeasurements> {
  const method = options.isQuick ? QUICK_FILTER_METHOD : FILTER_METHOD;
  const site = await open(scratch, { content: 'filtered', size: options.sizes[1] }, options, tell);
  let filteredLists: FilteredLists | undefined;
  if (options.rows.has('filtered')) {
    tell('filtered lists');
    filteredLists = await measureFilters(scratch, site, method);
  }
  await site.galley.stop();
  let filteredCounts: FilteredCounts | undefined;
  if (options.rows.has('filtered-counts')) {
    tell('first counts of filtered lists');
    filteredCounts = await measureFilteredCounts(scratch, site, method);
  }
  return { filteredLists, filteredCounts };
}
