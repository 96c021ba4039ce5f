// Clients retry a change if its response was lost. With the same Idempotency-Key, the change happens only once.

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takesIdempotencyKey } from '../../src/management/route.ts';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Answer, type CallOptions, type Manager, startManager } from './manager.ts';

const SITE = '/sites/s_once';
const HOUR_MS = 3_600_000;

let manager: Manager;
let now = Date.now();

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine, now: () => now });
    await manager.expectOk('POST', '/sites', { id: 's_once', name: 'Once', languages: ['en', 'fr'] });
    await manager.expectOk('POST', `${SITE}/types`, { handle: 'post', name: 'Post', object_type: 'page', fields: [] });
  });

  afterAll(() => manager.close());

  function callWith(
    key: string,
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    return manager.call(method, path, { body, ...options, headers: { 'idempotency-key': key, ...options.headers } });
  }

  function sayAll({ status, headers, body }: Answer): readonly unknown[] {
    return [status, headers.get('etag'), headers.get('content-type'), body];
  }

  function isReplayed({ headers }: Answer): boolean {
    return headers.get('idempotent-replayed') === 'true';
  }

  async function countAuthors(): Promise<number> {
    return (await manager.expectOk<{ data: readonly unknown[] }>('GET', `${SITE}/authors`)).data.length;
  }

  async function countRows(): Promise<unknown> {
    const statement = defineStatement(() => sql`select count(*) as found from idempotent_calls`);
    const [row] = await manager.service.storage.read(query<{ found: number }>(statement));
    return row?.found;
  }

  test('a repeated request returns the first response and changes nothing', async () => {
    const key = randomUUID();
    const before = await countAuthors();
    const first = await callWith(key, 'POST', `${SITE}/authors`, { name: 'Ada' });
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    const second = await callWith(key, 'POST', `${SITE}/authors`, { name: 'Ada' });
    expect(sayAll(second)).toEqual(sayAll(first));
    expect(isReplayed(second)).toBe(true);
    expect(await countAuthors()).toBe(before + 1);
    expect((await callWith(randomUUID(), 'POST', `${SITE}/authors`, { name: 'Ada' })).status).toBe(201);
    expect(await countAuthors()).toBe(before + 2);
  });

  test('many concurrent calls with the same key cause one change, and all return its response', async () => {
    const before = await countAuthors();
    const body = { name: 'At once' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => callWith('at-once', 'POST', `${SITE}/authors`, body)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(sayAll(answer)))).size).toBe(1);
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(await countAuthors()).toBe(before + 1);
  });

  describe.each(['/keys', '/tokens'])('POST %s, whose response contains a secret', (path) => {
    const body = path === '/keys' ? { name: 'K', sites: ['s_once'] } : { name: 'T', role: 'editor' };

    test('is carried out only once without storing the secret, and a repeated request is rejected as already carried out', async () => {
      const key = `secret${path}`;
      const count = async () => (await manager.expectOk<{ data: readonly unknown[] }>('GET', path)).data.length;
      const first = await callWith(key, 'POST', path, body);
      const { token } = first.body as { token: string };
      expect([first.status, typeof token]).toEqual([201, 'string']);
      const before = await count();
      const second = await callWith(key, 'POST', path, body);
      expect([second.status, second.body]).toEqual([
        409,
        {
          message:
            'A request with this Idempotency-Key has already been carried out. Its response was not stored, so it cannot be sent again.',
          code: 'already_done',
        },
      ]);
      expect(await count()).toBe(before);
      const statement = defineStatement(() => sql`select body, key_hash from idempotent_calls where body is not null`);
      const stored = await manager.service.storage.read(query<object>(statement));
      expect(JSON.stringify(stored)).not.toContain(token);
      expect(JSON.stringify(stored)).not.toContain(key);
    });
  });

  test('permanently deleted data is removed from stored responses, and repeated calls still change nothing', async () => {
    const created = { id: 'c_secret', name: 'Unforgettable', content_type: 'post' };
    const path = `${SITE}/content/c_secret`;
    expect((await callWith('forgotten', 'POST', `${SITE}/content`, created)).status).toBe(201);
    await manager.expectOk('POST', `${path}/archive`, {});
    expect((await callWith('deletion', 'DELETE', `${path}?confirm=c_secret`)).status).toBe(204);
    const statement = defineStatement(() => sql`select body from idempotent_calls where body like '%Unforgettable%'`);
    expect(await manager.service.storage.read(query(statement))).toEqual([]);
    expect((await callWith('forgotten', 'POST', `${SITE}/content`, created)).status).toBe(409);
    expect((await callWith('deletion', 'DELETE', `${path}?confirm=c_secret`)).status).toBe(204);
  });

  test('a key expires after 24 hours, and later calls delete expired keys', async () => {
    expect(isReplayed(await callWith('day', 'PATCH', '/account', { name: 'Day' }))).toBe(false);
    now += 23 * HOUR_MS;
    expect(isReplayed(await callWith('day', 'PATCH', '/account', { name: 'Day' }))).toBe(true);
    now += 2 * HOUR_MS;
    expect(isReplayed(await callWith('day', 'PATCH', '/account', { name: 'Day' }))).toBe(false);
    expect(Number(await countRows())).toBe(1);
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('a repeated request returns the first response even after later changes, and does not undo them', async () => {
    await manager.expectOk('POST', `${SITE}/content`, { id: 'c_moved', name: 'Moved', content_type: 'post' });
    const path = `${SITE}/content/c_moved`;
    const first = await callWith('publish-once', 'POST', `${path}/publish`);
    expect(first.status).toBe(200);
    await manager.expectOk('POST', `${path}/unpublish`, {});
    expect(sayAll(await callWith('publish-once', 'POST', `${path}/publish`))).toEqual(sayAll(first));
    expect((await manager.read('s_once', '/c_moved')).status).toBe(404);
  });

  test('a response without a body is replayed without one', async () => {
    await manager.expectOk('POST', `${SITE}/authors`, { id: 'u_gone', name: 'Gone' });
    const first = await callWith('delete-author', 'DELETE', `${SITE}/authors/u_gone`);
    const second = await callWith('delete-author', 'DELETE', `${SITE}/authors/u_gone`);
    expect([first, second].map(({ status, body }) => [status, body])).toEqual([
      [204, undefined],
      [204, undefined],
    ]);
    expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
  });

  test('a change with long HTML, which is sanitised first, happens only once', async () => {
    const field = { handle: 'text', name: 'Text', type: 'text', format: 'html' };
    await manager.expectOk('POST', `${SITE}/types`, {
      handle: 'page',
      name: 'Page',
      object_type: 'page',
      fields: [field],
    });
    const text = `<p>${'long <b onclick="alert(1)">text</b> '.repeat(2000)}</p>`;
    const body = { id: 'c_long', name: 'Long', content_type: 'page', fields: { text: { text } } };
    const first = await callWith('long-html', 'POST', `${SITE}/content`, body);
    expect(first.status).toBe(201);
    expect(JSON.stringify(first.body)).not.toContain('onclick');
    expect(sayAll(await callWith('long-html', 'POST', `${SITE}/content`, body))).toEqual(sayAll(first));
    const { data } = await manager.expectOk<{ data: readonly { subject: { id: string } }[] }>(
      'GET',
      '/audit?action=content.create',
    );
    expect(data.filter(({ subject }) => subject.id === 'c_long')).toHaveLength(1);
  });

  test('a key belongs to one request: a different body, path or method is rejected', async () => {
    const message =
      'This Idempotency-Key was already sent with a different request, so nothing was changed. Use a new key for each change.';
    await callWith('taken', 'POST', `${SITE}/authors`, { id: 'u_taken', name: 'First' });
    const before = await countAuthors();
    const others = [
      await callWith('taken', 'POST', `${SITE}/authors`, { name: 'Second' }),
      await callWith('taken', 'POST', '/sites', { id: 'u_taken', name: 'First' }),
      await callWith('taken', 'PATCH', `${SITE}/authors/u_taken`, { name: 'First' }),
      await callWith('taken', 'DELETE', `${SITE}/authors/u_taken?confirm=x`),
    ];
    for (const { status, body } of others)
      expect([status, body]).toEqual([422, { message, code: 'idempotency_key_reused' }]);
    expect(await countAuthors()).toBe(before);
  });

  test('a key belongs to its caller: others can use the same key and do not see the first response', async () => {
    const mine = await callWith('shared', 'POST', `${SITE}/authors`, { name: 'Mine' });
    const theirs = await callWith('shared', 'POST', `${SITE}/authors`, { name: 'Theirs' }, { token: manager.editor });
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect(theirs.body).not.toEqual(mine.body);
    const foreign = await callWith('shared', 'PATCH', '/account', { name: 'X' }, { token: manager.stranger });
    expect([foreign.status, isReplayed(foreign)]).toEqual([200, false]);
  });

  test('a caller who has lost permission does not get the stored response', async () => {
    const { token, id } = await manager.expectOk<{ token: string; id: string }>('POST', '/tokens', {
      name: 'Short',
      role: 'editor',
    });
    expect((await callWith('revoked', 'POST', `${SITE}/authors`, { name: 'A' }, { token })).status).toBe(201);
    await manager.expectOk('POST', `/tokens/${id}/revoke`);
    expect((await callWith('revoked', 'POST', `${SITE}/authors`, { name: 'A' }, { token })).status).toBe(401);
  });

  test('an error is not stored: the same key works once the problem is fixed', async () => {
    const path = `${SITE}/content`;
    const body = { id: 'c_twin', name: 'Twin', content_type: 'later' };
    expect((await callWith('refused', 'POST', path, body)).status).toBe(422);
    expect((await callWith('refused', 'POST', path, { ...body, content_type: 'post' })).status).toBe(201);
    const stale = { 'if-match': '"other"' };
    expect((await callWith('stale', 'PATCH', SITE, { name: 'New' }, { headers: stale })).status).toBe(412);
    expect((await callWith('stale', 'PATCH', SITE, { name: 'New' })).status).toBe(200);
  });

  test.each([
    ['empty', ''],
    ['made of two words', 'a b'],
    ['not ASCII', 'é'],
    ['256 characters long', 'k'.repeat(256)],
  ])('a key that is %s is rejected', async (_what, key) => {
    const { status, body } = await callWith(key, 'POST', `${SITE}/authors`, { name: 'No' });
    expect([status, body]).toEqual([
      400,
      {
        message: 'The Idempotency-Key header must consist of 1 to 255 visible ASCII characters.',
        code: 'idempotency_key_invalid',
      },
    ]);
  });

  test('a key of 255 characters that includes every visible ASCII character is accepted', async () => {
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('');
    const key = visible.repeat(3).slice(0, 255);
    const answers = [1, 2].map(() => callWith(key, 'PATCH', '/account', { name: 'All kinds' }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a key can be sent with every call that changes something, except set-up, signing in or out, changing a password, deleting a site and copying a file', () => {
    const without = MANAGEMENT_ROUTES.filter((route) => route.method !== 'GET' && !takesIdempotencyKey(route));
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /setup',
      'POST /session',
      'DELETE /session',
      'PUT /session/password',
      'DELETE /sites/{site}',
      'POST /sites/{site}/assets/{asset}/copy',
      'POST /sites/{site}/content/{content}/validate',
      'POST /sites/{site}/content/{content}/render',
    ]);
  });
});
