import { expect, test } from 'vitest';
import { type FileSummary, formatSummary, type Run } from './format-summary.ts';

const PART: Run = { script: undefined, seconds: 5 };

function file(members: Partial<FileSummary> = {}): FileSummary {
  return { path: 'some.test.ts', project: 'unit', seconds: 1, passed: 2, failed: 0, isOk: true, ...members };
}

test.each([
  ['tests that pass', [file()], 0, '2 passed, 0 failed'],
  ['a test that fails', [file({ failed: 1, isOk: false })], 0, '2 passed, 1 failed'],
  ['a file that cannot be loaded', [file({ passed: 0, isOk: false })], 0, '0 passed, 1 failed'],
  ['an error outside the tests', [file(), file()], 1, '4 passed, 1 failed'],
])('ends with the correct counts after %s', (_, files, errors, line) => {
  expect(formatSummary(files, errors, PART)).toEqual([line]);
});

test('lists the ten slowest files, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => file({ path: `${index}.test.ts`, seconds: index }));
  const [title, ...rows] = formatSummary(files, 0, PART);
  expect(title).toBe('The ten slowest test files:');
  expect(rows[0]).toBe('   11.0 s  11.test.ts (unit)');
  expect(rows.filter((row) => row.endsWith('(unit)'))).toHaveLength(10);
});

test.each([
  ['test', 101, 'The tests took 101 s, 49 s of the budget left'],
  ['test:full', 930, 'The tests took 930 s, 30 s over the budget'],
])('says how much of the time budget of `npm run %s` is left after %d s', (script, seconds, line) => {
  expect(formatSummary([file()], 0, { script, seconds })[0]).toContain(line);
});
