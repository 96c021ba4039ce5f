// The verdicts of a report, derived from its measurements. A recorded report can be evaluated again when a target changes.

import { judgeImages } from '../images/judge-images.ts';
import type { ImageFigures } from '../images/measure-images.ts';
import type { MeasuredGroup } from '../measure-group.ts';
import { judgePeers, type MeasuredPeer } from '../peers/judge-peers.ts';
import type { ProcessUsage } from '../process-usage.ts';
import type { MeasuredChanges } from '../rows/measure-changes.ts';
import type { FilteredCounts } from '../rows/measure-filtered-counts.ts';
import type { FilteredLists } from '../rows/measure-filters.ts';
import type { MeasuredLatency } from '../rows/measure-latency.ts';
import type { MeasuredPublishes } from '../rows/measure-publishes.ts';
import type { MeasuredRenderings } from '../rows/measure-renderings.ts';
import type { MeasuredPages } from '../rows/measure-simple-pages.ts';
import type { Start } from '../rows/measure-starts.ts';
import { judgeChanges } from './judge-changes.ts';
import { judgeLatency, judgePlainFigures, judgePublishes, judgeRenderings, judgeSimplePages } from './judge-figures.ts';
import { judgeFilters } from './judge-filters.ts';
import { judgeAgainstBare, judgeEvenness, judgeUnchanged } from './judge-load.ts';
import { median } from './median.ts';
import type { Report, ReportKind } from './report-file.ts';
import type { Verdict } from './verdict.ts';

/** The measurements under the names used in the report. A row that was not measured is empty or undefined. */
export interface RunFigures {
  readonly method: { readonly objects: readonly [small: number, large: number] };
  readonly import?: { readonly seconds: number } | undefined;
  readonly memory_after_load?: ProcessUsage | undefined;
  readonly starts: readonly Start[];
  readonly latencies: readonly MeasuredLatency[];
  readonly simple_pages: readonly MeasuredPages[];
  readonly filtered_lists?: FilteredLists | undefined;
  readonly filtered_counts?: FilteredCounts | undefined;
  readonly publishes: readonly MeasuredPublishes[];
  readonly renderings?: MeasuredRenderings | undefined;
  readonly changes?: MeasuredChanges | undefined;
  readonly groups: readonly MeasuredGroup[];
}

type RecordedReport =
  | ({ readonly kind: Exclude<ReportKind, 'peers' | 'images'> } & RunFigures)
  | { readonly kind: 'images'; readonly images: ImageFigures }
  | { readonly kind: 'peers'; readonly peers: readonly MeasuredPeer[] };

export function judgeReport(report: Report): readonly Verdict[] {
  const recorded = asRecorded(report);
  if (recorded.kind === 'images') return judgeImages(recorded.images);
  return recorded.kind === 'peers' ? judgePeers(recorded.peers) : judgeRun(recorded);
}

/** The cast is safe, because a report read from a file contains the measurements for its kind. */
function asRecorded(report: Report): RecordedReport {
  return report as Report & RecordedReport;
}

export function judgeRun(figures: RunFigures): readonly Verdict[] {
  const { method, import: imported, memory_after_load, starts, latencies, simple_pages, publishes, groups } = figures;
  const [, size] = method.objects;
  return [
    ...judgeAgainstBare(groups),
    ...judgeUnchanged(groups),
    ...judgeLatency(latencies),
    ...judgeEvenness(groups),
    ...judgeFilters(figures.filtered_lists, figures.filtered_counts, size),
    ...judgeSimplePages(simple_pages, size),
    ...judgePublishes(publishes),
    ...judgeRenderings(figures.renderings),
    ...judgeChanges(figures.changes),
    ...judgePlainFigures({
      size,
      importedPerSecond: imported && size / imported.seconds,
      residentMb: memory_after_load?.peakResidentMb,
      startSeconds: starts.length === 0 ? undefined : median(starts.map(({ seconds }) => seconds)),
    }),
  ];
}
