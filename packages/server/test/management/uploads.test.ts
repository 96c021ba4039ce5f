// Uploading files through the management API: the assets that uploads create or change, and copies from the web.

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ManagedAssetBody, ManagementPageBody } from '@galley/wire';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { adoptCopy, type StoredUpload } from '../../src/authoring/asset-files.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';
import { buildForm, drawNew, FILE_HEAD, type Upload } from './upload-form.ts';

const SITE = 's_mag';
const PATH = `/sites/${SITE}/assets`;

describe.each(ENGINES)('on %s', (engine) => {
  describe('uploads', () => {
    let manager: Manager;

    beforeAll(async () => {
      manager = await startManager({ GALLEY_MAX_UPLOAD_MB: '1' }, { engine });
      await importMagazine(manager, SITE);
    });

    afterAll(() => manager.close());

    async function upload(...files: readonly Upload[]): Promise<ManagedAssetBody> {
      return manager.expectOk('POST', PATH, buildForm({}, ...files));
    }

    async function listTemporary(): Promise<readonly string[]> {
      return readdir(join(manager.service.assetsFolder, 'incoming'));
    }

    test('create an asset with all details of the file', async () => {
      const png = await drawNew();
      const fields = { description: 'A map', folder: 'press/2026', tags: ['b', 'A'] };
      const created = await manager.call('POST', PATH, {
        body: buildForm(fields, [png, 'Übersicht der Stadt.PNG']),
        token: manager.editor,
      });
      const asset = created.body as ManagedAssetBody;
      expect(created.status).toBe(201);
      expect(asset).toMatchObject({
        description: 'A map',
        folder: 'press/2026',
        tags: ['A', 'b'],
        extension: 'png',
        size: png.length,
        mime_type: 'image/png',
        is_image: true,
        width: 30,
        height: 20,
        focal_point: null,
        placeholder: expect.stringMatching(/^[\w+/]+=*$/),
        colour: expect.stringMatching(/^#[0-9a-f]{6}$/),
      });
      expect(asset.url).toBe(`${manager.service.url}/${asset.path}`);
      expect(asset.path).toMatch(new RegExp(`^assets/${SITE}/${asset.id}/[0-9a-f]{16}/`));
      expect(await manager.expectOk('GET', `${PATH}/${asset.id}`)).toEqual(asset);
      await expect.poll(listTemporary).toEqual([]);
    });

    test('are refused if they are duplicates and the call does not allow duplicates', async () => {
      const png = await drawNew();
      const first = await upload([png, 'first.png']);
      const answer = await manager.call('POST', `${PATH}?duplicates=refuse`, {
        body: buildForm({}, [png, 'second.png']),
      });
      expect([answer.status, answer.body]).toEqual([
        409,
        {
          message: 'The site already has this file: “first.png”.',
          code: 'duplicate',
          details: { assets: [{ file: 'second.png', asset: first.id, name: 'first.png' }] },
        },
      ]);
      const kept = await upload([png, 'second.png']);
      expect(kept.id).not.toBe(first.id);
    });

    test('replace a file, and the earlier one can be restored', async () => {
      const first = await upload([await drawNew(), 'first.png']);
      const path = `${PATH}/${first.id}`;
      const before = await manager.call('GET', path);
      const replaced = await manager.expectOk<ManagedAssetBody>(
        'PUT',
        `${path}/file`,
        buildForm({}, [await drawNew(10, 10), 'b.png']),
      );
      expect(replaced).toMatchObject({ id: first.id, name: 'first.png', file_name: 'b.png', width: 10, height: 10 });
      expect(replaced.url).not.toBe(first.url);
      const stale = { 'if-match': before.headers.get('etag') ?? '' };
      const late = await manager.call('PUT', `${path}/file`, {
        body: buildForm({}, [await drawNew(), 'c.png']),
        headers: stale,
      });
      expect(late.status).toBe(412);
      type Files = { readonly data: readonly { version: string; can_restore: boolean; file_name: string }[] };
      const { data: items } = await manager.expectOk<Files>('GET', `${path}/files`);
      expect(items.map(({ file_name, can_restore }) => [file_name, can_restore])).toEqual([
        ['b.png', false],
        ['first.png', true],
      ]);
      const version = items[1]?.version ?? '';
      expect(await manager.expectOk('POST', `${path}/restore`, { version })).toEqual(first);
      const never = await manager.call('POST', `${path}/restore`, { body: { version: '0123456789abcdef' } });
      expect(never.status).toBe(404);
    });

    test('are removed from the store with their asset, unless another asset has the same bytes', async () => {
      const png = await drawNew();
      const one = await upload([png, 'one.png']);
      const two = await upload([png, 'two.png']);
      const version = one.path.split('/')[3] ?? '';
      const listFiles = async (): Promise<readonly string[]> =>
        (await readdir(join(manager.service.assetsFolder, 'files', version.slice(0, 2)))).filter((name) =>
          name.startsWith(version),
        );
      await manager.expectOk('DELETE', `${PATH}/${one.id}`);
      // Once this second asset has been deleted, the removal for the first one must have finished.
      const other = await upload(['other', 'other.txt']);
      await manager.expectOk('DELETE', `${PATH}/${other.id}`);
      expect(await listFiles()).toHaveLength(1);
      await manager.expectOk('DELETE', `${PATH}/${two.id}`);
      await expect.poll(listFiles).toEqual([]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('provide smaller versions of pictures, even if the site allows only signed URLs', async () => {
      const measure = async (url: string | null) => {
        const response = await fetch(url ?? '');
        if (response.status !== 200) return response.status;
        const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        return { width, height, format };
      };
      const asset = await upload([await drawNew(1600, 400), 'naïve & wide (1).png']);
      const path = `${PATH}/${asset.id}`;
      await manager.expectOk('PATCH', `/sites/${SITE}/asset-settings`, { image_access: 'signed' });
      try {
        expect(await measure(`${asset.url}?w=320`)).toBe(403);
        expect(await measure(asset.thumbnail_url)).toEqual({ width: 320, height: 240, format: 'webp' });
        expect(await measure(asset.preview_url)).toEqual({ width: 1280, height: 320, format: 'webp' });
        const { thumbnail_url: moved } = await manager.expectOk<ManagedAssetBody>('PATCH', path, {
          focal_point: { x: 12.5, y: 100 },
        });
        expect(moved).toContain('fit=crop-12.5-100&');
        expect(await measure(moved)).toMatchObject({ width: 320 });
        const { data } = await manager.expectOk<ManagementPageBody<ManagedAssetBody>>('GET', `${PATH}?search=wide`);
        expect(data.map(({ thumbnail_url }) => thumbnail_url)).toEqual([moved]);
      } finally {
        await manager.expectOk('PATCH', `/sites/${SITE}/asset-settings`, { image_access: 'open' });
      }
      const text = await upload(['no picture', 'plain.txt']);
      expect([text.thumbnail_url, text.preview_url]).toEqual([null, null]);
    });

    test('create an asset for each file, in order', async () => {
      const names = ['c.txt', 'a.txt', 'b.txt'];
      const assets = await manager.expectOk<readonly ManagedAssetBody[]>(
        'POST',
        PATH,
        buildForm({ folder: 'many' }, ...names.map((name): Upload => [`text ${name}`, name])),
      );
      expect(assets.map(({ file_name, folder, mime_type }) => [file_name, folder, mime_type])).toEqual(
        names.map((name) => [name, 'many', 'text/plain']),
      );
    });

    test('take the name from the form', async () => {
      const named = buildForm({ name: 'A quiet bay' }, ['some text', 'IMG 0042.txt']);
      const asset = await manager.expectOk<ManagedAssetBody>('POST', PATH, named);
      expect(asset).toMatchObject({ name: 'A quiet bay', file_name: 'IMG-0042.txt' });
    });

    test('can be repeated with the same Idempotency-Key only if their bytes are the same', async () => {
      const headers = { 'idempotency-key': 'upload-1' };
      const first = await manager.call('POST', PATH, { body: buildForm({}, ['once', 'once.txt']), headers });
      const again = await manager.call('POST', PATH, { body: buildForm({}, ['once', 'once.txt']), headers });
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const other = await manager.call('POST', PATH, { body: buildForm({}, ['twice', 'once.txt']), headers });
      expect([other.status, other.body]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
    });

    test('cannot be copied from non-public addresses', async () => {
      const answered: string[] = [];
      const server = createServer((request, response) => {
        answered.push(request.url ?? '');
        response.end('secret');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      for (const url of [`http://127.0.0.1:${port}/x.txt`, `http://localhost:${port}/x.txt`, '/local.txt']) {
        const { id } = await manager.expectOk<ManagedAssetBody>('POST', PATH, { name: 'Remote', url });
        const answer = await manager.call('POST', `${PATH}/${id}/copy`);
        expect([answer.status, answer.body]).toMatchObject([422, { code: 'not_fetched' }]);
      }
      expect(answered).toEqual([]);
      server.close();
      const uploaded = await upload(['x', 'x.txt']);
      expect(await manager.call('POST', `${PATH}/${uploaded.id}/copy`)).toMatchObject({ status: 409 });
    });

    test('are rejected if they were copied from a URL that the asset no longer has', async () => {
      const url = 'https://files.example/a.txt';
      const { id } = await manager.expectOk<ManagedAssetBody>('POST', PATH, { name: 'Remote', url });
      await upload(['copied', 'stored.txt']);
      const copy: StoredUpload = {
        ...{ sha256: hash('sha256', 'copied'), fileName: 'a.txt', extension: 'txt', type: 'text/plain', bytes: 6 },
        ...{ width: null, height: null, placeholder: null, colour: null },
        ensureStored: async () => {},
      };
      const adopt = (from: string): Promise<void> =>
        adoptCopy(createDesk(manager.service.storage), COMMAND_ACTOR, SITE, id, from, copy);
      await expect(adopt('https://files.example/before.txt')).rejects.toMatchObject({ reason: 'conflict' });
      expect(await manager.expectOk('GET', `${PATH}/${id}`)).toMatchObject({ url, file_name: null });
      await adopt(url);
      expect(await manager.expectOk('GET', `${PATH}/${id}`)).toMatchObject({ file_name: 'a.txt', size: 6 });
      await expect(adopt(url)).rejects.toMatchObject({ reason: 'conflict' });
    });

    test('share one limit with the files that the same user copies from URLs', async () => {
      const { id } = await manager.expectOk<ManagedAssetBody>('POST', PATH, { name: 'Local', url: '/local.txt' });
      const tus = { authorization: `Bearer ${manager.owner}`, 'tus-resumable': '1.0.0' };
      const begun = await fetch(`${manager.service.url}/manage/v1/sites/${SITE}/uploads`, {
        method: 'POST',
        headers: { ...tus, 'upload-length': '4' },
      });
      const place = begun.headers.get('location') ?? '';
      await fetch(`${manager.service.url}${place}`, {
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: 'text',
      });
      const sockets = Array.from({ length: 6 }, () => {
        const socket = connect(Number(new URL(manager.service.url).port), '127.0.0.1').on('error', () => {});
        socket.write(
          `POST /manage/v1${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${manager.owner}\r\n` +
            `Content-Type: multipart/form-data; boundary=xyz\r\nContent-Length: 1000\r\n\r\n--xyz\r\n${FILE_HEAD}\r\n\r\nhalf`,
        );
        return socket;
      });
      await expect.poll(listTemporary).toHaveLength(6);
      const answered: string[] = [];
      const copying = manager.call('POST', `${PATH}/${id}/copy`);
      const finishing = manager.call('POST', PATH, { body: { upload: place.split('/').at(-1) } });
      for (const [name, call] of Object.entries({ copying, finishing })) void call.then(() => answered.push(name));
      // Other users are not affected. If the calls above did not have to wait, they would finish before these four uploads.
      const others = { body: buildForm({}, ['other', 'other.txt']), token: manager.editor };
      for (let count = 0; count < 4; count += 1) expect((await manager.call('POST', PATH, others)).status).toBe(201);
      expect(answered).toEqual([]);
      for (const socket of sockets) socket.resetAndDestroy();
      expect((await copying).status).toBe(422);
      expect((await finishing).status).toBe(201);
      await expect.poll(listTemporary).toEqual([]);
    });
  });
});
