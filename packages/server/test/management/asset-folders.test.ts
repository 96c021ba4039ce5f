import type { AssetFolderListBody } from '@galley/wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineStatement } from '../../src/storage/statement.ts';
import { ENGINES } from '../support/test-database.ts';
import { AssetLibrary } from './asset-library.ts';
import { type Manager, startManager } from './manager.ts';

let manager: Manager;
/** Each test creates a new library. */
let library: AssetLibrary;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
  });

  afterAll(() => manager.close());

  beforeEach(async () => {
    library = await AssetLibrary.create(manager);
  });

  describe('folders', () => {
    const listFolders = async () =>
      (await manager.expectOk<AssetFolderListBody>('GET', `${library.site}/asset-folders`)).data;
    const call = (method: string, body: object) =>
      manager.call(method, `${library.site}/asset-folders`, { body, token: manager.editor });
    const remove = (path: string) =>
      manager.call('DELETE', `${library.site}/asset-folders?path=${encodeURIComponent(path)}`, {
        token: manager.editor,
      });

    test('exist if somebody created them, or if they contain assets or folders', async () => {
      expect(await call('POST', { path: 'Press/2026' })).toMatchObject({
        status: 201,
        body: { path: 'Press/2026', count: 0 },
      });
      await library.create('a.png', { folder: 'art/old/oil' });
      await library.create('b.png', { folder: 'Press' });
      await library.create('c.png');
      await library.create('d.png', { folder: 'Press-kit' });
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
      await library.create('a.png', { folder: 'press' });
      await library.create('b.png', { folder: 'press/2026/May' });
      await library.create('c.png', { folder: 'press-kit' });
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
      expect(await library.list({ folder: 'Médias/Presse' })).toEqual(['a.png']);
      expect(await library.list({ search: 'medias/presse/2026' })).toEqual(['b.png']);
      expect(await library.list({ search: 'press/' })).toEqual([]);
    });

    test('are the same if their paths differ only in Unicode normalization', async () => {
      const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
      const body = { path: composed, count: 0 };
      expect(await call('POST', { path: decomposed })).toMatchObject({ status: 201, body });
      expect(await call('POST', { path: composed })).toMatchObject({ status: 409 });
      await library.create('a.png', { folder: `${decomposed}/menu` });
      expect(await library.list({ folder: `${composed}/menu` })).toEqual(['a.png']);
      expect(await library.list({ folder: `${decomposed}/menu` })).toEqual(['a.png']);
      expect(await listFolders()).toEqual([
        { path: composed, count: 0 },
        { path: `${composed}/menu`, count: 1 },
      ]);
      expect(await call('PATCH', { path: decomposed, new_path: `${decomposed}s` })).toMatchObject({ status: 204 });
      expect((await listFolders()).map(({ path }) => path)).toEqual([`${composed}s`, `${composed}s/menu`]);
      expect(await remove(`${decomposed}s`)).toMatchObject({ status: 409 });
    });

    test('can be listed, added to, renamed and deleted in any Unicode form, even if they were created before paths were normalized', async () => {
      const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
      const [press, pressDecomposed] = ['pr\u00e9s', 'pre\u0301s'];
      const id = await library.create('a.png', { folder: 'old' });
      await call('POST', { path: 'kept' });
      await call('POST', { path: 'empty' });
      const stored = `${decomposed}/${pressDecomposed}`;
      await library.runSql(defineStatement(() => sql`update assets set folder = ${stored} where id = ${id}`));
      for (const [from, to] of [
        ['kept', decomposed],
        ['empty', `${decomposed}/e\u0301`],
      ] as const) {
        await library.runSql(defineStatement(() => sql`update asset_folders set path = ${to} where path = ${from}`));
      }
      const listPaths = async () => (await listFolders()).map(({ path }) => path);
      expect(await listPaths()).toEqual([decomposed, `${decomposed}/e\u0301`, stored]);
      expect(await remove(`${composed}/\u00e9`)).toMatchObject({ status: 204 });
      const b = await library.create('b.png', { folder: `${composed}/${press}` });
      const c = await library.create('c.png');
      await manager.expectOk('POST', `${library.assets}/batch`, { ids: [c], folder: `${composed}/${press}` });
      await manager.expectOk('PATCH', `${library.assets}/${b}`, { name: 'B.png', folder: `${composed}/${press}` });
      for (const folder of [stored, `${composed}/${press}`, `${decomposed}/${press}`]) {
        expect(await library.list({ folder })).toEqual(['a.png', 'B.png', 'c.png']);
      }
      const body = { path: `${decomposed}/\u00fcber`, count: 0 };
      expect(await call('POST', { path: `${composed}/\u00fcber` })).toMatchObject({ status: 201, body });
      expect(await call('POST', { path: `${composed}/${press}` })).toMatchObject({ status: 409 });
      expect(await call('PATCH', { path: 'none\u0301', new_path: 'some' })).toMatchObject({ status: 404 });
      expect(await call('PATCH', { path: stored, new_path: `${composed}/men\u00fa` })).toMatchObject({ status: 204 });
      expect(await listPaths()).toEqual([decomposed, `${decomposed}/men\u00fa`, `${decomposed}/\u00fcber`]);
      expect(await call('PATCH', { path: decomposed, new_path: `${decomposed}/x` })).toMatchObject({ status: 422 });
      // The same name with composed accents.
      expect(await call('PATCH', { path: decomposed, new_path: decomposed })).toMatchObject({ status: 204 });
      expect(await listPaths()).toEqual([composed, `${composed}/men\u00fa`, `${composed}/\u00fcber`]);
      expect(await library.list({ folder: `${decomposed}/men\u00fa` })).toEqual(['a.png', 'B.png', 'c.png']);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('cannot be renamed to the path of another folder, to a path inside themselves, or to one that is too long', async () => {
      await call('POST', { path: 'a/b/c' });
      await library.create('x.png', { folder: 'taken/inside' });
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
      const id = await library.create('x.png', { folder: 'full' });
      expect(await remove('a')).toMatchObject({ status: 409, body: { code: 'in_use' } });
      expect(await remove('full')).toMatchObject({ status: 409, body: { code: 'in_use' } });
      expect(await remove('none')).toMatchObject({ status: 404 });
      expect(await remove('a/b')).toMatchObject({ status: 204 });
      expect(await remove('a')).toMatchObject({ status: 204 });
      await manager.expectOk('PATCH', `${library.assets}/${id}`, { folder: '' });
      expect(await listFolders()).toEqual([]);
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
        expect(await manager.call('POST', library.assets, { body: asset })).toMatchObject({ status: 422 });
      }
    });
  });
});
