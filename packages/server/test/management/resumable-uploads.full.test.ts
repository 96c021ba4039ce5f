// Resumable uploads (tus) over HTTP, tested with a folder and with a bucket, and with each database engine.

import { connect } from 'node:net';
import type { ManagedAssetBody, ManagementPageBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TEST_STORES, type TestStore } from '../support/asset-store.ts';
import { checkManagementAnswer } from '../support/management-openapi-check.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

const SITE = 's_mag';
const BYTES = Buffer.alloc(6_000_000, 'resumable ');
const CHUNK = { 'content-type': 'application/offset+octet-stream' };

async function* toChunks(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([text]), 'text.txt');
  return form;
}

const [FOLDER, BUCKET] = TEST_STORES;

describe.each([
  ['sqlite', ...FOLDER],
  ['sqlite', ...BUCKET],
  ['postgres', ...FOLDER],
] as const)('on %s, uploads to %s', (engine, name, makeStore) => {
  const resources = new AsyncDisposableStack();
  let files: TestStore;
  let manager: Manager;

  beforeAll(async () => {
    files = resources.use(await makeStore());
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
      if (files.env[name] !== undefined) vi.stubEnv(name, files.env[name]);
    }
    resources.defer(() => void vi.unstubAllEnvs());
    manager = await startManager({ ...files.env, GALLEY_MAX_UPLOAD_MB: '16' }, { engine });
    resources.defer(() => manager.close());
    await importMagazine(manager, SITE);
  });

  afterAll(() => resources.disposeAsync());

  /** Also compares the response with the OpenAPI document. */
  async function tus(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Buffer,
    token = manager.owner,
  ): Promise<Response> {
    const response = await fetch(`${manager.service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.clone().text();
    const { status, headers: answered } = response;
    const answer = { status, headers: answered, body: text === '' ? undefined : JSON.parse(text) };
    const faults = checkManagementAnswer(method, path, answer);
    expect(faults, `${method} ${path} returned ${response.status} ${text}`).toEqual([]);
    return response;
  }

  async function begin(length = BYTES.length, name = 'naïve text.txt'): Promise<string> {
    const created = await tus('POST', `/manage/v1/sites/${SITE}/uploads`, {
      'upload-length': String(length),
      'upload-metadata': `filetype ${btoa('x/y')},filename ${Buffer.from(name).toString('base64')}`,
    });
    expect(created.status).toBe(201);
    return created.headers.get('location') ?? '';
  }

  async function readOffset(path: string): Promise<number> {
    const { status, headers } = await tus('HEAD', path);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    return Number(headers.get('upload-offset'));
  }

  const send = (path: string, offset: number, bytes: Buffer, token?: string): Promise<Response> =>
    tus('PATCH', path, { ...CHUNK, 'upload-offset': String(offset) }, bytes, token);

  const idOf = (path: string): string => path.split('/').at(-1) ?? '';

  test('arrive in parts and become an asset', async () => {
    const path = await begin();
    expect((await send(path, 0, BYTES.subarray(0, 100_000))).status).toBe(204);
    expect(await readOffset(path)).toBe(100_000);
    const early = await manager.call('POST', `/sites/${SITE}/assets`, { body: { upload: idOf(path) } });
    expect([early.status, early.body]).toMatchObject([409, { code: 'incomplete', details: { offset: 100_000 } }]);
    const wrong = await send(path, 99_999, BYTES.subarray(99_999));
    expect([wrong.status, await wrong.json()]).toMatchObject([409, { code: 'wrong_offset' }]);
    const last = await send(path, 100_000, BYTES.subarray(100_000));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '6000000']);
    expect(Date.parse(last.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const body = { upload: idOf(path), name: 'A name', description: 'Text', folder: 'large', tags: ['t'] };
    const headers = { 'idempotency-key': path };
    const created = await manager.call('POST', `/sites/${SITE}/assets`, { body, headers });
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        name: 'A name',
        description: 'Text',
        folder: 'large',
        tags: ['t'],
        size: BYTES.length,
        mime_type: 'text/plain',
      },
    ]);
    expect((created.body as ManagedAssetBody).file_name).toMatch(/^naïve.text\.txt$/);
    const again = await manager.call('POST', `/sites/${SITE}/assets`, { body, headers });
    expect([again.status, again.body]).toEqual([201, created.body]);
    expect((await tus('HEAD', path)).status).toBe(404);
    expect(await manager.call('POST', `/sites/${SITE}/assets`, { body })).toMatchObject({ status: 404 });
  });

  test('each become exactly one asset, even if several calls use the same upload at once', async () => {
    const path = await begin(9, 'once.txt');
    await send(path, 0, Buffer.from('used once'));
    const calls = Array.from({ length: 12 }, (_, index) => {
      const headers = index % 3 === 0 ? { 'idempotency-key': `${path}-${index}` } : {};
      return manager.call('POST', `/sites/${SITE}/assets`, { body: { upload: idOf(path), name: 'Once' }, headers });
    });
    const replacing = manager.call('PUT', `/sites/${SITE}/assets/a_free/file`, { body: { upload: idOf(path) } });
    const statuses = (await Promise.all([...calls, replacing])).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 404)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(1);
    const { data } = await manager.expectOk<ManagementPageBody<ManagedAssetBody>>(
      'GET',
      `/sites/${SITE}/assets?limit=100`,
    );
    expect(data.filter(({ file_name }) => file_name === 'once.txt')).toHaveLength(1);
  });

  test('cannot be used twice, even if they are still in the store', async () => {
    const path = await begin(5, 'kept.txt');
    await send(path, 0, Buffer.from('12345'));
    const found = await files.store.partial.find(idOf(path));
    await manager.expectOk('POST', `/sites/${SITE}/assets`, { upload: idOf(path) });
    // Simulates a service that stopped before it removed the upload.
    await files.store.partial.create(idOf(path), found?.note ?? '');
    await files.store.partial.append(idOf(path), 0, toChunks('12345'));
    const again = await manager.call('POST', `/sites/${SITE}/assets`, { body: { upload: idOf(path) } });
    expect([again.status, again.body]).toEqual([
      404,
      { message: 'This upload no longer exists: another call has used it.', code: 'not_found' },
    ]);
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test("replace an asset's file", async () => {
    const path = await begin(5, 'five.txt');
    await send(path, 0, Buffer.from('12345'));
    const replaced = await manager.expectOk('PUT', `/sites/${SITE}/assets/a_free/file`, { upload: idOf(path) });
    expect(replaced).toMatchObject({ id: 'a_free', name: 'Free', file_name: 'five.txt', size: 5 });
  });

  test('resume after a lost connection', async () => {
    const path = await begin();
    const socket = connect(Number(new URL(manager.service.url).port), '127.0.0.1');
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${manager.owner}\r\nTus-Resumable: 1.0.0\r\n` +
        `Upload-Offset: 0\r\nContent-Type: ${CHUNK['content-type']}\r\nContent-Length: ${BYTES.length}\r\n\r\n`,
    );
    // Unlike `once` from node:events, this promise is not rejected if the connection is reset.
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    socket.write(BYTES.subarray(0, 5_000_000));
    await expect.poll(async () => (await files.store.partial.find(idOf(path)))?.bytes).toBeGreaterThan(0);
    // The service has not yet noticed that the connection is lost, but the client continues on a new one.
    const offset = await readOffset(path);
    await closed;
    expect(offset).toBeGreaterThan(0);
    expect((await send(path, offset, BYTES.subarray(offset))).status).toBe(204);
    const asset = await manager.expectOk<ManagedAssetBody>('POST', `/sites/${SITE}/assets`, { upload: idOf(path) });
    expect(asset.size).toBe(BYTES.length);
  });

  test('can be used only by the user who began them, and only on the same site', async () => {
    const path = await begin();
    const elsewhere = path.replace(SITE, 's_other');
    for (const refused of [
      await tus('HEAD', path, {}, undefined, manager.editor),
      await tus('DELETE', path, {}, undefined, manager.stranger),
      await send(path, 0, BYTES, manager.editor),
      await tus('HEAD', elsewhere),
      await tus('HEAD', `${path}x`),
    ]) {
      expect(refused.status).toBe(404);
    }
    expect((await tus('HEAD', path, {}, undefined, 'gm_wrong')).status).toBe(401);
    const stolen = { body: { upload: idOf(path) }, token: manager.editor };
    expect(await manager.call('POST', `/sites/${SITE}/assets`, stolen)).toMatchObject({ status: 404 });
    expect((await tus('DELETE', path)).status).toBe(204);
    expect((await tus('HEAD', path)).status).toBe(404);
  });

  test('can be used again if the first call was refused', async () => {
    const path = await begin(5, 'again.txt');
    await send(path, 0, Buffer.from('again'));
    const body = { upload: idOf(path) };
    await manager.expectOk('POST', `/sites/${SITE}/assets`, formOf('again'));
    const refused = await manager.call('POST', `/sites/${SITE}/assets?duplicates=refuse`, { body });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'duplicate' }]);
    expect(await manager.expectOk('POST', `/sites/${SITE}/assets`, body)).toMatchObject({ file_name: 'again.txt' });
  });

  test('are refused if they are too large or malformed', async () => {
    const uploads = `/manage/v1/sites/${SITE}/uploads`;
    expect((await tus('POST', uploads, { 'upload-length': String(16 * 1024 ** 2 + 1) })).status).toBe(413);
    expect((await tus('POST', uploads, { 'upload-length': '-1' })).status).toBe(400);
    expect((await tus('POST', uploads)).status).toBe(400);
    expect((await tus('POST', uploads, { 'upload-length': '1', 'tus-resumable': '0.2.2' })).status).toBe(412);
    expect((await tus('POST', '/manage/v1/sites/s_other/uploads', { 'upload-length': '1' })).status).toBe(404);
    const path = await begin(10);
    expect((await send(path, 0, BYTES.subarray(0, 11))).status).toBe(413);
    expect((await tus('PATCH', path, { 'upload-offset': '0', 'content-type': 'text/plain' }, BYTES)).status).toBe(415);
    expect(await readOffset(path)).toBeLessThanOrEqual(10);
  });

  // The limit is checked before anything is stored.
  if (name === 'a bucket') return;

  test('are limited in number per caller', async () => {
    const beginAs = (token: string): Promise<Response> =>
      tus('POST', `/manage/v1/sites/${SITE}/uploads`, { 'upload-length': '1' }, undefined, token);
    const begun: Response[] = [];
    while (begun.length < 96) begun.push(await beginAs(manager.editor));
    begun.push(...(await Promise.all(Array.from({ length: 7 }, () => beginAs(manager.editor)))));
    const paths = begun.flatMap(({ headers }) => headers.get('location') ?? []);
    const refused = begun.filter(({ status }) => status !== 201);
    expect([paths.length, refused.map(({ status }) => status)]).toEqual([100, [413, 413, 413]]);
    expect(await refused[0]?.json()).toEqual({
      message:
        'You have 100 unfinished uploads, which is the maximum. Finish or cancel one of them first. Uploads expire after 24 hours.',
      code: 'limit_reached',
    });
    expect((await beginAs(manager.owner)).status).toBe(201);
    expect((await tus('DELETE', paths[0] ?? '', {}, undefined, manager.editor)).status).toBe(204);
    expect((await beginAs(manager.editor)).status).toBe(201);
    expect((await beginAs(manager.editor)).status).toBe(413);
  });
});
