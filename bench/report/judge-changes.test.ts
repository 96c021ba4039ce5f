import { expect, test } from 'vitest';
import { judgeChanges } from './judge-changes.ts';

const MEASURED = {
  size: 5000,
  export: { seconds: 2, peakResidentMb: 90 },
  sync: { seconds: 5, peakResidentMb: 150 },
  feed: [
    { hasContent: false, changes: 2000, seconds: [0.1, 0.4, 0.2] },
    { hasContent: true, changes: 2000, seconds: [0.5, 0.5, 0.5] },
  ],
  streams: { count: 2000, milliseconds: [90, 251, 80], addedMb: 60 },
  webhooks: { count: 20, without: [10, 9, 11], with: [11, 12, 13] },
};

test("judges the feed's median, the slowest delivery to streams, memory, publishing with webhooks, and the sync compared with the export", () => {
  expect(judgeChanges(MEASURED).map(({ figure, ratio, holds }) => [figure, ratio, holds])).toEqual([
    [10_000, null, true],
    [4000, null, false],
    [251, null, false],
    [60, null, true],
    [150, null, true],
    [5, 2.5, true],
    [12, 1.2, false],
  ]);
});

test('leaves out memory on systems that do not report it, and returns no verdicts if nothing was measured', () => {
  const unknown = { ...MEASURED, streams: { ...MEASURED.streams, addedMb: undefined } };
  expect(judgeChanges(unknown)).toHaveLength(6);
  expect(judgeChanges(undefined)).toEqual([]);
});
