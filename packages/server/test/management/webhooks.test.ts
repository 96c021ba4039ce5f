// A site's webhooks in the management API. Their secrets and header values stay confidential.

import { Writable } from 'node:stream';
import type { AuditLogBody, NewWebhookBody, WebhookBody, WebhookListBody } from '@galley/wire';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { CONTENT_EVENTS } from '../../src/content/webhook-event.ts';
import { selectSite } from '../../src/storage/sites/select-catalog.ts';
import { selectLogEnd, selectWebhook, type WebhookSummary } from '../../src/storage/webhooks/webhooks.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Answer, type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

const SITE = 's_mag';
const path = `/sites/${SITE}/webhooks`;
const URL = 'https://hooks.example/path?key=1';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

let manager: Manager;
const log: string[] = [];

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        log.push(String(chunk));
        done();
      },
    });
    manager = await startManager({ GALLEY_ACCESS_LOG: 'true' }, { engine, log: pino({ level: 'trace' }, stream) });
    await importMagazine(manager, SITE);
  });

  afterAll(() => manager.close());

  const create = (body: object = {}) =>
    manager.expectOk<NewWebhookBody>('POST', path, { name: 'Build', url: URL, ...body });
  const change = (id: string, body: object) => manager.expectOk<WebhookBody>('PATCH', `${path}/${id}`, body);
  const list = () => manager.expectOk<WebhookListBody>('GET', path);

  async function readSiteNo(): Promise<number> {
    return (await manager.service.storage.read(selectSite(SITE)))?.no ?? 0;
  }

  async function readStored(id: string): Promise<WebhookSummary> {
    const webhook = await manager.service.storage.read(selectWebhook(await readSiteNo(), id));
    if (webhook === undefined) throw new Error(`There is no webhook ${id}`);
    return webhook;
  }

  async function readActions(id: string): Promise<readonly unknown[]> {
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=100');
    return data
      .filter(({ subject }) => subject?.id === id)
      .toReversed()
      .map(({ action, site, subject, details }) => ({ action, site, name: subject?.name, details }));
  }

  describe('a new webhook', () => {
    test('receives all content events by default, and its secret is shown only once', async () => {
      const { secret, ...webhook } = await create();
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(webhook).toEqual({
        id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
        name: 'Build',
        url: URL,
        kinds: [...CONTENT_EVENTS],
        content_types: null,
        languages: null,
        header_names: [],
        payload: 'light',
        is_batched: false,
        is_on: true,
        off_reason: null,
        off_at: null,
        failing_since: null,
        former_secret_until: null,
        last_call_at: null,
        waiting_calls: 0,
        failed_calls: 0,
        last_failed_at: null,
        created_at: expect.stringMatching(TIME),
        changed_at: expect.stringMatching(TIME),
      });
      expect(await manager.expectOk('GET', `${path}/${webhook.id}`)).toEqual(webhook);
      expect((await list()).data).toContainEqual(webhook);
      expect((await readStored(webhook.id)).secret).toBe(secret);
    });

    test('starts at the end of the change log', async () => {
      await manager.service.publish(SITE, 'c_two');
      const { id } = await create();
      expect((await readStored(id)).position).toBe(
        await manager.service.storage.read(selectLogEnd(await readSiteNo())),
      );
      await manager.service.unpublish(SITE, 'c_two');
      expect((await readStored(id)).position).not.toBe(
        await manager.service.storage.read(selectLogEnd(await readSiteNo())),
      );
    });

    test('is not created again, and not stored elsewhere, if the call is repeated', async () => {
      const call = () =>
        manager.call('POST', path, {
          body: { name: 'Once', url: URL },
          headers: { 'idempotency-key': 'webhook-once' },
        });
      const { secret } = (await call()).body as NewWebhookBody;
      expect((await call()).status).toBe(409);
      expect((await list()).data.filter(({ name }) => name === 'Once')).toHaveLength(1);
      expect(await findTablesWith(manager.service.storage, secret)).toEqual(['webhooks']);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('can have all settings from the start', async () => {
      const settings = {
        kinds: ['content.published', 'import.finished'],
        content_types: ['post'],
        languages: ['fr', 'en'],
        payload: 'light',
        is_batched: true,
        is_on: false,
      };
      const { id } = await create({ ...settings, headers: { 'X-Key': 'k', authorization: 'Bearer b' } });
      const webhook = await manager.expectOk<WebhookBody>('GET', `${path}/${id}`);
      expect(webhook).toMatchObject({ ...settings, header_names: ['x-key', 'authorization'], off_reason: null });
      expect(webhook.off_at).toMatch(TIME);
    });

    test('is refused if the site already has 50', async () => {
      const site = '/sites/s_full';
      await manager.expectOk('POST', '/sites', { id: 's_full', name: 'Full' });
      for (let count = 0; count < 50; count++) {
        await manager.expectOk('POST', `${site}/webhooks`, { name: `${count}`, url: URL });
      }
      expect(await manager.call('POST', `${site}/webhooks`, { body: { name: '51', url: URL } })).toMatchObject({
        status: 409,
        body: { code: 'limit_reached', message: 'A site can have at most 50 webhooks.' },
      });
    });
  });

  describe('a changed webhook', () => {
    test('replaces its headers, but keeps the stored value of a header whose new value is null', async () => {
      const { id } = await create({ headers: { 'X-One': '1', 'x-two': '2' } });
      expect(await change(id, { headers: { 'x-ONE': null, 'x-three': '3' } })).toMatchObject({
        header_names: ['x-one', 'x-three'],
      });
      expect((await readStored(id)).headers).toEqual({ 'x-one': '1', 'x-three': '3' });
      await change(id, { headers: {} });
      expect((await readStored(id)).headers).toEqual({});
    });

    test('skips the changes that were made while it was off', async () => {
      const { id } = await create();
      const off = await change(id, { is_on: false });
      expect(off).toMatchObject({ is_on: false, off_reason: null, off_at: expect.stringMatching(TIME) });
      await manager.service.publish(SITE, 'c_two');
      await manager.service.unpublish(SITE, 'c_two');
      expect(await change(id, { is_on: true })).toMatchObject({ is_on: true, off_reason: null, off_at: null });
      const end = await manager.service.storage.read(selectLogEnd(await readSiteNo()));
      expect((await readStored(id)).position).toBe(end);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('keeps everything that the call omits', async () => {
      const { secret: _, ...created } = await create({ languages: ['fr'], headers: { 'x-key': 'k' } });
      const changed = await change(created.id, { name: 'Renamed', content_types: ['post'] });
      expect(changed).toEqual({
        ...created,
        name: 'Renamed',
        content_types: ['post'],
        changed_at: expect.stringMatching(TIME),
      });
      expect(await change(created.id, { content_types: null, languages: null })).toMatchObject({
        content_types: null,
        languages: null,
      });
      expect((await readStored(created.id)).headers).toEqual({ 'x-key': 'k' });
    });

    test('never sends stored header values to another server', async () => {
      const { id } = await create({ headers: { 'x-key': 'k' } });
      const url = 'https://other.example/hook';
      for (const body of [{ url }, { url, headers: { 'x-key': null } }]) {
        const refused = await manager.call('PATCH', `${path}/${id}`, { body });
        expect(refused.status).toBe(422);
        expect(JSON.stringify(refused.body)).toContain('because the URL points to a different server');
      }
      expect(await readStored(id)).toMatchObject({ url: URL, headers: { 'x-key': 'k' } });
      expect((await change(id, { url: `${URL}/elsewhere` })).header_names).toEqual(['x-key']);
      await change(id, { url, headers: { 'x-key': 'k' } });
      expect(await readStored(id)).toMatchObject({ url, headers: { 'x-key': 'k' } });
      expect(await change(id, { url: URL, headers: {} })).toMatchObject({ url: URL, header_names: [] });
      expect((await change(id, { url })).url).toBe(url);
    });

    test('accepts If-Match with the ETag from a GET request, which calls to the receiver do not change', async () => {
      const { id } = await create();
      const read = () => manager.call('GET', `${path}/${id}`);
      const etag = (await read()).headers.get('etag') ?? '';
      await manager.expectOk('POST', `${path}/${id}/test`);
      expect((await read()).headers.get('etag')).toBe(etag);
      const headers = { 'if-match': etag };
      const first = await manager.call('PATCH', `${path}/${id}`, { body: { name: 'First' }, headers });
      expect(first.status).toBe(200);
      expect(first.headers.get('etag')).toBe((await read()).headers.get('etag'));
      expect((await manager.call('PATCH', `${path}/${id}`, { body: { name: 'Second' }, headers })).status).toBe(412);
    });

    test('keeps a type and a language that no longer exist, but accepts no others', async () => {
      const site = '/sites/s_less';
      await manager.expectOk('POST', '/sites', { id: 's_less', name: 'Less', languages: ['en', 'fr'] });
      await manager.expectOk('POST', `${site}/types`, { handle: 'note', name: 'Note' });
      const body = { name: 'A', url: URL, content_types: ['note'], languages: ['fr'] };
      const { id } = await manager.expectOk<NewWebhookBody>('POST', `${site}/webhooks`, body);
      await manager.expectOk('DELETE', `${site}/types/note`);
      await manager.expectOk('DELETE', `${site}/languages/fr`);
      await manager.expectOk('PATCH', `${site}/webhooks/${id}`, { name: 'B', content_types: ['note'] });
      const answer = await manager.call('POST', `${site}/webhooks`, { body });
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'content_types[0]' }, { path: 'languages[0]' }] },
      });
    });
  });

  test('deleting a webhook also deletes its calls', async () => {
    const { id } = await create();
    await manager.expectOk('POST', `${path}/${id}/test`);
    expect((await manager.call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await manager.call('GET', `${path}/${id}`)).status).toBe(404);
    expect(await findTablesWith(manager.service.storage, id)).toEqual(['audit_entries']);
  });

  test('a new secret is shown once, and the previous secret stays valid for a day', async () => {
    const before = Date.now();
    const created = await create();
    const { secret, ...rotated } = await manager.expectOk<NewWebhookBody>(
      'POST',
      `${path}/${created.id}/rotate-secret`,
    );
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(created.secret);
    const until = Date.parse(rotated.former_secret_until ?? '') - DAY_MS;
    expect(until).toBeGreaterThan(before - 1000);
    expect(until).toBeLessThanOrEqual(Date.now());
    expect(await manager.expectOk('GET', `${path}/${created.id}`)).toEqual(rotated);
    expect(await readStored(created.id)).toMatchObject({ secret, formerSecret: created.secret });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test("the payload can be full only if the service's public URL is set", async () => {
    const body = { name: 'Full', url: URL, payload: 'full' };
    const fault = { path: 'payload', message: expect.stringContaining('GALLEY_PUBLIC_URL') };
    expect(await manager.call('POST', path, { body })).toMatchObject({ status: 422, body: { errors: [fault] } });
    const { id } = await create();
    expect((await manager.call('PATCH', `${path}/${id}`, { body: { payload: 'full' } })).status).toBe(422);
    const known = await startManager({ GALLEY_PUBLIC_URL: 'https://content.example' }, { engine });
    try {
      await known.expectOk('POST', '/sites', { id: SITE, name: 'Known' });
      expect(await known.expectOk('POST', path, body)).toMatchObject({ payload: 'full' });
    } finally {
      await known.close();
    }
  });

  test('the audit log names each action, but contains no secret, header value or URL path', async () => {
    const { id } = await create({ headers: { 'x-key': 'aardvark' } });
    await change(id, { url: 'https://other.example/pangolin', headers: { 'x-key': 'axolotl' } });
    await change(id, { headers: { 'x-key': 'axolotl' } });
    await manager.expectOk('POST', `${path}/${id}/rotate-secret`);
    await manager.expectOk('DELETE', `${path}/${id}`);
    const about = { site: SITE, name: 'Build' };
    expect(await readActions(id)).toEqual([
      {
        ...about,
        action: 'webhook.create',
        details: expect.objectContaining({ url: 'https://hooks.example/…', header_names: ['x-key'] }),
      },
      {
        ...about,
        action: 'webhook.update',
        details: {
          before: { url: 'https://hooks.example/…' },
          after: { url: 'https://other.example/…' },
          replaced_header_values: ['x-key'],
        },
      },
      { ...about, action: 'webhook.rotate_secret', details: null },
      { ...about, action: 'webhook.delete', details: null },
    ]);
  });

  test('no response, log line or audit entry contains a secret or a header value', async () => {
    const value = 'Bearer numbat-4711';
    const answers: Answer[] = [];
    const call = async (method: string, place: string, body?: object): Promise<Answer> => {
      const answer = await manager.call(method, place, { body });
      answers.push(answer);
      return answer;
    };
    const { id, secret } = await create({ headers: { authorization: value } });
    const own = `${path}/${id}`;
    await call('GET', path);
    await call('GET', own);
    await call('PATCH', own, { name: 'Other' });
    await call('PATCH', own, { headers: { authorization: value, 'x-bad': `${value}\n` } });
    await call('PATCH', own, { headers: { authorization: `${value}é` } });
    await call('PATCH', own, { headers: { 'x-list': [value], 'x-number': 471108154711 } });
    await call('PATCH', own, { headers: { host: value } });
    await call('PATCH', own, { headers: { 'X-A': value, 'x-a': value } });
    await call('PATCH', own, { headers: value });
    await call('POST', `${own}/test`);
    await call('GET', `${own}/calls`);
    const { secret: rotated } = await manager.expectOk<NewWebhookBody>('POST', `${own}/rotate-secret`);
    await call('GET', own);
    await call('DELETE', own);
    await call('GET', '/audit?limit=100');
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 200, 200, 422, 422, 422, 422, 422, 422, 201, 200, 200, 204, 200],
    ]);
    expect(log.length).toBeGreaterThan(answers.length);
    const seen = [...answers.map(({ body }) => JSON.stringify(body)), ...log].join('\n');
    for (const word of ['numbat', '471108154711', secret.slice(6), rotated.slice(6)]) expect(seen).not.toContain(word);
  });

  describe('invalid input', () => {
    const long = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, 'v'] as const);
    test.each<[object, readonly string[]]>([
      [{ name: '' }, ['name']],
      [{ url: 'ftp://hooks.example' }, ['url']],
      [{ url: 'hooks.example' }, ['url']],
      [{ url: 'https://user:secret@hooks.example/' }, ['url']],
      [{ url: 'https://user@hooks.example/' }, ['url']],
      [{ url: 'https://hooks.example/#part' }, ['url']],
      [{ url: 'https://hooks.example/a b' }, ['url']],
      [{ url: `https://hooks.example/${'x'.repeat(2000)}` }, ['url']],
      [{ url: 'javascript:alert(1)' }, ['url']],
      [{ kinds: [] }, ['kinds']],
      [{ kinds: ['content.saved', 'content.published', 7] }, ['kinds[0]', 'kinds[2]']],
      [{ kinds: 'content.published' }, ['kinds']],
      [{ content_types: [] }, ['content_types']],
      [{ content_types: ['never'] }, ['content_types[0]']],
      [{ content_types: ['Not A Handle'] }, ['content_types[0]']],
      [{ languages: ['de'] }, ['languages[0]']],
      [{ headers: [] }, ['headers']],
      [{ headers: { 'x y': 'v', '': 'v', ümlaut: 'v' } }, ['headers["x y"]', 'headers[""]', 'headers["ümlaut"]']],
      [
        { headers: { 'Content-Type': 'text/plain', 'WEBHOOK-ID': '1' } },
        ['headers.Content-Type', 'headers.WEBHOOK-ID'],
      ],
      [
        { headers: { host: 'h', 'content-length': '1', 'transfer-encoding': 'chunked' } },
        ['headers.host', 'headers.content-length', 'headers.transfer-encoding'],
      ],
      [{ headers: { 'x-a': 'line\r\nx-b: c', 'x-b': ' v', 'x-c': '' } }, ['headers.x-a', 'headers.x-b', 'headers.x-c']],
      [{ headers: { 'x-unknown': null } }, ['headers.x-unknown']],
      [{ headers: Object.fromEntries(long(21)) }, ['headers']],
      [{ payload: 'whole' }, ['payload']],
      [
        { is_on: 1, is_batched: 'yes', secret: 'whsec_mine', position: 'a' },
        ['is_batched', 'is_on', 'secret', 'position'],
      ],
    ])('is refused: %j', async (body, places) => {
      const { id } = await create({ name: 'Steady' });
      const before = await list();
      const expected = places.map((place) => expect.objectContaining({ path: place }));
      for (const [method, place, whole] of [
        ['POST', path, { name: 'New', url: URL, ...body }],
        ['PATCH', `${path}/${id}`, body],
      ] as const) {
        const answer = await manager.call(method, place, { body: whole });
        expect(answer).toMatchObject({ status: 422, body: { errors: expect.arrayContaining(expected) } });
        expect((answer.body as { errors: readonly unknown[] }).errors).toHaveLength(places.length);
      }
      expect(await list()).toEqual(before);
      await manager.expectOk('DELETE', `${path}/${id}`);
    });
  });

  test('webhooks of other sites and accounts are not found', async () => {
    const { id } = await create();
    await manager.expectOk('POST', '/sites', { id: 's_near', name: 'Near' });
    for (const [place, token] of [
      [`/sites/s_near/webhooks/${id}`, manager.owner],
      [`${path}/${id}`, manager.stranger],
      [`${path}/wh_never`, manager.owner],
    ] as const) {
      for (const [method, end, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'Mine' }],
        ['DELETE', '', undefined],
        ['POST', '/rotate-secret', undefined],
        ['POST', '/test', undefined],
        ['GET', '/calls', undefined],
        ['GET', '/calls/msg_1', undefined],
        ['POST', '/calls/msg_1/send-again', undefined],
      ] as const) {
        expect([method, end, (await manager.call(method, `${place}${end}`, { body, token })).status]).toEqual([
          ...[method, end, 404],
        ]);
      }
    }
    expect((await readStored(id)).name).toBe('Build');
  });
});
