import { describe, expect, test } from 'vitest';
import { formatColour, parseColour, putOnWhite } from './colour.ts';

describe('a colour', () => {
  test.each([
    ['red', 'ffff0000'],
    ['RebeccaPurple', 'ff663399'],
    ['darkslategrey', 'ff2f4f4f'],
    ['transparent', '00000000'],
    ['f0A', 'ffff00aa'],
    ['8f0a', '88ff00aa'],
    ['12aBcD', 'ff12abcd'],
    ['8012abcd', '8012abcd'],
  ])('%s is %s', (text, hex) => {
    const colour = parseColour(text);
    expect(colour && formatColour(colour)).toBe(hex);
  });

  test.each([
    '',
    'f',
    'ff',
    'fffff',
    'fffffff',
    'fffffffff',
    '#fff',
    'reddish',
    'constructor',
    'rgb(0,0,0)',
    'ggg',
    ' red',
  ])('%j is refused', (text) => {
    expect(parseColour(text)).toBeUndefined();
  });

  test('recognises the 148 CSS colour names', () => {
    const names = ['aliceblue', 'yellowgreen', 'grey', 'gray', 'lightgoldenrodyellow', 'mediumaquamarine'];
    for (const name of names) expect(parseColour(name)).toMatchObject({ alpha: 255 });
  });

  test('is blended with white according to its alpha channel', () => {
    expect(putOnWhite({ red: 255, green: 0, blue: 0, alpha: 128 })).toEqual({
      red: 255,
      green: 127,
      blue: 127,
      alpha: 255,
    });
  });
});
