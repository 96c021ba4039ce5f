// Evaluates a ledger: decides from the observations alone whether the promises were kept.

import type { Absence, Ledger, Publishing, Reading } from './ledger.ts';

export interface Findings {
  /** One value for each publish and node, shortest first. */
  readonly delays: readonly Delay[];
  /** The same for publishes interrupted by an outage of the primary. */
  readonly delaysAcrossAbsence: readonly Delay[];
  /** Published changes that a node never showed. */
  readonly unseen: number;
  /** Reads that started after the time limit but still show the state before a publish. */
  readonly late: readonly Reading[];
  /** Reads that show an older state than the same node had shown before. */
  readonly backward: readonly Reading[];
  /** Reads served by a server that had left the fleet. */
  readonly foreign: readonly Reading[];
  readonly cachedErrors: readonly Reading[];
  /** Statuses other than 200, except for 503 while the primary is down or recovering. */
  readonly misplaced: readonly Reading[];
  readonly slowestRefusalMs: number;
  /** Publishes that were rejected, or whose outcome is unknown, although the primary was up. */
  readonly wronglyRefused: readonly Publishing[];
}

/** How long it took for a publish to become visible on a node, in milliseconds. */
export interface Delay {
  readonly node: string;
  readonly publishing: Publishing;
  readonly ms: number;
}

export interface Promises {
  readonly freshnessMs: number;
  /** How long a full recovery may take once the primary is back. */
  readonly recoveryMs: number;
  /** An outage of the primary excuses late reads. Other outages only excuse missing responses. */
  readonly primary: string;
}

export function findFaults({ readings, publishings, absences }: Ledger, promises: Promises): Findings {
  const outages = absences
    .filter(({ of }) => of === promises.primary)
    .map((absence) => ({ ...absence, to: absence.to + promises.recoveryMs }));
  const published = publishings.filter(({ outcome }) => outcome === 'published');
  const nodes = [...new Set(readings.map(({ node }) => node))].map((name) => {
    const shown = readings.filter(({ node, count }) => node === name && Number.isInteger(count));
    const away = absences.filter(({ of }) => of === name);
    return { shown, delays: measureDelays(shown, published, away) };
  });
  const delays = nodes.flatMap((node) => node.delays);
  const [across, within] = split(delays, ({ publishing: { endedAt } }) =>
    isAcross(outages, endedAt, endedAt + promises.freshnessMs),
  );
  return {
    delays: toSorted(within),
    delaysAcrossAbsence: toSorted(across),
    unseen: nodes.reduce((sum, node) => sum + published.length - node.delays.length, 0),
    late: nodes.flatMap(({ shown }) => findLate(shown, published, outages, promises.freshnessMs)),
    backward: nodes.flatMap(({ shown }) => findBackward(shown)),
    foreign: readings.filter(({ count }) => Number.isNaN(count)),
    cachedErrors: readings.filter(({ kind, status }) => kind === 'cached' && status >= 500),
    misplaced: readings.filter(
      ({ status, startedAt, endedAt }) => status !== 200 && !(status === 503 && isAcross(outages, startedAt, endedAt)),
    ),
    slowestRefusalMs: Math.max(0, ...readings.filter(({ status }) => status === 503).map(readDuration)),
    wronglyRefused: publishings.filter(
      ({ outcome, startedAt, endedAt }) =>
        (outcome === 'refused' || outcome === 'unknown') && !isAcross(outages, startedAt, endedAt),
    ),
  };
}

export function readDuration({ startedAt, endedAt }: Reading | Publishing): number {
  return endedAt - startedAt;
}

/** Measured from the end of a publish, or from the node's return, to the end of the first response that shows the publish. */
function measureDelays(
  shown: readonly Reading[],
  published: readonly Publishing[],
  away: readonly Absence[],
): readonly Delay[] {
  const answers = shown.toSorted((one, other) => one.endedAt - other.endedAt);
  const delays: Delay[] = [];
  let next = 0;
  for (const publishing of published) {
    while (next < answers.length && (answers[next]?.count ?? 0) < publishing.count) next += 1;
    const answer = answers[next];
    if (answer === undefined) break;
    const absence = findAcross(away, publishing.endedAt, answer.endedAt);
    const since = Math.max(publishing.endedAt, absence?.to ?? 0);
    delays.push({ node: answer.node, publishing, ms: Math.max(0, answer.endedAt - since) });
  }
  return delays;
}

function findLate(
  shown: readonly Reading[],
  published: readonly Publishing[],
  outages: readonly Absence[],
  freshnessMs: number,
): readonly Reading[] {
  const due = published
    .map(({ count, endedAt }) => ({ count, at: findDeadline(endedAt, endedAt + freshnessMs, outages) }))
    .toSorted((one, other) => one.at - other.at);
  return findLess(
    shown,
    due.map(({ at, count }) => [at, count]),
  );
}

/** An outage between `endedAt` and the deadline extends the deadline to the end of that outage. Outages are in chronological order. */
function findDeadline(endedAt: number, dueAt: number, outages: readonly Absence[]): number {
  return outages.reduce((at, outage) => (isAcross([outage], endedAt, at) ? Math.max(at, outage.to) : at), dueAt);
}

function findBackward(shown: readonly Reading[]): readonly Reading[] {
  const known = shown.toSorted((one, other) => one.endedAt - other.endedAt);
  return findLess(
    shown,
    known.map(({ endedAt, count = 0 }) => [endedAt, count]),
  );
}

/**
 * Reads that show less than was required when they started.
 * @param owed the required counter values and their start times, in chronological order
 */
function findLess(
  shown: readonly Reading[],
  owed: readonly (readonly [at: number, count: number])[],
): readonly Reading[] {
  let next = 0;
  let least = 0;
  return shown
    .toSorted((one, other) => one.startedAt - other.startedAt)
    .filter(({ startedAt, count = 0 }) => {
      for (let due = owed[next]; due !== undefined && due[0] < startedAt; due = owed[next]) {
        least = Math.max(least, due[1]);
        next += 1;
      }
      return count < least;
    });
}

function isAcross(absences: readonly Absence[], start: number, end: number): boolean {
  return findAcross(absences, start, end) !== undefined;
}

function findAcross(absences: readonly Absence[], start: number, end: number): Absence | undefined {
  return absences.find(({ from, to }) => from <= end && start <= to);
}

function split<Value>(values: readonly Value[], belongs: (value: Value) => boolean): [Value[], Value[]] {
  return [values.filter(belongs), values.filter((value) => !belongs(value))];
}

function toSorted(delays: readonly Delay[]): readonly Delay[] {
  return delays.toSorted((one, other) => one.ms - other.ms);
}
