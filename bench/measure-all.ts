// Everything that a run measures of one service on two sites, in the order in which it is least in its own way: reads
// before writes, since a publish empties the cache, and starts last.

import { startBareServer } from './bare-process.ts';
import { buildGroups } from './cases.ts';
import type { CommandOutcome } from './galley-process.ts';
import type { Load } from './load/load.ts';
import { type MeasuredGroup, measureGroup } from './measure-group.ts';
import { openPostgresSite, openSite, type Site } from './open-site.ts';
import type { BenchOptions } from './options.ts';
import { type ProcessUsage, readUsage } from './process-usage.ts';
import { type MeasuredLatency, measureLatency } from './rows/measure-latency.ts';
import { type MeasuredPublishes, measurePublishes } from './rows/measure-publishes.ts';
import { type MeasuredPages, measureSimplePages } from './rows/measure-simple-pages.ts';
import { measureStarts, type Start } from './rows/measure-starts.ts';
import type { RowName } from './rows/row-names.ts';
import type { Scratch } from './scratch.ts';

const STARTS = 3;
const PAGES = 41;
const QUICK_PAGES = 11;
const PUBLISHES = 151;
const QUICK_PUBLISHES = 31;

/** What was not asked for is empty or undefined. */
export interface Measurements {
  readonly groups: readonly MeasuredGroup[];
  readonly latencies: readonly MeasuredLatency[];
  readonly pages: readonly MeasuredPages[];
  readonly publishes: readonly MeasuredPublishes[];
  readonly starts: readonly Start[];
  readonly memory: ProcessUsage | undefined;
  readonly imported: CommandOutcome | undefined;
  readonly disturbances: readonly string[];
}

export async function measureAll(
  scratch: Scratch,
  load: Load,
  options: BenchOptions,
  tell: (text: string) => void,
): Promise<Measurements> {
  const { rounds, seconds, briefSeconds, warmUpSeconds, connections, isQuick } = options;
  const isWanted = (row: RowName): boolean => options.rows.has(row);
  const open = (size: number): Promise<Site> =>
    options.engine === 'postgres'
      ? openPostgresSite(scratch, size, tell)
      : openSite(scratch, size, options.keptIn, tell);
  const small = await open(options.sizes[0]);
  const large = await open(options.sizes[1]);
  const disturbances: string[] = [];
  const onDisturbed = (text: string): void => {
    disturbances.push(text);
    tell(text);
  };

  tell('walking the lists to their ends');
  const bare = startBareServer(scratch);
  const method = { bare, load, rounds, seconds, briefSeconds, warmUpSeconds, onDisturbed };
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
  // In good order, so that a database that is kept is whole without its journal.
  for (const { galley } of [small, large]) await galley.stop();
  let starts: readonly Start[] = [];
  if (isWanted('start')) {
    tell('starting');
    starts = await measureStarts(scratch, large, STARTS);
  }
  const imported = isWanted('import') ? large.imported : undefined;
  return { groups, latencies, pages, publishes, starts, memory, imported, disturbances };
}
