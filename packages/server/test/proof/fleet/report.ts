// Renders the results of a run as the tables in docs/guides/scaling.md.

import { type Delay, type Findings, readDuration } from './findings.ts';
import type { Ledger, Publishing, Reading, ReadKind } from './ledger.ts';

const KINDS: Readonly<Record<ReadKind, string>> = {
  cached: 'reads from the node’s cache',
  moving: 'reads of constantly published content',
  new: 'first-time reads',
};

export function renderReport(ledger: Ledger, findings: Findings): string {
  return [renderKinds(ledger), renderPhases(ledger, findings), renderFindings(ledger, findings)].join('\n\n');
}

function renderKinds({ readings }: Ledger): string {
  const rows = Object.entries(KINDS).map(([kind, name]) => {
    const reads = readings.filter((reading) => reading.kind === kind);
    return [name, reads.length, ...countStatuses(reads), toMs(readSlowest(reads))];
  });
  return renderTable(['', 'requests', '200', 'of which stale', '503', 'others', 'slowest'], rows);
}

function renderPhases({ readings, publishings, recoveries }: Ledger, findings: Findings): string {
  const phases = [...new Set(readings.map(({ phase }) => phase))];
  const rows = phases.map((phase) => {
    const reads = readings.filter((reading) => reading.phase === phase);
    const attempts = publishings.filter((publishing) => publishing.phase === phase);
    const recovered = recoveries.filter((recovery) => recovery.phase === phase).map(({ ms }) => toMs(ms));
    const outcomes = [countOutcome(attempts, 'published'), countOutcome(attempts, 'refused')];
    const delays = [...findings.delays, ...findings.delaysAcrossAbsence].filter(
      ({ publishing }) => publishing.phase === phase,
    );
    const visible = toMs(Math.max(0, ...delays.map(({ ms }) => ms)));
    return [phase, reads.length, ...countStatuses(reads), ...outcomes, visible, recovered.join(', ')];
  });
  const head = [
    'fault',
    'requests',
    '200',
    'of which stale',
    '503',
    'others',
    'published',
    'rejected',
    'visible',
    'recovered',
  ];
  return renderTable(head, rows);
}

function renderFindings(ledger: Ledger, findings: Findings): string {
  const { delays, delaysAcrossAbsence } = findings;
  const refused = ledger.publishings.filter(({ outcome }) => outcome === 'refused');
  const rows: readonly Cell[][] = [
    ['5xx responses to cached reads', findings.cachedErrors.length],
    ['slowest 503', toMs(findings.slowestRefusalMs)],
    ['503 responses while the primary was up, and responses with other statuses', findings.misplaced.length],
    ['reads that showed an older state than an earlier read from the same node', findings.backward.length],
    ['reads from a server that had left the fleet', findings.foreign.length],
    ['published changes × nodes', delays.length + delaysAcrossAbsence.length],
    ['time until a published change was visible: median, 99th percentile, maximum', renderDelays(delays)],
    [
      'time until visible, if the primary went down in the meantime: median, 99th percentile, maximum',
      renderDelays(delaysAcrossAbsence),
    ],
    ['reads that started after the time limit but showed the old content', findings.late.length],
    ['published changes that never appeared on a node', findings.unseen],
    ['rejected attempts to publish, and the slowest one', `${refused.length}, ${toMs(readSlowest(refused))}`],
    [
      'attempts to publish that were rejected, or whose outcome is unknown, while the primary was up',
      findings.wronglyRefused.length,
    ],
    ['attempts to publish with an unknown outcome', countOutcome(ledger.publishings, 'unknown')],
    ['attempts to publish through a stopped node', countOutcome(ledger.publishings, 'unreached')],
    ['connections refused by a stopped node, or closed when it stopped', renderPair(ledger)],
    ['listener connections closed by the test', ledger.listenersCut],
    ['maximum connections to the primary', ledger.mostConnections],
  ];
  return renderTable(['', ''], rows);
}

type Cell = string | number;

/** Four counts: responses with status 200, how many of those were stale, responses with status 503, and all others. */
function countStatuses(reads: readonly Reading[]): readonly number[] {
  const answered = reads.filter(({ status }) => status === 200);
  const refused = reads.filter(({ status }) => status === 503).length;
  const stale = answered.filter(({ isStale }) => isStale).length;
  return [answered.length, stale, refused, reads.length - answered.length - refused];
}

function countOutcome(publishings: readonly Publishing[], outcome: Publishing['outcome']): number {
  return publishings.filter((publishing) => publishing.outcome === outcome).length;
}

function readSlowest(observed: readonly (Reading | Publishing)[]): number {
  return observed.reduce((slowest, each) => Math.max(slowest, readDuration(each)), 0);
}

function renderDelays(delays: readonly Delay[]): string {
  const at = (share: number): string => toMs(delays[Math.ceil(delays.length * share) - 1]?.ms ?? 0);
  return [at(0.5), at(0.99), at(1)].join(', ');
}

function renderPair({ refusedConnections, closedConnections }: Ledger): string {
  return `${refusedConnections}, ${closedConnections}`;
}

function toMs(ms: number): string {
  return `${Math.round(ms)} ms`;
}

function renderTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
