import { expect, test } from 'vitest';
import { IMAGE_ROWS, parseImageOptions } from './options.ts';

test('without arguments, every row is measured at full size', () => {
  const options = parseImageOptions([]);
  expect(options).toMatchObject({ rounds: 3, originals: 32, uploadBytes: 1_000_000_000, isPartial: false });
  expect(options !== 'help' && [...options.rows]).toEqual(Object.keys(IMAGE_ROWS));
});

test('measures only the named rows, with the given number of rounds and seconds', () => {
  const options = parseImageOptions(['--only', 'cold,ipx', '--rounds', '5', '--seconds', '2', '--keep', 'there']);
  expect(options).toMatchObject({ rounds: 5, seconds: 2, keptIn: 'there', isPartial: true });
  expect(options !== 'help' && [...options.rows]).toEqual(['cold', 'ipx']);
});

test.each([
  [['--only', 'warm'], '--only accepts the rows cold, ipx, repeated, content, memory, upload, not warm.'],
  [['--rounds', '0'], '--rounds must be a whole number of at least 1, not 0.'],
  [['--quick', '--write-docs'], '--write-docs requires a complete run that writes its file to the default folder.'],
])('%j is refused', (args, message) => {
  expect(() => parseImageOptions(args)).toThrow(message);
});
