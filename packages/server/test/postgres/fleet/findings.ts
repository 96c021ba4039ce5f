// What a ledger shows. Pure: what is promised is decided here, of what was observed.

import type { Absence, Ledger, Publishing, Reading } from './ledger.ts';

export interface Findings {
  /** Of each publish and node, the shortest first. */
  readonly delays: readonly Delay[];
  /** The same of publishes that the primary's absence came between. */
  readonly delaysAcrossAbsence: readonly Delay[];
  /** Publishes that a node never showed. */
  readonly unseen: number;
  /** Begun when the bound was over, these show what was there before a publish. */
  readonly late: readonly Reading[];
  /** Begun when the same node had shown more, these show less. */
  readonly backward: readonly Reading[];
  /** Shown by a server that had left the fleet. */
  readonly foreign: readonly Reading[];
  readonly cachedErrors: readonly Reading[];
  /** Other than 200, and than 503 without the primary or within the time of its return. */
  readonly misplaced: readonly Reading[];
  readonly slowestRefusalMs: number;
  /** Publishes that were refused though the primary was there. */
  readonly wronglyRefused: readonly Publishing[];
}

/** How many milliseconds passed until a node showed a publish. */
export interface Delay {
  readonly node: string;
  readonly publishing: Publishing;
  readonly ms: number;
}

export interface Promises {
  readonly freshnessMs: number;
  /** How long everything may take to be as before, once the primary is back. */
  readonly recoveryMs: number;
  /** Absences of this one excuse what they excuse; all others excuse nothing but silence. */
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
      ({ outcome, startedAt, endedAt }) => outcome === 'refused' && !isAcross(outages, startedAt, endedAt),
    ),
  };
}

export function readDuration({ startedAt, endedAt }: Reading | Publishing): number {
  return endedAt - startedAt;
}

/** From the end of a publish, or from when the node was there again, to the end of the first answer that shows it. */
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

/** Each outage that comes between gives time until its own end; they come in order. */
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

/** Those that show less than what was to be shown before they began. @param owed from when on what, in order of time */
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
