// The asset library: sorting, searching, folders, tags, and changes to many assets at once.

import type {
  AssetFolderListBody,
  AssetTagListBody,
  AssetUseListBody,
  ManagedAssetBody,
  ManagementPageBody,
} from '@galley/wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine, PHOTO } from './small-magazine.ts';

type Page = ManagementPageBody<ManagedAssetBody>;

let manager: Manager;
let time = Date.parse('2026-03-01T00:00:00Z');
let sites = 0;
/** A fresh site for each test. */
let site: string;
let assets: string;

beforeAll(async () => {
  manager = await startManager({}, { now: () => (time += 1000) });
});

afterAll(() => manager.close());

beforeEach(async () => {
  sites += 1;
  site = `/sites/s_library_${sites}`;
  assets = `${site}/assets`;
  await manager.expectOk('POST', '/sites', { id: `s_library_${sites}`, name: 'Library' });
});

async function create(name: string, members: object = {}): Promise<string> {
  const url = `https://files.example/${encodeURIComponent(name)}`;
  return (await manager.expectOk<ManagedAssetBody>('POST', assets, { name, url, ...members }, manager.editor)).id;
}

async function list(parameters: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const search = new URLSearchParams({ limit: '100', ...parameters });
  const { data } = await manager.expectOk<Page>('GET', `${assets}?${search}`, undefined, manager.editor);
  return data.map(({ name }) => name);
}

/** All pages of a list. */
async function walk(parameters: Readonly<Record<string, string>>): Promise<readonly ManagedAssetBody[]> {
  const found: ManagedAssetBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = new URLSearchParams({ ...parameters, ...(cursor === '' ? {} : { cursor }) });
    const page: Page = await manager.expectOk('GET', `${assets}?${search}`);
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
}

async function runSql(statement: ReturnType<typeof defineStatement>): Promise<void> {
  await manager.service.storage.transaction((transaction) => transaction.run(query(statement)));
}

const SORTS = ['name', '-name', 'created_at', '-created_at', 'size', '-size'] as const;

