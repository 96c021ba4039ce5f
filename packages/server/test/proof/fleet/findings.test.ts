// Defines what counts as a violation, with ledgers small enough to read.

import { describe, expect, test } from 'vitest';
import { findFaults } from './findings.ts';
import { type Ledger, openLedger, type Publishing, type Reading } from './ledger.ts';

const PROMISES = { freshnessMs: 1000, recoveryMs: 5000, primary: 'the primary' };

function read(startedAt: number, endedAt: number, count?: number, parts: Partial<Reading> = {}): Reading {
  return { node: 'a', kind: 'moving', phase: '', startedAt, endedAt, status: 200, isStale: false, count, ...parts };
}

function publish(count: number, endedAt: number, outcome: Publishing['outcome'] = 'published'): Publishing {
  return { count, phase: '', startedAt: endedAt - 10, endedAt, outcome };
}

function find(parts: Partial<Ledger>) {
  return findFaults({ ...openLedger(), ...parts }, PROMISES);
}

describe('a read that returns an older state than a previous read', () => {
  test('is a violation if it started after another read on the same node had returned a newer state', () => {
    const back = read(30, 40, 1);
    expect(find({ readings: [read(0, 20, 2), back] }).backward).toEqual([back]);
  });

  test.each([
    ['started before the other read had ended', [read(0, 20, 2), read(10, 40, 1)]],
    ['was served by a different node', [read(0, 20, 2), read(30, 40, 1, { node: 'b' })]],
    ['concerns different content', [read(0, 20, 2), read(30, 40)]],
  ])('is not a violation if it %s', (_name, readings) => {
    expect(find({ readings }).backward).toEqual([]);
  });
});

describe('a change to be published', () => {
  test('is late if a read that started after the time limit does not show it', () => {
    const late = read(1101, 1110, 0);
    const { late: found, delays } = find({
      publishings: [publish(1, 100)],
      readings: [read(1099, 1105, 0), late, read(1200, 1210, 1)],
    });
    expect(found).toEqual([late]);
    expect(delays.map(({ ms }) => ms)).toEqual([1110]);
  });

  test.each(['refused', 'unknown'] as const)('need not appear if the outcome of publishing is %s', (outcome) => {
    const { late, delays, unseen } = find({
      publishings: [publish(1, 100, outcome)],
      readings: [read(2000, 2010, 0)],
    });
    expect([late, delays, unseen]).toEqual([[], [], 0]);
  });

  test('counts as missing once for each node on which it never appears', () => {
    const readings = [read(0, 10, 0), read(200, 210, 1), read(200, 210, 0, { node: 'b' })];
    expect(find({ publishings: [publish(1, 100)], readings }).unseen).toBe(1);
  });

  test('has its delay measured from the time when a node returns, if the node was down', () => {
    const absences = [{ of: 'a', from: 90, to: 2000 }];
    const { delays } = find({ absences, publishings: [publish(1, 100)], readings: [read(2010, 2020, 1)] });
    expect(delays.map(({ ms }) => ms)).toEqual([20]);
  });

  test('is due only after the recovery if the primary went down in the meantime', () => {
    const absences = [{ of: PROMISES.primary, from: 600, to: 3000 }];
    const late = read(8001, 8010, 0);
    const { late: found, delaysAcrossAbsence } = find({
      absences,
      publishings: [publish(1, 100)],
      readings: [read(7999, 8005, 0), late, read(8020, 8030, 1)],
    });
    expect(found).toEqual([late]);
    expect(delaysAcrossAbsence.map(({ ms }) => ms)).toEqual([7930]);
  });

  test('is due only after the second recovery if the primary went down twice', () => {
    const absences = [600, 5000].map((from) => ({ of: PROMISES.primary, from, to: from + 1000 }));
    const late = read(11_001, 11_010, 0);
    const readings = [read(7000, 7010, 0), late, read(11_020, 11_030, 1)];
    expect(find({ absences, publishings: [publish(1, 100)], readings }).late).toEqual([late]);
  });

  test.each(['refused', 'unknown'] as const)(
    'may have the outcome %s while the primary is down, but not while it is up',
    (outcome) => {
      const absences = [{ of: PROMISES.primary, from: 0, to: 1000 }];
      const wrong = publish(2, 6100, outcome);
      expect(find({ absences, publishings: [publish(1, 500, outcome), wrong] }).wronglyRefused).toEqual([wrong]);
    },
  );
});

test('a read without a counter is attributed to a server outside the fleet', () => {
  const foreign = read(0, 10, Number.NaN);
  expect(find({ readings: [read(0, 10, 1), foreign] }).foreign).toEqual([foreign]);
});

test('an error is always a violation for cached reads, and for other reads while the primary is up', () => {
  const absences = [{ of: PROMISES.primary, from: 1000, to: 2000 }];
  const [cached, early] = [
    read(1100, 1110, undefined, { kind: 'cached', status: 503 }),
    read(0, 10, 0, { status: 503 }),
  ];
  const [during, bug] = [read(1500, 3200, undefined, { status: 503 }), read(1500, 1510, undefined, { status: 500 })];
  const { cachedErrors, misplaced, slowestRefusalMs } = find({ absences, readings: [cached, early, during, bug] });
  expect(cachedErrors).toEqual([cached]);
  expect(misplaced).toEqual([early, bug]);
  expect(slowestRefusalMs).toBe(1700);
});
