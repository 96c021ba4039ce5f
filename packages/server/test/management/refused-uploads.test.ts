// Checks which uploads the management API refuses, and that refused uploads leave nothing behind.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ManagedAssetBody, ManagementPageBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';
import { buildForm, drawNew, FILE_HEAD, type Upload } from './upload-form.ts';

const SITE = 's_mag';
const PATH = `/sites/${SITE}/assets`;

describe('uploads', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager({ GALLEY_MAX_UPLOAD_MB: '1' });
    await importMagazine(manager, SITE);
  });

  afterAll(() => manager.close());

  async function countAssets(): Promise<number> {
    return (await manager.expectOk<ManagementPageBody<ManagedAssetBody>>('GET', `${PATH}?limit=100`)).data.length;
  }

  async function listTemporary(): Promise<readonly string[]> {
    return readdir(join(manager.service.assetsFolder, 'incoming'));
  }

  /** Makes a call that must be refused, checks that it leaves nothing behind, and returns the error. */
  async function refuse(method: string, path: string, body: unknown, token?: string) {
    const before = await countAssets();
    const answer = await manager.call(method, path, { body, token: token ?? manager.owner });
    expect(await countAssets()).toBe(before);
    await expect.poll(listTemporary).toEqual([]);
    const { code, message } = answer.body as { code: string; message: string };
    return { status: answer.status, code, message };
  }

  test('are refused with an error that names the file and says what is allowed', async () => {
    const good: Upload = ['good', 'good.txt'];
    const bomb = await drawNew(4, 4);
    expect(await refuse('POST', PATH, buildForm({}, good, [Buffer.alloc(1024 * 1024 + 1), 'big.bin']))).toEqual({
      status: 413,
      code: 'too_large',
      message: 'big.bin: The file is too large. The limit is 1 MB.',
    });
    expect(await refuse('POST', PATH, buildForm({}, good, ['', 'nothing.txt']))).toMatchObject({
      status: 422,
      code: 'file_empty',
    });
    expect(await refuse('POST', PATH, buildForm({}, good, [bomb.subarray(0, 50), 'torn.png']))).toMatchObject({
      status: 422,
      code: 'unreadable',
    });
    await manager.expectOk('PATCH', `/sites/${SITE}/asset-settings`, { upload_types: ['image/'] });
    expect(await refuse('POST', PATH, buildForm({}, [await drawNew(), 'a.png'], ['text', 'b.txt']))).toEqual({
      status: 422,
      code: 'type_not_allowed',
      message: 'b.txt: The file type is text/plain. This site allows only: images.',
    });
    await manager.expectOk('PATCH', `/sites/${SITE}/asset-settings`, { upload_types: null, most_megapixels: 1 });
    expect(await refuse('POST', PATH, buildForm({}, [await drawNew(1001, 1000), 'wide.png']))).toMatchObject({
      status: 422,
      code: 'too_many_pixels',
    });
    await manager.expectOk('PATCH', `/sites/${SITE}/asset-settings`, { most_megapixels: null });
  });

  test('are accepted if they are exactly at the size limit', async () => {
    const body = buildForm({}, [Buffer.alloc(1024 * 1024, 1), 'limit.bin']);
    const asset = await manager.expectOk<ManagedAssetBody>('POST', PATH, body);
    expect(asset).toMatchObject({ size: 1024 * 1024, mime_type: 'application/octet-stream' });
  });

  test('must contain files, with all fields before them', async () => {
    const late = buildForm({}, ['x', 'x.txt']);
    late.append('description', 'late');
    expect(await refuse('POST', PATH, late)).toMatchObject({ status: 400, code: 'malformed' });
    expect(await refuse('POST', PATH, buildForm({ description: 'alone' }))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
    expect(await refuse('POST', PATH, buildForm({ nonsense: 'x' }, ['x', 'x.txt']))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
    expect(await refuse('POST', PATH, buildForm({ folder: ['a', 'b'] }, ['x', 'x.txt']))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
    expect(await refuse('POST', PATH, buildForm({ description: 'x'.repeat(70_000) }, ['x', 'x.txt']))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
    const many = Array.from({ length: 101 }, (_, index): Upload => [`${index}`, `${index}.txt`]);
    expect(await refuse('POST', PATH, buildForm({}, ...many))).toMatchObject({ status: 422, code: 'invalid' });
    const free = `${PATH}/a_free/file`;
    expect(await refuse('PUT', free, buildForm({}, ['x', 'x.txt'], ['y', 'y.txt']))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
    expect(await refuse('PUT', free, buildForm({}))).toMatchObject({ status: 422, code: 'invalid' });
  });

  test('are refused for other sites or assets, and without a token', async () => {
    const body = (): FormData => buildForm({}, ['x', 'x.txt']);
    expect(await refuse('POST', '/sites/s_other/assets', body())).toMatchObject({ status: 404, code: 'not_found' });
    expect(await refuse('POST', PATH, body(), manager.stranger)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await refuse('PUT', `${PATH}/a_nothing/file`, body())).toMatchObject({ status: 404, code: 'not_found' });
    expect(await refuse('POST', PATH, body(), 'gm_wrong')).toMatchObject({ status: 401, code: 'unauthenticated' });
    const elsewhere = await manager.call('POST', '/sites', { body: body() });
    expect(elsewhere.status).toBe(415);
    const unasked = await manager.call('POST', `${PATH}?nonsense=1`, { body: body() });
    expect(unasked.status).toBe(422);
  });

  /** Sends a body unchanged. Resolves to the whole response once the connection is closed. */
  async function sendRaw(body: string, { length = Buffer.byteLength(body), cut = false } = {}): Promise<string> {
    const socket = connect(Number(new URL(manager.service.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
    socket.write(
      `POST /manage/v1${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${manager.owner}\r\n` +
        `Content-Type: multipart/form-data; boundary=xyz\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
    if (cut) {
      await expect.poll(listTemporary).not.toEqual([]);
      socket.resetAndDestroy();
    }
    // Unlike `once` from node:events, this promise is not rejected if the connection is reset.
    await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(chunks).toString();
  }

  test('are refused if they are not valid forms', async () => {
    const before = await countAssets();
    for (const body of ['nonsense', `--xyz\r\n${FILE_HEAD}\r\n\r\nhalf`, '--xyz\r\n\r\n\r\n--xyz--', '--xyz--']) {
      expect(await sendRaw(body)).toMatch(body === '--xyz--' ? /^HTTP\/1.1 422 / : /^HTTP\/1.1 400 /);
    }
    expect(await countAssets()).toBe(before);
    await expect.poll(listTemporary).toEqual([]);
  });

  test('are read only up to a limit after they have been refused', async () => {
    const socket = connect(Number(new URL(manager.service.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    const answered = once(socket, 'data');
    socket.write(
      `POST /manage/v1${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${manager.owner}\r\n` +
        `Content-Type: multipart/form-data; boundary=xyz\r\nContent-Length: ${1024 ** 4}\r\n\r\n--xyz\r\nnonsense\r\n\r\n`,
    );
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 400 /);
    const chunk = Buffer.alloc(1024 ** 2);
    let sent = 0;
    for (; socket.writable && sent < 4096; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    }
    await closed;
    expect(sent).toBeLessThan(128);
  });

  test('leave nothing behind if the connection is lost', async () => {
    const before = await countAssets();
    const body = `--xyz\r\n${FILE_HEAD}\r\n\r\nfirst\r\n--xyz\r\n${FILE_HEAD}\r\n\r\nsecond`;
    expect(await sendRaw(body, { length: 100_000, cut: true })).toBe('');
    await expect.poll(listTemporary).toEqual([]);
    expect(await countAssets()).toBe(before);
  });
});