describe('the list', () => {
  test('visits every asset once in each order, even if names and sizes repeat', async () => {
    const names = ['b.png', 'A.png', 'É.png', 'a.png', 'c.png', 'b.png', 'e.png'];
    const created: string[] = [];
    for (const [index, name] of names.entries()) created.push(await create(name, { size: index % 3 }));
    const byName = [1, 3, 0, 5, 4, 2, 6];
    const bySize = [0, 3, 6, 1, 4, 2, 5];
    const ascending = { name: byName, created_at: names.map((_, index) => index), size: bySize };
    for (const sort of SORTS) {
      const isDescending = sort.startsWith('-');
      const order = ascending[sort.replace('-', '') as keyof typeof ascending].map((index) => created[index]);
      for (const limit of ['1', '2', '7', '100']) {
        const found = (await walk({ sort, limit })).map(({ id }) => id);
        expect([sort, limit, found]).toEqual([sort, limit, isDescending ? order.toReversed() : order]);
      }
    }
    expect(await list()).toEqual(byName.map((index) => names[index]));
  });

  test('rejects a cursor from another order', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    for (const sort of SORTS) {
      const { next_cursor } = await manager.expectOk<Page>('GET', `${assets}?limit=1&sort=${sort}`);
      for (const other of SORTS.filter((each) => each !== sort)) {
        const answer = await manager.call('GET', `${assets}?limit=1&sort=${other}&cursor=${next_cursor}`);
        expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.cursor' }] } });
      }
    }
    const forged = Buffer.from(JSON.stringify(['size many', 1])).toString('base64url');
    const answer = await manager.call('GET', `${assets}?sort=size&cursor=${forged}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.cursor' }] } });
  });

  test('searches names, descriptions, media types and folders, ignoring case and accents', async () => {
    await create('Harbour.png', { description: `${'x'.repeat(3000)} Fischer am Kai`, folder: 'Küste' });
    await create('Crème.jpg', { folder: 'recipes/2026' });
    await create('plan.pdf');
    expect(await list({ search: 'HARB' })).toEqual(['Harbour.png']);
    expect(await list({ search: 'fischer am' })).toEqual(['Harbour.png']);
    expect(await list({ search: 'kuste' })).toEqual(['Harbour.png']);
    expect(await list({ search: 'creme' })).toEqual(['Crème.jpg']);
    expect(await list({ search: 'recipes/2' })).toEqual(['Crème.jpg']);
    expect(await list({ search: 'application/' })).toEqual(['plan.pdf']);
    expect(await list({ search: 'image', sort: '-name' })).toEqual(['Harbour.png', 'Crème.jpg']);
    expect(await list({ search: 'image', kind: 'image/png' })).toEqual(['Harbour.png']);
    expect(await list({ search: '%' })).toEqual([]);
  });

  test('can still be searched by name for assets that were saved before descriptions were searchable', async () => {
    const id = await create('Before.png', { description: 'early' });
    await create('After.png', { description: 'late' });
    await runSql(defineStatement(() => sql`update assets set search_key = null where id = ${id}`));
    expect(await list({ search: 'before' })).toEqual(['Before.png']);
    expect(await list({ search: 'late' })).toEqual(['After.png']);
    await manager.expectOk('PATCH', `${assets}/${id}`, { description: 'early bird' });
    expect(await list({ search: 'bird' })).toEqual(['Before.png']);
  });

  test('can be filtered by folder, without its subfolders, and by tag, ignoring case and accents', async () => {
    await create('root.png', { tags: ['Sea'] });
    await create('press.png', { folder: 'press', tags: ['Été', 'Sea'] });
    await create('deep.png', { folder: 'press/2026', tags: ['sea'] });
    await create('other.jpg', { folder: 'Press', tags: ['land'] });
    expect(await list({ folder: '' })).toEqual(['root.png']);
    expect(await list({ folder: 'press' })).toEqual(['press.png']);
    expect(await list({ folder: 'press/2026' })).toEqual(['deep.png']);
    expect(await list({ folder: 'none' })).toEqual([]);
    expect(await list({ tag: 'SEA' })).toEqual(['deep.png', 'press.png', 'root.png']);
    expect(await list({ tag: 'ete' })).toEqual(['press.png']);
    expect(await list({ tag: 'sea', folder: 'press' })).toEqual(['press.png']);
    expect(await list({ tag: 'sea', search: '2026', sort: '-size' })).toEqual(['deep.png']);
    expect((await walk({ tag: 'sea', sort: '-created_at', limit: '1' })).map(({ name, tags }) => [name, tags])).toEqual(
      [
        ['deep.png', ['sea']],
        ['press.png', ['Été', 'Sea']],
        ['root.png', ['Sea']],
      ],
    );
  });

  test('can be filtered by a rare or a frequent tag in every order', async () => {
    const id = site.replace('/sites/', '');
    const records = Array.from({ length: 1500 }, (_, index) => ({
      kind: 'asset',
      id: `a_${index}`,
      site: id,
      name: `File ${(index * 7) % 1500}`,
      url: `/${index}.png`,
      size: index % 10,
    }));
    await manager.service.importRecords(records);
    for (const [key, step] of [
      ['frequent', 1],
      ['rare', 50],
    ] as const) {
      await runSql(
        defineStatement(
          () => sql`insert into asset_tags (site_no, asset_no, tag_key, tag) select a.site_no, a.no, ${sql.lit(key)}, ${sql.lit(key)}
            from assets as a join sites as s on s.no = a.site_no where s.id = ${id} and a.no % ${sql.lit(step)} = 0`,
        ),
      );
    }
    for (const sort of SORTS) {
      const all = await walk({ sort, limit: '100' });
      for (const [tag, total] of [
        ['frequent', 1500],
        ['rare', 30],
      ] as const) {
        const found = await walk({ sort, tag, limit: '100' });
        expect([sort, tag, found.length]).toEqual([sort, tag, total]);
        expect(found).toEqual(all.filter(({ tags }) => tags.includes(tag)));
      }
    }
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
    const answer = await manager.call('GET', `${assets}?${text}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: `query.${name}` }] } });
  });
});

