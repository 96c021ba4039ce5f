import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('measures 1,000 and 100,000 objects in three rounds unless told otherwise', () => {
  expect(parseOptions([])).toMatchObject({ sizes: [1000, 100_000], rounds: 3, isQuick: false });
});

test('lets a smoke run take another size', () => {
  expect(parseOptions(['--quick', '--objects', '2000'])).toMatchObject({
    sizes: [1000, 2000],
    rounds: 1,
    isQuick: true,
  });
});

test.each([
  [['--objects', '1010'], '--objects must be a multiple of 20.'],
  [['--objects', '1000'], '--objects must be more than the 1000 of the small site.'],
  [['--rounds', '0'], '--rounds must be a whole number from 1 on, not 0.'],
  [['--tool', 'ab'], '--tool must be wrk or autocannon, not ab.'],
  [['--fast'], "Unknown option '--fast'"],
])('refuses %j', (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});
