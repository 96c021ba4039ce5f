import { expect, test } from 'vitest';
import { createMemoryStore } from './memory-store.ts';

const ANSWER = { etag: '"1"', body: '{}', link: null };

test('returns stored responses, and undefined for unknown keys', () => {
  const store = createMemoryStore();
  store.set('a', ANSWER);
  expect(store.get('a')).toEqual(ANSWER);
  expect(store.get('b')).toBeUndefined();
  store.set('a', { ...ANSWER, etag: '"2"' });
  expect(store.get('a')).toMatchObject({ etag: '"2"' });
});

test('stores 500 responses by default, and drops the least recently used ones', () => {
  for (const [store, most] of [
    [createMemoryStore(), 500],
    [createMemoryStore({ maxEntries: 3 }), 3],
  ] as const) {
    store.set('kept', ANSWER);
    for (let number = 1; number < most; number++) store.set(`${number}`, ANSWER);
    expect(store.get('kept')).toEqual(ANSWER);
    store.set('one more', ANSWER);
    expect(store.get('kept')).toEqual(ANSWER);
    expect(store.get('1')).toBeUndefined();
    expect(store.get('2')).toEqual(ANSWER);
  }
});

test('stores nothing if its size is 0', () => {
  const store = createMemoryStore({ maxEntries: 0 });
  store.set('a', ANSWER);
  expect(store.get('a')).toBeUndefined();
});
