import { expect, test } from 'vitest';
import { createMemoryMirror, type MirrorBatch } from './mirror-store.ts';

interface Item {
  readonly id: string;
}

function batch(put: readonly string[], members: Partial<MirrorBatch<Item>> = {}): MirrorBatch<Item> {
  const items = put.map((id) => ({ id }));
  return { put: items, remove: [], position: 'p', startsSync: false, endsSync: false, ...members };
}

test('an in-memory mirror has no position before the first batch, and has the position of the last batch afterwards', () => {
  const mirror = createMemoryMirror<Item>();
  expect(mirror.readPosition()).toBe(undefined);
  mirror.save(batch([], { position: 'a' }));
  mirror.save(batch([], { position: 'b' }));
  expect(mirror.readPosition()).toBe('b');
});

test('an in-memory mirror adds, replaces and removes objects', () => {
  const mirror = createMemoryMirror<Item>();
  mirror.save(batch(['a', 'b']));
  const before = mirror.objects.get('a');
  mirror.save(batch(['a'], { remove: ['b', 'c'] }));
  expect([...mirror.objects.keys()]).toEqual(['a']);
  expect(mirror.objects.get('a')).not.toBe(before);
});

test('when a full sync ends, objects that were in none of its batches are removed', () => {
  const mirror = createMemoryMirror<Item>();
  mirror.save(batch(['a', 'b', 'c', 'd'], { startsSync: true, endsSync: true }));
  mirror.save(batch(['b'], { startsSync: true }));
  mirror.save(batch(['c']));
  expect([...mirror.objects.keys()]).toEqual(['a', 'b', 'c', 'd']);
  mirror.save(batch(['e'], { endsSync: true }));
  expect([...mirror.objects.keys()]).toEqual(['b', 'c', 'e']);
});

test('a full sync that starts over forgets the objects from the previous one', () => {
  const mirror = createMemoryMirror<Item>();
  mirror.save(batch(['a'], { startsSync: true }));
  mirror.save(batch(['b'], { startsSync: true, endsSync: true }));
  expect([...mirror.objects.keys()]).toEqual(['b']);
});
