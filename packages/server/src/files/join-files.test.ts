import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredFile } from './file-store.ts';
import { type FilePair, joinFiles } from './join-files.ts';

async function* list<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const digests = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 })
  .map((numbers) => numbers.map((number) => String(number).padStart(64, '0')).toSorted());

test('every file appears once, with its record and its entry', async () => {
  await fc.assert(
    fc.asyncProperty(digests, digests, async (recorded, stored) => {
      const records = recorded.map((sha256) => ({ sha256, bytes: 1 }));
      const entries = stored.map((sha256) => ({ sha256, bytes: 1, lastPut: new Date(0) }));
      const pairs: FilePair<StoredFile>[] = [];
      for await (const pair of joinFiles(list(records), list(entries))) pairs.push(pair);
      const all = [...new Set([...recorded, ...stored])].toSorted();
      expect(pairs.map((pair) => [pair.recorded?.sha256, pair.stored?.sha256])).toEqual(
        all.map((sha256) => [
          recorded.includes(sha256) ? sha256 : undefined,
          stored.includes(sha256) ? sha256 : undefined,
        ]),
      );
    }),
  );
});

test('both lists are closed if the reader stops early', async () => {
  const closed: string[] = [];
  async function* watch(name: string) {
    try {
      for (let number = 0; ; number++) {
        yield { sha256: String(number).padStart(64, '0'), bytes: 1, lastPut: new Date(0) };
      }
    } finally {
      closed.push(name);
    }
  }
  for await (const _ of joinFiles(watch('records'), watch('entries'))) break;
  expect(closed).toEqual(['records', 'entries']);
});
