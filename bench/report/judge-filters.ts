// The targets for filtered lists: how much slower a list is with a filter than without one, how much slower a distant page is than page 1,
// how long a first count takes, and how long other clients wait in the meantime. The report contains every list, but the table shows only
// the worst one for each kind of filter.

import type { Rarity } from '../filtered-content.ts';
import type { FilteredCounts } from '../rows/measure-filtered-counts.ts';
import type { FilteredLists, MeasuredHardCase } from '../rows/measure-filters.ts';
import type { TimedList } from '../rows/timed-list.ts';
import { SLOWER_THAN_PAGE_1 } from './judge-figures.ts';
import { median } from './median.ts';
import { type Bar, judge, type Verdict } from './verdict.ts';

const SLOWER: Bar = { relation: '≤', value: 10 };
const COUNT_MS: Bar = { relation: '≤', value: 150 };
const WAIT_MS: Bar = { relation: '≤', value: 50 };
const NONE: Bar = { relation: '<', value: 1 };

export function judgeFilters(
  lists: FilteredLists | undefined,
  counts: FilteredCounts | undefined,
  size: number,
): readonly Verdict[] {
  const objects = `${size.toLocaleString('en')} objects`;
  return [
    ...(lists === undefined ? [] : [...judgeLists(lists, objects), ...judgeNumberedPages(lists, objects)]),
    ...(counts === undefined ? [] : judgeCounts(counts, objects)),
    ...judgeWaits(lists, counts, objects),
    ...judgeGivenUp(lists, counts, objects),
  ];
}

function judgeLists({ lists }: FilteredLists, objects: string): readonly Verdict[] {
  const section = 'Lists with a filter: how many times slower than the same page without it, worst of each kind';
  const pages = lists.flatMap(({ filtered, unfiltered, ...list }) =>
    filtered.map((page) => ({ ...list, ...page, baseline: unfiltered })),
  );
  return judgePages(section, SLOWER, pages, objects);
}

function judgeNumberedPages({ numberedPages = [] }: FilteredLists, objects: string): readonly Verdict[] {
  const section = 'Simple mode with a filter: how many times slower than page 1 of the same list, worst of each kind';
  const pages = numberedPages.flatMap(({ distantPages, firstPage, ...list }) =>
    distantPages.map((page) => ({ ...list, ...page, baseline: firstPage })),
  );
  return judgePages(section, SLOWER_THAN_PAGE_1, pages, objects);
}

interface ComparedPage extends TimedList {
  readonly kind: string;
  readonly rarity: Rarity;
  readonly sort: string;
  readonly place: string;
  readonly baseline: TimedList;
}

function judgePages(section: string, bar: Bar, pages: readonly ComparedPage[], objects: string): readonly Verdict[] {
  const verdicts = pages.map(({ kind, rarity, sort, place, milliseconds, baseline }) => {
    const [figure, yardstick] = [median(milliseconds), median(baseline.milliseconds)];
    const what = `${kind}, ${rarity}, ${sort}, ${place}, ${objects}`;
    return { kind, verdict: judge({ section, what, figure, unit: 'ms', yardstick, ratio: figure / yardstick, bar }) };
  });
  return listWorst(verdicts, ({ ratio }) => ratio ?? 0);
}

function judgeCounts({ counts }: FilteredCounts, objects: string): readonly Verdict[] {
  const section = 'Simple mode with a filter: first count, worst of each kind';
  const verdicts = counts.map(({ kind, rarity, milliseconds }) => {
    const what = `${kind}, ${rarity}, ${objects}`;
    return { kind, verdict: judge({ section, what, figure: median(milliseconds), unit: 'ms', bar: COUNT_MS }) };
  });
  return listWorst(verdicts, ({ figure }) => figure);
}

function listWorst(
  verdicts: readonly { readonly kind: string; readonly verdict: Verdict }[],
  read: (verdict: Verdict) => number,
): readonly Verdict[] {
  return [...Map.groupBy(verdicts, ({ kind }) => kind).values()].flatMap((ofKind) =>
    ofKind
      .map(({ verdict }) => verdict)
      .toSorted((a, b) => read(b) - read(a))
      .slice(0, 1),
  );
}

function judgeWaits(
  lists: FilteredLists | undefined,
  counts: FilteredCounts | undefined,
  objects: string,
): readonly Verdict[] {
  const rows: (readonly [what: string, longestMs: number, idleMs: number])[] = [];
  if (lists !== undefined) {
    const [kind, longestMs] = Object.entries(lists.longestWaitsMs).toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
    rows.push([`during all of these lists (${kind})`, longestMs, lists.idleWaitMs]);
    for (const each of lists.hardCases) rows.push([describeHardCase(each), each.longestWaitMs, lists.idleWaitMs]);
  }
  if (counts !== undefined) {
    rows.push(['during all first counts', Math.max(...counts.longestWaitsMs), Math.max(...counts.idleWaitsMs)]);
  }
  return rows.map(([what, longestMs, idleMs]) =>
    judge({
      section: 'Longest wait for /livez on another connection, minus the longest wait on an idle service',
      what: `${what}, ${objects}`,
      figure: Math.max(0, longestMs - idleMs),
      unit: 'ms',
      yardstick: idleMs,
      bar: WAIT_MS,
    }),
  );
}

function describeHardCase({ name, mode, milliseconds, gaveUp }: MeasuredHardCase): string {
  const time = `${Math.max(...milliseconds).toFixed(0)} ms`;
  return `${name}, ${mode}: ${gaveUp > 0 ? `503 after ${time}` : `200 after ${time}`}`;
}

function judgeGivenUp(
  lists: FilteredLists | undefined,
  counts: FilteredCounts | undefined,
  objects: string,
): readonly Verdict[] {
  const all = [
    ...(lists?.lists.flatMap(({ filtered }) => filtered) ?? []),
    ...(lists?.numberedPages?.flatMap(({ firstPage, distantPages }) => [firstPage, ...distantPages]) ?? []),
    ...(counts?.counts ?? []),
  ];
  if (all.length === 0) return [];
  return [
    judge({
      section: 'Filtered lists that the service aborted (503), other than the two hard cases',
      what: `of ${all.length} lists, ${objects}`,
      figure: all.filter(({ gaveUp }) => gaveUp > 0).length + (lists?.withoutLastPage.length ?? 0),
      unit: 'lists',
      bar: NONE,
    }),
  ];
}
