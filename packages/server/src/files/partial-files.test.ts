import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET_CREDENTIALS, startBucketServer } from './bucket-server.fixture.ts';
import { openBucketStore } from './bucket-store.ts';
import { openFolderStore } from './folder-store.ts';
import { isPartialId, type PartialFiles } from './partial-files.ts';

const ID = '0123456789abcdef'.repeat(2);

async function* chunks(...texts: readonly (string | Buffer | Error)[]): AsyncGenerator<Uint8Array, void, void> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe.each(['folder', 'bucket'])('partial files in a %s', (kind) => {
  const resources = new AsyncDisposableStack();
  let partial: PartialFiles;

  beforeAll(async () => {
    if (kind === 'folder') {
      const path = await mkdtemp(join(tmpdir(), 'galley-partial-'));
      resources.defer(() => rm(path, { recursive: true }));
      partial = (await openFolderStore({ kind: 'folder', path })).partial;
    } else {
      const server = resources.use(await startBucketServer('pictures', 'assets'));
      const store = openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS, pageSize: 2 });
      resources.defer(() => store.close());
      partial = store.partial;
    }
  });

  afterAll(() => resources.disposeAsync());

  test('grow, and keep the received bytes when the source fails', async () => {
    expect(await partial.find(ID)).toBeUndefined();
    await partial.create(ID, 'a note');
    expect(await partial.find(ID)).toMatchObject({ note: 'a note', bytes: 0 });
    await partial.append(ID, 0, chunks('one ', 'two '));
    await expect(partial.append(ID, 8, chunks('three ', new Error('lost')))).rejects.toThrow('lost');
    expect(await partial.find(ID)).toMatchObject({ bytes: 14 });
    await partial.append(ID, 14, chunks('four'));
    expect((await buffer(partial.read(ID))).toString()).toBe('one two three four');
    await partial.remove(ID);
    expect(await partial.find(ID)).toBeUndefined();
  });

  test('can receive the same bytes twice', async () => {
    const bytes = Buffer.alloc(9 * 1024 ** 2, 'abcdefg');
    await partial.create(ID, '');
    await partial.append(ID, 0, chunks(bytes.subarray(0, 1000)));
    // Another node is still receiving bytes that the client sent before it lost the connection.
    await partial.append(ID, 1000, chunks(bytes.subarray(1000, 5_000_000), bytes.subarray(5_000_000, 6_000_000)));
    await partial.append(ID, 1000, chunks(bytes.subarray(1000, 2000)));
    const { bytes: received = 0 } = (await partial.find(ID)) ?? {};
    await partial.append(ID, received, chunks(bytes.subarray(received)));
    expect(await partial.find(ID)).toMatchObject({ bytes: bytes.length });
    expect((await buffer(partial.read(ID))).equals(bytes)).toBe(true);
    await partial.remove(ID);
  });

  test('are listed with the time of their last change', async () => {
    await partial.create(ID, '');
    await partial.append(ID, 0, chunks('x'));
    const listed = await collect(partial.list());
    expect(listed.map(({ id }) => id)).toEqual([ID]);
    expect(Math.abs(Date.now() - (listed[0]?.lastChange.getTime() ?? 0))).toBeLessThan(60_000);
    await partial.remove(ID);
    expect(await collect(partial.list())).toEqual([]);
  });

  test('are listed by id prefix', async () => {
    const others = ['01230000'.repeat(4), 'f'.repeat(32)];
    for (const id of [ID, ...others]) await partial.create(id, '');
    await partial.append(ID, 0, chunks('x'));
    const list = async (prefix?: string): Promise<readonly string[]> => {
      const ids: string[] = [];
      for await (const { id } of partial.list(prefix)) ids.push(id);
      return ids.toSorted();
    };
    expect(await list()).toEqual([others[0], ID, others[1]].toSorted());
    expect(await list('0123')).toEqual([others[0], ID].toSorted());
    expect(await list(ID)).toEqual([ID]);
    expect(await list('9')).toEqual([]);
    for (const id of [ID, ...others]) await partial.remove(id);
  });

  test('have ids that are safe in paths', async () => {
    expect(['../x', '', 'A'.repeat(32), `${ID}/`].some(isPartialId)).toBe(false);
    await expect(partial.find('../../etc/passwd')).rejects.toThrow(TypeError);
  });
});