describe('tags', () => {
  test('are sorted, and those that differ only in case or accents are one tag', async () => {
    const id = await create('a.png', { tags: ['Zoo', 'été', 'Ete', 'apple'] });
    const read = () => manager.expectOk<ManagedAssetBody>('GET', `${assets}/${id}`);
    expect((await read()).tags).toEqual(['apple', 'été', 'Zoo']);
    await manager.expectOk('PATCH', `${assets}/${id}`, { tags: ['zoo', 'new'] }, manager.editor);
    expect((await read()).tags).toEqual(['new', 'zoo']);
    await manager.expectOk('PATCH', `${assets}/${id}`, { name: 'b.png' });
    expect(await read()).toMatchObject({ name: 'b.png', tags: ['new', 'zoo'] });
    await manager.expectOk('PATCH', `${assets}/${id}`, { tags: [] });
    expect((await read()).tags).toEqual([]);
  });

  test('are stored in Unicode NFC, however they were typed', async () => {
    const id = await create('a.png', { tags: ['e\u0301te\u0301'] });
    const { tags } = await manager.expectOk<ManagedAssetBody>('GET', `${assets}/${id}`);
    expect(tags).toEqual(['\u00e9t\u00e9']);
  });

  test('change the ETag of their asset', async () => {
    const id = await create('a.png', { tags: ['one'] });
    const { headers } = await manager.call('GET', `${assets}/${id}`);
    const change = { headers: { 'if-match': headers.get('etag') ?? '' }, body: { tags: ['two'] } };
    expect(await manager.call('PATCH', `${assets}/${id}`, change)).toMatchObject({ status: 200 });
    expect(await manager.call('PATCH', `${assets}/${id}`, change)).toMatchObject({ status: 412 });
  });

  test('are counted for the whole site', async () => {
    await create('a.png', { tags: ['Sea', 'Boat'] });
    const id = await create('b.png', { tags: ['sea'] });
    const read = async () => (await manager.expectOk<AssetTagListBody>('GET', `${site}/asset-tags`)).data;
    expect(await read()).toEqual([
      { tag: 'Boat', count: 1 },
      { tag: 'Sea', count: 2 },
    ]);
    await manager.expectOk('DELETE', `${assets}/${id}`);
    expect(await read()).toEqual([
      { tag: 'Boat', count: 1 },
      { tag: 'Sea', count: 1 },
    ]);
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
    const id = await create('a.png');
    const answer = await manager.call('PATCH', `${assets}/${id}`, { body: { tags } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  });
});

describe('folders', () => {
  const listFolders = async () => (await manager.expectOk<AssetFolderListBody>('GET', `${site}/asset-folders`)).data;
  const call = (method: string, body: object) =>
    manager.call(method, `${site}/asset-folders`, { body, token: manager.editor });
  const remove = (path: string) =>
    manager.call('DELETE', `${site}/asset-folders?path=${encodeURIComponent(path)}`, { token: manager.editor });

  test('exist if somebody created them, or if they contain assets or folders', async () => {
    expect(await call('POST', { path: 'Press/2026' })).toMatchObject({
      status: 201,
      body: { path: 'Press/2026', count: 0 },
    });
    await create('a.png', { folder: 'art/old/oil' });
    await create('b.png', { folder: 'Press' });
    await create('c.png');
    await create('d.png', { folder: 'Press-kit' });
    expect(await listFolders()).toEqual([
      { path: 'art', count: 0 },
      { path: 'art/old', count: 0 },
      { path: 'art/old/oil', count: 1 },
      { path: 'Press', count: 1 },
      { path: 'Press/2026', count: 0 },
      { path: 'Press-kit', count: 1 },
    ]);
    for (const path of ['Press', 'Press/2026', 'art', 'art/old/oil']) {
      expect(await call('POST', { path })).toMatchObject({ status: 409, body: { code: 'taken' } });
    }
  });

  test('are renamed with everything in them', async () => {
    await call('POST', { path: 'press/empty' });
    await create('a.png', { folder: 'press' });
    await create('b.png', { folder: 'press/2026/May' });
    await create('c.png', { folder: 'press-kit' });
    const renamed = await call('PATCH', { path: 'press', new_path: 'Médias/Presse' });
    expect(renamed.status).toBe(204);
    expect(await listFolders()).toEqual([
      { path: 'Médias', count: 0 },
      { path: 'Médias/Presse', count: 1 },
      { path: 'Médias/Presse/2026', count: 0 },
      { path: 'Médias/Presse/2026/May', count: 1 },
      { path: 'Médias/Presse/empty', count: 0 },
      { path: 'press-kit', count: 1 },
    ]);
    expect(await list({ folder: 'Médias/Presse' })).toEqual(['a.png']);
    expect(await list({ search: 'medias/presse/2026' })).toEqual(['b.png']);
    expect(await list({ search: 'press/' })).toEqual([]);
  });

  test('are not renamed onto other folders, into themselves, or to paths that are too long', async () => {
    await call('POST', { path: 'a/b/c' });
    await create('x.png', { folder: 'taken/inside' });
    const before = await listFolders();
    for (const new_path of ['taken', 'taken/inside', 'a/b']) {
      expect(await call('PATCH', { path: 'a', new_path })).toMatchObject(
        new_path === 'a/b' ? { status: 422, body: { errors: [{ path: 'new_path' }] } } : { status: 409 },
      );
    }
    for (const new_path of ['1/2/3/4/5/6/7', 'x'.repeat(252)]) {
      expect(await call('PATCH', { path: 'a', new_path })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'new_path' }] },
      });
    }
    expect(await call('PATCH', { path: 'none', new_path: 'some' })).toMatchObject({ status: 404 });
    expect(await listFolders()).toEqual(before);
  });

  test('can be deleted only if they are empty', async () => {
    await call('POST', { path: 'a/b' });
    const id = await create('x.png', { folder: 'full' });
    expect(await remove('a')).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect(await remove('full')).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect(await remove('none')).toMatchObject({ status: 404 });
    expect(await remove('a/b')).toMatchObject({ status: 204 });
    expect(await remove('a')).toMatchObject({ status: 204 });
    await manager.expectOk('PATCH', `${assets}/${id}`, { folder: '' });
    expect(await listFolders()).toEqual([]);
  });

  test('are the same if their paths differ only in Unicode normalization', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    const body = { path: composed, count: 0 };
    expect(await call('POST', { path: decomposed })).toMatchObject({ status: 201, body });
    expect(await call('POST', { path: composed })).toMatchObject({ status: 409 });
    await create('a.png', { folder: `${decomposed}/menu` });
    expect(await list({ folder: `${composed}/menu` })).toEqual(['a.png']);
    expect(await list({ folder: `${decomposed}/menu` })).toEqual(['a.png']);
    expect(await listFolders()).toEqual([
      { path: composed, count: 0 },
      { path: `${composed}/menu`, count: 1 },
    ]);
    expect(await call('PATCH', { path: decomposed, new_path: `${decomposed}s` })).toMatchObject({ status: 204 });
    expect((await listFolders()).map(({ path }) => path)).toEqual([`${composed}s`, `${composed}s/menu`]);
    expect(await remove(`${decomposed}s`)).toMatchObject({ status: 409 });
  });

  test('from before accents were composed can be listed, filled, renamed and deleted in either form', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    const [press, pressDecomposed] = ['pr\u00e9s', 'pre\u0301s'];
    const id = await create('a.png', { folder: 'old' });
    await call('POST', { path: 'kept' });
    await call('POST', { path: 'empty' });
    const stored = `${decomposed}/${pressDecomposed}`;
    await runSql(defineStatement(() => sql`update assets set folder = ${stored} where id = ${id}`));
    for (const [from, to] of [
      ['kept', decomposed],
      ['empty', `${decomposed}/e\u0301`],
    ] as const) {
      await runSql(defineStatement(() => sql`update asset_folders set path = ${to} where path = ${from}`));
    }
    const listPaths = async () => (await listFolders()).map(({ path }) => path);
    expect(await listPaths()).toEqual([decomposed, `${decomposed}/e\u0301`, stored]);
    expect(await remove(`${composed}/\u00e9`)).toMatchObject({ status: 204 });
    const b = await create('b.png', { folder: `${composed}/${press}` });
    const c = await create('c.png');
    await manager.expectOk('POST', `${assets}/batch`, { ids: [c], folder: `${composed}/${press}` });
    await manager.expectOk('PATCH', `${assets}/${b}`, { name: 'B.png', folder: `${composed}/${press}` });
    for (const folder of [stored, `${composed}/${press}`, `${decomposed}/${press}`]) {
      expect(await list({ folder })).toEqual(['a.png', 'B.png', 'c.png']);
    }
    const body = { path: `${decomposed}/\u00fcber`, count: 0 };
    expect(await call('POST', { path: `${composed}/\u00fcber` })).toMatchObject({ status: 201, body });
    expect(await call('POST', { path: `${composed}/${press}` })).toMatchObject({ status: 409 });
    expect(await call('PATCH', { path: 'none\u0301', new_path: 'some' })).toMatchObject({ status: 404 });
    expect(await call('PATCH', { path: stored, new_path: `${composed}/men\u00fa` })).toMatchObject({ status: 204 });
    expect(await listPaths()).toEqual([decomposed, `${decomposed}/men\u00fa`, `${decomposed}/\u00fcber`]);
    expect(await call('PATCH', { path: decomposed, new_path: `${decomposed}/x` })).toMatchObject({ status: 422 });
    // The same name, composed.
    expect(await call('PATCH', { path: decomposed, new_path: decomposed })).toMatchObject({ status: 204 });
    expect(await listPaths()).toEqual([composed, `${composed}/men\u00fa`, `${composed}/\u00fcber`]);
    expect(await list({ folder: `${decomposed}/men\u00fa` })).toEqual(['a.png', 'B.png', 'c.png']);
  });

  test.each([
    ...['', '/a', 'a/', 'a//b', '..', 'a/../b', ' a', 'a*', 'x'.repeat(256), '1/2/3/4/5/6/7/8/9'],
    ...['two\nlines', 'bell\u0007', 'c1\u0085x', 'gpj.\u202egnp', 'a\u2066b'],
  ])('cannot be called %j', async (path) => {
    expect(await call('POST', { path })).toMatchObject({ status: 422, body: { errors: [{ path: 'path' }] } });
    expect(await call('PATCH', { path: 'a', new_path: path })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'new_path' }] },
    });
    expect(await remove(path)).toMatchObject({ status: 422, body: { errors: [{ path: 'query.path' }] } });
    if (path !== '') {
      const asset = { name: 'x', url: 'https://files.example/x.png', folder: path };
      expect(await manager.call('POST', assets, { body: asset })).toMatchObject({ status: 422 });
    }
  });
});

