import { expect, test } from 'vitest';
import { parseNumber, pickChanged } from './form-values.ts';

test.each([
  ['', undefined],
  ['-', undefined],
  ['.', undefined],
  ['10.', 10],
  ['12.0', 12],
  ['007', 7],
  ['12345678901234', 12_345_678_901_234],
  [0, 0],
] as const)('reads %j as %j', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test('picks only the changed values', () => {
  const initial = { name: 'Ada', email: 'quill@example.com', sites: ['a', 'b'] };
  expect(pickChanged({ name: 'Ada', email: 'ada@example.com', sites: ['a', 'b'] }, initial)).toEqual({
    email: 'ada@example.com',
  });
  expect(pickChanged({ ...initial, sites: ['b', 'a'] }, initial)).toEqual({ sites: ['b', 'a'] });
});

test('picks a value that was cleared', () => {
  interface Site {
    readonly name: string;
    readonly url: string | null;
  }
  expect(pickChanged<Site>({ name: 'Ada', url: null }, { name: 'Ada', url: 'https://example.com' })).toEqual({
    url: null,
  });
});
