import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('measures 1,000 and 100,000 objects in three rounds by default', () => {
  expect(parseOptions([])).toMatchObject({ sizes: [1000, 100_000], rounds: 3, isQuick: false });
});

test('allows a different size in a smoke test', () => {
  expect(parseOptions(['--quick', '--objects', '2000'])).toMatchObject({
    sizes: [1000, 2000],
    rounds: 1,
    isQuick: true,
  });
});

test('measures a million objects in a full run', () => {
  expect(parseOptions(['--full'])).toMatchObject({ sizes: [1000, 1_000_000], isFull: true, isPartial: false });
});

test('measures the named rows and, if memory is one of them, the rows that generate load', () => {
  const rows = (...args: string[]): unknown => {
    const options = parseOptions(args);
    return options === 'help' ? options : [...options.rows];
  };
  expect(rows('--only', 'publish,start')).toEqual(['publish', 'start']);
  expect(rows('--only', 'object', '--only', 'list')).toEqual(['object', 'list']);
  expect(rows('--only', 'memory')).toEqual(['repeated', 'object', 'list', 'memory']);
  expect(rows()).toHaveLength(17);
  expect(rows('--engine', 'postgres')).toEqual(
    expect.not.arrayContaining(['publish', 'render', 'changes', 'start', 'import', 'memory']),
  );
});

test('measures the same sizes on PostgreSQL', () => {
  expect(parseOptions(['--engine', 'postgres'])).toMatchObject({ sizes: [1000, 100_000], engine: 'postgres' });
});

test.each([
  [['--objects', '1010'], '--objects must be a multiple of 40.'],
  [['--objects', '1000'], '--objects must be greater than 1000, the size of the small site.'],
  [['--rounds', '0'], '--rounds must be a whole number of at least 1, not 0.'],
  [['--tool', 'ab'], '--tool must be wrk or autocannon, not ab.'],
  [['--engine', 'mysql'], '--engine must be embedded or postgres, not mysql.'],
  [['--engine', 'postgres', '--full'], '--engine postgres cannot be combined with --full or --keep.'],
  [['--quick', '--full'], '--quick and --full cannot be combined.'],
  [['--only', 'object,lists'], '--only accepts the rows repeated, '],
  [['--quick', '--write-docs'], '--write-docs requires a complete run'],
  [['--out', 'a.json', '--write-docs'], '--write-docs requires a complete run'],
  [['--fast'], "Unknown option '--fast'"],
])('rejects %j', (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});
