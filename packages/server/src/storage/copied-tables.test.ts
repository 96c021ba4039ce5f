import { expect, test } from 'vitest';
import { TableDigest } from './copied-tables.ts';
import type { Cells } from './statement.ts';

function digest(rows: readonly Cells[], columns = ['a', 'b']): string {
  const made = new TableDigest('things', columns);
  made.add(rows);
  return made.text;
}

const ROWS: readonly Cells[] = [
  [1, 'x'],
  [2, null],
];

test('the checksum is the same whether the rows are added all at once or in batches', () => {
  const inSteps = new TableDigest('things', ['a', 'b']);
  for (const row of ROWS) inSteps.add([row]);
  expect(inSteps.text).toBe(digest(ROWS));
  expect(inSteps.rows).toBe(2);
});

test('the checksum can be read before all rows have been added', () => {
  const made = new TableDigest('things', ['a', 'b']);
  made.add(ROWS.slice(0, 1));
  expect(made.text).toBe(digest(ROWS.slice(0, 1)));
  made.add(ROWS.slice(1));
  expect(made.text).toBe(digest(ROWS));
});

test.each<[string, readonly Cells[]]>([
  ['a missing row', [[1, 'x']]],
  ['a different order', ROWS.toReversed()],
  [
    'a string in place of null',
    [
      [1, 'x'],
      [2, 'null'],
    ],
  ],
  [
    'a string in place of a number',
    [
      ['1', 'x'],
      [2, null],
    ],
  ],
  [
    'an empty string in place of null',
    [
      [1, 'x'],
      [2, ''],
    ],
  ],
  [
    'an added combining character',
    [
      [1, 'x\u0301'],
      [2, null],
    ],
  ],
  [
    'a number that differs in its last digit',
    [
      [1 + Number.EPSILON, 'x'],
      [2, null],
    ],
  ],
])('the checksum is different for %s', (_, rows) => {
  expect(digest(rows)).not.toBe(digest(ROWS));
});

test('the checksum depends on the columns', () => {
  expect(digest(ROWS, ['b', 'a'])).not.toBe(digest(ROWS));
});
