import { expect, test } from 'vitest';
import { pickChanged } from './pick-changed.ts';

test('only what was changed is picked, whatever became of the rest elsewhere', () => {
  const initial = { name: 'Ada', email: 'quill@example.com', sites: ['a', 'b'] };
  expect(pickChanged({ name: 'Ada', email: 'ada@example.com', sites: ['a', 'b'] }, initial)).toEqual({
    email: 'ada@example.com',
  });
  expect(pickChanged({ ...initial, sites: ['b', 'a'] }, initial)).toEqual({ sites: ['b', 'a'] });
});

test('what was taken away is picked as such', () => {
  interface Site {
    readonly name: string;
    readonly url: string | null;
  }
  expect(pickChanged<Site>({ name: 'Ada', url: null }, { name: 'Ada', url: 'https://example.com' })).toEqual({
    url: null,
  });
});
