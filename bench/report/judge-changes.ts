// The targets for the change feed and its streams.

import type { MeasuredChanges } from '../rows/measure-changes.ts';
import { PLAIN_FIGURES } from './judge-figures.ts';
import { median } from './median.ts';
import { judge, type Verdict } from './verdict.ts';

export function judgeChanges(measured: MeasuredChanges | undefined): readonly Verdict[] {
  if (measured === undefined) return [];
  const { size, sync, feed, streams, webhooks } = measured;
  const objects = `${size.toLocaleString('en')} objects`;
  const count = `${streams.count.toLocaleString('en')} streams`;
  const section = PLAIN_FIGURES;
  return [
    ...feed.map(({ hasContent, changes, seconds }) =>
      judge({
        section,
        what: `changes read from the feed, ${hasContent ? 'with' : 'without'} content`,
        figure: changes / median(seconds),
        unit: 'changes/s',
        bar: { relation: '≥', value: hasContent ? 5000 : 10_000 },
      }),
    ),
    judge({
      section,
      what: `a publish, until it has reached ${count}: slowest of ${streams.milliseconds.length}`,
      figure: Math.max(...streams.milliseconds),
      unit: 'ms',
      bar: { relation: '≤', value: 250 },
    }),
    ...judgeMemory(`memory used by ${count}`, streams.addedMb, 100),
    ...judgeMemory(`memory during a full sync (largest resident set), ${objects}`, sync.peakResidentMb, 200),
    judge({
      section: 'A full sync with content: how many times slower than galley export',
      what: objects,
      figure: sync.seconds,
      unit: 's',
      yardstick: measured.export.seconds,
      ratio: sync.seconds / measured.export.seconds,
      bar: { relation: '≤', value: 3 },
    }),
    judge({
      section: 'A publish with webhooks: how many times slower than without',
      what: `${webhooks.count} webhooks, ${objects}`,
      figure: median(webhooks.with),
      unit: 'ms',
      yardstick: median(webhooks.without),
      ratio: median(webhooks.with) / median(webhooks.without),
      bar: { relation: '≤', value: 1.1 },
    }),
  ];
}

function judgeMemory(what: string, megabytes: number | undefined, value: number): readonly Verdict[] {
  if (megabytes === undefined) return [];
  return [judge({ section: PLAIN_FIGURES, what, figure: megabytes, unit: 'MB', bar: { relation: '<', value } })];
}