describe('a batch', () => {
  const send = (body: object) => manager.call('POST', `${assets}/batch`, { body, token: manager.editor });

  test('moves and tags many assets, and counts those that changed', async () => {
    const ids = [
      await create('a.png', { tags: ['old', 'Kept'] }),
      await create('b.png', { folder: 'press', tags: ['new'] }),
    ];
    const other = await create('c.png', { tags: ['old'] });
    const change = { ids: [...ids, ids[0]], folder: 'press', add_tags: ['New'], remove_tags: ['OLD'] };
    expect(await send(change)).toMatchObject({ status: 200, body: { changed: 1 } });
    const seen = (await walk({ limit: '100' })).map(({ name, folder, tags }) => [name, folder, tags]);
    expect(seen).toEqual([
      ['a.png', 'press', ['Kept', 'New']],
      ['b.png', 'press', ['new']],
      ['c.png', '', ['old']],
    ]);
    expect(await send({ ids: [other], remove_tags: ['none'] })).toMatchObject({ body: { changed: 0 } });
  });

  test('changes nothing if one of the assets does not exist or would have too many tags', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const ids = [await create('a.png'), await create('b.png', { tags: many })];
    const before = await walk({});
    expect(await send({ ids: [...ids, 'a_none'], folder: 'x' })).toMatchObject({ status: 404 });
    expect(await send({ ids, add_tags: ['one more'] })).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
    expect(await walk({})).toEqual(before);
  });

  test('deletes all assets, or none if content uses one of them', async () => {
    const name = `s_batch_${sites}`;
    await importMagazine(manager, name);
    const path = `/sites/${name}/assets`;
    const both = { body: { ids: ['a_free', PHOTO.id], delete: true }, token: manager.editor };
    const refused = await manager.call('POST', `${path}/batch`, both);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message: 'No asset was deleted: 1 of the assets is in use.',
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

test("the list of an asset's uses names the content, and says whether readers see the asset there", async () => {
  const name = `s_uses_${sites}`;
  await importMagazine(manager, name);
  const read = (asset: string, rest = '') =>
    manager.expectOk<AssetUseListBody>('GET', `/sites/${name}/assets/${asset}/uses${rest}`, undefined, manager.editor);
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
