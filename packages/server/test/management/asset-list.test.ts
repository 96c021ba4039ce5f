// The list of assets: its sort orders, pages, search and filters.

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineStatement } from '../../src/storage/statement.ts';
import { ENGINES } from '../support/test-database.ts';
import { AssetLibrary, type AssetPage } from './asset-library.ts';
import { type Manager, startManager } from './manager.ts';

let manager: Manager;
let time = Date.parse('2026-03-01T00:00:00Z');
/** A new library for each test. */
let library: AssetLibrary;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine, now: () => (time += 1000) });
  });

  afterAll(() => manager.close());

  beforeEach(async () => {
    library = await AssetLibrary.create(manager);
  });

  const SORTS = ['name', '-name', 'created_at', '-created_at', 'size', '-size'] as const;

  describe('the list', () => {
    test('visits every asset once in each sort order, even if names and sizes repeat', async () => {
      const names = ['b.png', 'A.png', 'É.png', 'a.png', 'c.png', 'b.png', 'e.png'];
      const created: string[] = [];
      for (const [index, name] of names.entries()) created.push(await library.create(name, { size: index % 3 }));
      const byName = [1, 3, 0, 5, 4, 2, 6];
      const bySize = [0, 3, 6, 1, 4, 2, 5];
      const ascending = { name: byName, created_at: names.map((_, index) => index), size: bySize };
      for (const sort of SORTS) {
        const isDescending = sort.startsWith('-');
        const order = ascending[sort.replace('-', '') as keyof typeof ascending].map((index) => created[index]);
        for (const limit of ['1', '2', '7', '100']) {
          const found = (await library.walk({ sort, limit })).map(({ id }) => id);
          expect([sort, limit, found]).toEqual([sort, limit, isDescending ? order.toReversed() : order]);
        }
      }
      expect(await library.list()).toEqual(byName.map((index) => names[index]));
    });

    test('searches names, descriptions, media types and folders, ignoring case and accents', async () => {
      await library.create('Harbour.png', { description: `${'x'.repeat(3000)} Fischer am Kai`, folder: 'Küste' });
      await library.create('Crème.jpg', { folder: 'recipes/2026' });
      await library.create('plan.pdf');
      expect(await library.list({ search: 'HARB' })).toEqual(['Harbour.png']);
      expect(await library.list({ search: 'fischer am' })).toEqual(['Harbour.png']);
      expect(await library.list({ search: 'kuste' })).toEqual(['Harbour.png']);
      expect(await library.list({ search: 'creme' })).toEqual(['Crème.jpg']);
      expect(await library.list({ search: 'recipes/2' })).toEqual(['Crème.jpg']);
      expect(await library.list({ search: 'application/' })).toEqual(['plan.pdf']);
      expect(await library.list({ search: 'image', sort: '-name' })).toEqual(['Harbour.png', 'Crème.jpg']);
      expect(await library.list({ search: 'image', kind: 'image/png' })).toEqual(['Harbour.png']);
      expect(await library.list({ search: '%' })).toEqual([]);
    });

    test('can still be searched for the names of assets that were saved before descriptions became searchable', async () => {
      const id = await library.create('Before.png', { description: 'early' });
      await library.create('After.png', { description: 'late' });
      await library.runSql(defineStatement(() => sql`update assets set search_key = null where id = ${id}`));
      expect(await library.list({ search: 'before' })).toEqual(['Before.png']);
      expect(await library.list({ search: 'late' })).toEqual(['After.png']);
      await manager.expectOk('PATCH', `${library.assets}/${id}`, { description: 'early bird' });
      expect(await library.list({ search: 'bird' })).toEqual(['Before.png']);
    });

    test('can be filtered by folder, excluding subfolders, and by tag, ignoring case and accents', async () => {
      await library.create('root.png', { tags: ['Sea'] });
      await library.create('press.png', { folder: 'press', tags: ['Été', 'Sea'] });
      await library.create('deep.png', { folder: 'press/2026', tags: ['sea'] });
      await library.create('other.jpg', { folder: 'Press', tags: ['land'] });
      expect(await library.list({ folder: '' })).toEqual(['root.png']);
      expect(await library.list({ folder: 'press' })).toEqual(['press.png']);
      expect(await library.list({ folder: 'press/2026' })).toEqual(['deep.png']);
      expect(await library.list({ folder: 'none' })).toEqual([]);
      expect(await library.list({ tag: 'SEA' })).toEqual(['deep.png', 'press.png', 'root.png']);
      expect(await library.list({ tag: 'ete' })).toEqual(['press.png']);
      expect(await library.list({ tag: 'sea', folder: 'press' })).toEqual(['press.png']);
      expect(await library.list({ tag: 'sea', search: '2026', sort: '-size' })).toEqual(['deep.png']);
      expect(
        (await library.walk({ tag: 'sea', sort: '-created_at', limit: '1' })).map(({ name, tags }) => [name, tags]),
      ).toEqual([
        ['deep.png', ['sea']],
        ['press.png', ['Été', 'Sea']],
        ['root.png', ['Sea']],
      ]);
    });

    test('can be filtered by a rare or a frequent tag in every sort order', async () => {
      const id = library.site.replace('/sites/', '');
      const records = Array.from({ length: 1100 }, (_, index) => {
        const name = `file ${String((index * 7) % 1100).padStart(4, '0')}`;
        return { kind: 'asset', id: `a_${index}`, site: id, name, url: `/${index}.png`, size: index % 10 };
      });
      await manager.service.importRecords(records);
      for (const [tag, least] of [
        ['frequent', 0],
        ['rare', 9],
      ] as const) {
        await library.runSql(
          defineStatement(
            () => sql`insert into asset_tags (site_no, asset_no, tag_key, tag) select a.site_no, a.no, ${sql.lit(tag)}, ${sql.lit(tag)}
            from assets as a join sites as s on s.no = a.site_no where s.id = ${id} and a.size >= ${sql.lit(least)}`,
          ),
        );
      }
      const rare = records.filter(({ size }) => size === 9);
      const orders = {
        name: (some: typeof records) => some.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
        created_at: (some: typeof records) => some,
        size: (some: typeof records) => some.toSorted((one, other) => one.size - other.size),
      };
      for (const sort of SORTS) {
        const order = orders[sort.replace('-', '') as keyof typeof orders];
        for (const [tag, some] of Object.entries({ frequent: records, rare })) {
          const sorted = order(some).map((record) => record.id);
          const expected = sort.startsWith('-') ? sorted.toReversed() : sorted;
          const found = (await library.walk({ sort, tag, limit: '100' }, 3)).map((asset) => asset.id);
          expect([sort, tag, found]).toEqual([sort, tag, expected.slice(0, 300)]);
        }
      }
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('rejects a cursor from a different sort order', async () => {
      for (const name of ['a', 'b', 'c']) await library.create(name);
      for (const sort of SORTS) {
        const { next_cursor } = await manager.expectOk<AssetPage>('GET', `${library.assets}?limit=1&sort=${sort}`);
        for (const other of SORTS.filter((each) => each !== sort)) {
          const answer = await manager.call('GET', `${library.assets}?limit=1&sort=${other}&cursor=${next_cursor}`);
          expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.cursor' }] } });
        }
      }
      const forged = Buffer.from(JSON.stringify(['size many', 1])).toString('base64url');
      const answer = await manager.call('GET', `${library.assets}?sort=size&cursor=${forged}`);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.cursor' }] } });
    });

    test.each([
      'sort=-sizes',
      'sort=url',
      'folder=/press',
      'folder=a//b',
      `folder=${'x'.repeat(256)}`,
      'tag=',
      'tag=%20a',
      `tag=${'x'.repeat(65)}`,
    ])('rejects %s', async (text) => {
      const [name] = text.split('=');
      const answer = await manager.call('GET', `${library.assets}?${text}`);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: `query.${name}` }] } });
    });
  });
});
