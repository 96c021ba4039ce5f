// The asset library: tags, changes to many assets at once, and uses.

import type { AssetTagListBody, AssetUseListBody, ManagedAssetBody } from '@galley/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { AssetLibrary } from './asset-library.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine, PHOTO } from './small-magazine.ts';

let manager: Manager;
/** A new library for each test. */
let library: AssetLibrary;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
  });

  afterAll(() => manager.close());

  beforeEach(async () => {
    library = await AssetLibrary.create(manager);
  });

  describe('tags', () => {
    test('are sorted, and those that differ only in case or accents count as one tag', async () => {
      const id = await library.create('a.png', { tags: ['Zoo', 'été', 'Ete', 'apple'] });
      const read = () => manager.expectOk<ManagedAssetBody>('GET', `${library.assets}/${id}`);
      expect((await read()).tags).toEqual(['apple', 'été', 'Zoo']);
      await manager.expectOk('PATCH', `${library.assets}/${id}`, { tags: ['zoo', 'new'] }, manager.editor);
      expect((await read()).tags).toEqual(['new', 'zoo']);
      await manager.expectOk('PATCH', `${library.assets}/${id}`, { name: 'b.png' });
      expect(await read()).toMatchObject({ name: 'b.png', tags: ['new', 'zoo'] });
      await manager.expectOk('PATCH', `${library.assets}/${id}`, { tags: [] });
      expect((await read()).tags).toEqual([]);
    });

    test('are counted for the whole site', async () => {
      await library.create('a.png', { tags: ['Sea', 'Boat'] });
      const id = await library.create('b.png', { tags: ['sea'] });
      const read = async () => (await manager.expectOk<AssetTagListBody>('GET', `${library.site}/asset-tags`)).data;
      expect(await read()).toEqual([
        { tag: 'Boat', count: 1 },
        { tag: 'Sea', count: 2 },
      ]);
      await manager.expectOk('DELETE', `${library.assets}/${id}`);
      expect(await read()).toEqual([
        { tag: 'Boat', count: 1 },
        { tag: 'Sea', count: 1 },
      ]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('are stored in Unicode NFC, however they were typed', async () => {
      const id = await library.create('a.png', { tags: ['e\u0301te\u0301'] });
      const { tags } = await manager.expectOk<ManagedAssetBody>('GET', `${library.assets}/${id}`);
      expect(tags).toEqual(['\u00e9t\u00e9']);
    });

    test('change the ETag of their asset', async () => {
      const id = await library.create('a.png', { tags: ['one'] });
      const { headers } = await manager.call('GET', `${library.assets}/${id}`);
      const change = { headers: { 'if-match': headers.get('etag') ?? '' }, body: { tags: ['two'] } };
      expect(await manager.call('PATCH', `${library.assets}/${id}`, change)).toMatchObject({ status: 200 });
      expect(await manager.call('PATCH', `${library.assets}/${id}`, change)).toMatchObject({ status: 412 });
    });

    test.each([
      [[''], 'tags[0]'],
      [['ok', ' blank '], 'tags[1]'],
      [['x'.repeat(65)], 'tags[0]'],
      [['two\nlines'], 'tags[0]'],
      [['\u0301'], 'tags[0]'],
      [['gpj.\u202egnp'], 'tags[0]'],
      [['a\u2066b'], 'tags[0]'],
      [Array.from({ length: 51 }, (_, index) => `t${index}`), 'tags'],
      ['sea', 'tags'],
    ])('are rejected if they are %.40j', async (tags, path) => {
      const id = await library.create('a.png');
      const answer = await manager.call('PATCH', `${library.assets}/${id}`, { body: { tags } });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    });
  });

  describe('a batch', () => {
    const send = (body: object) => manager.call('POST', `${library.assets}/batch`, { body, token: manager.editor });

    test('moves and tags many assets, and counts those that changed', async () => {
      const ids = [
        await library.create('a.png', { tags: ['old', 'Kept'] }),
        await library.create('b.png', { folder: 'press', tags: ['new'] }),
      ];
      const other = await library.create('c.png', { tags: ['old'] });
      const change = { ids: [...ids, ids[0]], folder: 'press', add_tags: ['New'], remove_tags: ['OLD'] };
      expect(await send(change)).toMatchObject({ status: 200, body: { changed: 1 } });
      const seen = (await library.walk({ limit: '100' })).map(({ name, folder, tags }) => [name, folder, tags]);
      expect(seen).toEqual([
        ['a.png', 'press', ['Kept', 'New']],
        ['b.png', 'press', ['new']],
        ['c.png', '', ['old']],
      ]);
      expect(await send({ ids: [other], remove_tags: ['none'] })).toMatchObject({ body: { changed: 0 } });
    });

    test('deletes all assets, or none if content uses one of them', async () => {
      const name = 's_batch';
      await importMagazine(manager, name);
      const path = `/sites/${name}/assets`;
      const both = { body: { ids: ['a_free', PHOTO.id], delete: true }, token: manager.editor };
      const refused = await manager.call('POST', `${path}/batch`, both);
      expect([refused.status, refused.body]).toEqual([
        409,
        {
          message: 'No assets were deleted: 1 of the assets is in use.',
          code: 'in_use',
          details: {
            total: 1,
            assets: [{ id: PHOTO.id, name: 'Photo', total: 1, contents: [{ id: 'c_one', name: 'One' }] }],
          },
        },
      ]);
      expect(await manager.call('GET', `${path}/a_free`)).toMatchObject({ status: 200 });
      const one = { body: { ids: ['a_free'], delete: true }, token: manager.editor };
      expect(await manager.call('POST', `${path}/batch`, one)).toMatchObject({ status: 200, body: { changed: 1 } });
      expect(await manager.call('GET', `${path}/a_free`)).toMatchObject({ status: 404 });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('changes nothing if one of the assets does not exist or would have too many tags', async () => {
      const many = Array.from({ length: 50 }, (_, index) => `t${index}`);
      const ids = [await library.create('a.png'), await library.create('b.png', { tags: many })];
      const before = await library.walk({});
      expect(await send({ ids: [...ids, 'a_none'], folder: 'x' })).toMatchObject({ status: 404 });
      expect(await send({ ids, add_tags: ['one more'] })).toMatchObject({
        status: 409,
        body: { code: 'limit_reached', details: { reason: 'too_many_tags', name: 'b.png', total: 51, limit: 50 } },
      });
      expect(await library.walk({})).toEqual(before);
    });

    test.each([
      [{ ids: [], folder: 'x' }, 'ids'],
      [{ folder: 'x' }, 'ids'],
      [{ ids: Array.from({ length: 101 }, (_, index) => `a_${index}`), folder: 'x' }, 'ids'],
      [{ ids: ['a'] }, ''],
      [{ ids: ['a'], delete: false }, 'delete'],
      [{ ids: ['a'], delete: true, folder: 'x' }, 'delete'],
      [{ ids: ['a'], folder: '/' }, 'folder'],
      [{ ids: ['a'], add_tags: [''] }, 'add_tags[0]'],
    ])('is rejected: %.60j', async (body, path) => {
      expect(await send(body)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    });
  });

  test("the list of an asset's uses names the content, and shows whether readers can see the asset in it", async () => {
    const name = 's_uses';
    await importMagazine(manager, name);
    const read = (asset: string, rest = '') =>
      manager.expectOk<AssetUseListBody>(
        'GET',
        `/sites/${name}/assets/${asset}/uses${rest}`,
        undefined,
        manager.editor,
      );
    const one = { id: 'c_one', name: 'One', content_type: 'post', language: 'en' };
    const two = { id: 'c_two', name: 'Two', content_type: 'post', language: 'en' };
    expect(await read('a_free')).toEqual({ data: [], total: 0 });
    expect(await read(PHOTO.id)).toEqual({ data: [{ ...one, state: 'published', is_public: true }], total: 1 });
    const content = `/sites/${name}/content`;
    const save = async (id: string, photos: readonly string[]) => {
      const { version } = await manager.expectOk<{ version: number }>('GET', `${content}/${id}`);
      await manager.expectOk('PUT', `${content}/${id}`, { version, fields: { photos: { assets: photos } } });
    };
    await save('c_two', [PHOTO.id]);
    await save('c_one', [PHOTO.id, 'a_free']);
    const both = [
      { ...two, state: 'draft', is_public: false },
      { ...one, state: 'changed', is_public: true },
    ];
    expect(await read(PHOTO.id)).toEqual({ data: both, total: 2 });
    expect(await read(PHOTO.id, '?limit=1')).toEqual({ data: both.slice(0, 1), total: 2 });
    expect(await read('a_free')).toEqual({ data: [{ ...one, state: 'changed', is_public: false }], total: 1 });
    expect(await manager.call('GET', `/sites/${name}/assets/a_none/uses`)).toMatchObject({ status: 404 });
  });
});
