// Webhook calls: tests, the log, operational events, and the effects of a permanent deletion.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { dirname } from 'node:path';
import type {
  ManagementPageBody,
  NewWebhookBody,
  WebhookBody,
  WebhookCallBody,
  WebhookCallDetailsBody,
} from '@galley/wire';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { startScheduler } from '../../src/authoring/schedule/scheduler.ts';
import { formatTimestamp } from '../../src/content/timestamp.ts';
import type { CallType, WebhookEvent } from '../../src/content/webhook-event.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { insertCalls } from '../../src/storage/webhooks/webhook-calls.ts';
import { selectWebhook, switchWebhookOff } from '../../src/storage/webhooks/webhooks.ts';
import { importText } from '../import/export-database.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { runSql } from '../support/run-sql.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

const path = `/sites/${SITE}/webhooks`;

let manager: Manager;
let desk: ContentDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    desk = await openContentDesk(manager);
    await manager.expectOk('POST', `/sites/${SITE}/assets`, { id: 'a_plan', name: 'Plan', url: '/plan.png' });
  });

  afterAll(() => manager.close());

  const create = (body: object = {}) =>
    manager.expectOk<NewWebhookBody>('POST', path, { name: 'Build', url: 'https://hooks.example/', ...body });
  const sendTest = (id: string) => manager.expectOk<WebhookCallBody>('POST', `${path}/${id}/test`);
  const listCalls = (id: string, search = '') =>
    manager.expectOk<ManagementPageBody<WebhookCallBody>>('GET', `${path}/${id}/calls?limit=100${search}`);
  const readCall = (id: string, callId: string) =>
    manager.expectOk<WebhookCallDetailsBody>('GET', `${path}/${id}/calls/${callId}`);

  /** Records the end of a call as the sender does. */
  function endCall(callId: string, state = 'delivered'): Promise<void> {
    return runSql(
      manager.service.storage,
      `update webhook_calls set state = '${state}', next_at = null, attempts = 1, ended_at = 1000, attempt_at = 1000, duration_ms = 5,
      status = 200, request_headers = '{"webhook-id":"${callId}"}', request_body = 'sent wombat', response_headers = '{}',
      response_body = 'answered wombat' where id = '${callId}'`,
    );
  }

  async function findNumbers(webhookId: string): Promise<{ readonly webhookNo: number; readonly siteNo: number }> {
    const select = defineStatement(
      () => sql`select no as "webhookNo", site_no as "siteNo" from webhooks where id = ${sql.lit(webhookId)}`,
    );
    const [row] = await manager.service.storage.read(query<{ webhookNo: number; siteNo: number }>(select));
    if (row === undefined) throw new Error(`There is no webhook ${webhookId}`);
    return row;
  }

  async function addCall(webhookId: string, events: readonly WebhookEvent[]): Promise<string> {
    const id = `msg_${randomUUIDv7().replaceAll('-', '')}`;
    const type: CallType = events.length === 1 ? (events[0]?.type ?? 'batch') : 'batch';
    const call = { ...(await findNumbers(webhookId)), id, type, events, nextAt: 1000, createdAt: 1000 };
    await manager.service.storage.transaction((transaction) => transaction.run(insertCalls([call])));
    return id;
  }

  /** Adds waiting test calls. */
  function addMany(webhookId: string, count: number): Promise<void> {
    return runSql(
      manager.service.storage,
      `insert into webhook_calls (site_no, webhook_no, id, type, events, state, created_at, next_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select w.site_no, w.no, w.id || '_' || n, 'webhook.test', '[]', 'waiting', 1, 1
      from webhooks as w join numbers on w.id = '${webhookId}' order by n`,
    );
  }

  function buildEvent(id: string): WebhookEvent {
    return {
      type: 'content.updated',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { site: SITE, id, uri: `posts/${id}` },
    };
  }

  describe('a call', () => {
    test('is queued after an owner requests a test', async () => {
      const { id } = await create();
      const call = await sendTest(id);
      expect(call).toMatchObject({
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        type: 'webhook.test',
        contents: [],
        state: 'waiting',
        ended_at: null,
      });
      expect(Date.parse(call.next_at ?? '')).toBeLessThanOrEqual(Date.now());
      expect(await readCall(id, call.id)).toMatchObject({
        events: [{ type: 'webhook.test', timestamp: expect.any(String), data: { site: SITE, webhook: id } }],
      });
      expect(await manager.expectOk('GET', `${path}/${id}`)).toMatchObject({ waiting_calls: 1 });
    });

    test('shows the current names of the content that it is about', async () => {
      const { id } = await create();
      const { id: contentId } = await desk.create({ name: 'Numbat' });
      const known = await addCall(id, [buildEvent(contentId), buildEvent('c_gone')]);
      const unknown = await addCall(id, [buildEvent('c_gone')]);
      expect((await listCalls(id)).data).toMatchObject([
        { id: unknown, content_name: null },
        { id: known, content_name: 'Numbat' },
      ]);
      expect((await readCall(id, known)).events.map((event) => event.content_name)).toEqual(['Numbat', null]);
    });

    test('shows its last request and response once it has ended', async () => {
      const { id } = await create();
      const call = await sendTest(id);
      await endCall(call.id);
      expect(await readCall(id, call.id)).toMatchObject({
        state: 'delivered',
        next_at: null,
        status: 200,
        duration_ms: 5,
        request: { headers: { 'webhook-id': call.id }, body: 'sent wombat' },
        response: { headers: {}, body: 'answered wombat' },
      });
      expect(await manager.expectOk('GET', `${path}/${id}`)).toMatchObject({
        waiting_calls: 0,
        last_call_at: '1970-01-01T00:00:01+00:00',
      });
    });

    test('can be sent again as a new call once it has ended', async () => {
      const { id } = await create();
      const events = [buildEvent('c_one'), buildEvent('c_two')];
      const first = await addCall(id, events);
      const again = () => manager.call('POST', `${path}/${id}/calls/${first}/send-again`);
      expect(await again()).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
      await endCall(first, 'failed');
      const answer = await again();
      expect(answer).toMatchObject({
        status: 201,
        body: { type: 'batch', contents: ['c_one', 'c_two'], state: 'waiting' },
      });
      const second = (answer.body as WebhookCallBody).id;
      expect(second).not.toBe(first);
      expect((await readCall(id, second)).events).toMatchObject(events);
      expect((await readCall(id, first)).state).toBe('failed');
      expect(await manager.expectOk('GET', `${path}/${id}`)).toMatchObject({
        failed_calls: 1,
        last_failed_at: '1970-01-01T00:00:01+00:00',
      });
    });

    test('counts as failed until later calls have delivered all of its content', async () => {
      const [{ id }, other] = [await create(), await create()];
      const readFigures = async () => {
        const { failed_calls, last_failed_at } = await manager.expectOk<WebhookBody>('GET', `${path}/${id}`);
        return [failed_calls, last_failed_at !== null];
      };
      const end = async (state: string, ...events: readonly WebhookEvent[]) => {
        const call = await addCall(id, events);
        await endCall(call, state);
        return call;
      };
      await end('delivered', buildEvent('c_two'));
      const failed = await end('failed', buildEvent('c_one'), buildEvent('c_two'));
      await end('delivered', buildEvent('c_one'));
      await endCall(await addCall(other.id, [buildEvent('c_two')]));
      await endCall((await sendTest(id)).id);
      expect(await readFigures()).toEqual([1, true]);
      const again = await manager.expectOk<WebhookCallBody>('POST', `${path}/${id}/calls/${failed}/send-again`);
      expect(await readFigures()).toEqual([1, true]);
      await endCall(again.id, 'failed');
      expect(await readFigures()).toEqual([2, true]);
      await end('delivered', buildEvent('c_two'), buildEvent('c_three'));
      // The call that was sent again comes after the delivery of c_one.
      expect(await readFigures()).toEqual([1, true]);
      await end('delivered', buildEvent('c_one'));
      expect(await readFigures()).toEqual([0, false]);
    });

    test('that is not about content counts as failed until a later call of its type has been delivered', async () => {
      const { id } = await create();
      const event = { type: 'import.finished', timestamp: '2026-01-01T00:00:00.000Z', data: { site: SITE } } as const;
      const readFailed = async () => (await manager.expectOk<WebhookBody>('GET', `${path}/${id}`)).failed_calls;
      await endCall(await addCall(id, [event]), 'failed');
      await endCall(await addCall(id, [buildEvent('c_one')]));
      expect(await readFailed()).toBe(1);
      await endCall(await addCall(id, [event]));
      expect(await readFailed()).toBe(0);
    });

    test('is refused while the webhook is off, and fails if it is waiting when the webhook is switched off', async () => {
      const { id } = await create();
      const call = await sendTest(id);
      await manager.expectOk('PATCH', `${path}/${id}`, { is_on: false });
      const ended = await readCall(id, call.id);
      expect(ended).toMatchObject({ state: 'failed', next_at: null, error: expect.stringContaining('switched off') });
      for (const end of ['test', `calls/${call.id}/send-again`]) {
        expect(await manager.call('POST', `${path}/${id}/${end}`)).toMatchObject({
          status: 409,
          body: { message: `Webhook ${id} is switched off. Switch it on first.`, details: { reason: 'webhook_off' } },
        });
      }
    });

    test('can be found only through its own webhook', async () => {
      const [one, two] = [await create(), await create()];
      const call = await sendTest(one.id);
      expect((await manager.call('GET', `${path}/${two.id}/calls/${call.id}`)).status).toBe(404);
      expect((await listCalls(two.id)).data).toEqual([]);
    });
  });

  test('calls are listed newest first, page by page, and can be filtered by state', async () => {
    const { id } = await create();
    const made: string[] = [];
    for (let count = 0; count < 7; count++) made.unshift((await sendTest(id)).id);
    for (const ended of [made[1], made[4]]) await endCall(ended ?? '');
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const search: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: ManagementPageBody<WebhookCallBody> = await manager.expectOk(
        ...(['GET', `${path}/${id}/calls?limit=3${search}`] as const),
      );
      seen.push(...page.data.map((call) => call.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made);
    expect((await listCalls(id, '&state=delivered')).data.map((call) => call.id)).toEqual([made[1], made[4]]);
    expect((await listCalls(id, '&state=waiting')).data).toHaveLength(5);
    expect((await manager.call('GET', `${path}/${id}/calls?state=lost`)).status).toBe(422);
  });

  test('switching a webhook on clears the reason why Galley switched it off', async () => {
    const { id } = await create();
    const { storage } = manager.service;
    await runSql(storage, `update webhooks set failing_since = 1000 where id = '${id}'`);
    const { webhookNo, siteNo } = await findNumbers(id);
    await storage.transaction((transaction) => transaction.run(switchWebhookOff(webhookNo, 'failing', 2000)));
    expect(await manager.expectOk('GET', `${path}/${id}`)).toMatchObject({
      is_on: false,
      off_reason: 'failing',
      off_at: '1970-01-01T00:00:02+00:00',
      failing_since: '1970-01-01T00:00:01+00:00',
    });
    const on = await manager.expectOk<WebhookBody>('PATCH', `${path}/${id}`, { is_on: true });
    expect(on).toMatchObject({ is_on: true, off_reason: null, off_at: null, failing_since: null });
    expect((await storage.read(selectWebhook(siteNo, id)))?.failingSince).toBe(null);
  });

  test('switching a webhook off keeps only a thousand of the calls that were waiting', async () => {
    const { id } = await create();
    const { storage } = manager.service;
    const numbers = await findNumbers(id);
    const calls = Array.from({ length: 1600 }, (_, index) => {
      const events = [buildEvent(`c_${index}`)];
      const type = 'content.updated';
      return { ...numbers, id: `msg_${index}`, type, events, nextAt: 1000, createdAt: 1000 } as const;
    });
    await storage.transaction((transaction) => transaction.run(insertCalls(calls)));
    await manager.expectOk('PATCH', `${path}/${id}`, { is_on: false });
    expect((await listCalls(id)).data[0]).toMatchObject({ id: 'msg_1599', state: 'failed' });
    const countCalls = defineStatement(
      () => sql`select count(*) as count from webhook_calls where webhook_no = ${sql.lit(numbers.webhookNo)}`,
    );
    const [count] = await storage.read(query<{ count: number }>(countCalls));
    expect(Number(count?.count)).toBe(1000);
  });

  describe('an operational event', () => {
    const DUE = Date.parse('2990-01-01T12:00:00Z');

    /** Creates content whose scheduled publish fails, because its required title is empty. */
    async function failSchedule(members: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const created = await desk.create(members);
      await desk.act(created, 'schedule', { publish_at: formatTimestamp(DUE) });
      await desk.save(created, { fields: {} });
      const clock = { storage: manager.service.storage, now: () => DUE, newUuid: randomUUIDv7, randomBytes };
      for await (const { failure } of fireDue(clock, DUE)) expect(failure).not.toBe(null);
      return created.id;
    }

    test('is sent to subscribed webhooks when a schedule fails', async () => {
      const kinds = ['schedule.failed'];
      const wanting = await create({ kinds });
      const others = [
        await create(),
        await create({ kinds, content_types: ['note'] }),
        await create({ kinds, languages: ['fr'] }),
        await create({ kinds, is_on: false }),
      ];
      const contentId = await failSchedule();
      const { data } = await listCalls(wanting.id);
      expect(data).toMatchObject([{ type: 'schedule.failed', contents: [contentId], state: 'waiting' }]);
      expect((await readCall(wanting.id, data[0]?.id ?? '')).events).toEqual([
        {
          content_name: 'A post',
          type: 'schedule.failed',
          timestamp: '2990-01-01T12:00:00.000Z',
          data: {
            site: SITE,
            id: contentId,
            content_type: 'post',
            language: 'en',
            reason: expect.stringMatching(/.+\.$/),
          },
        },
      ]);
      for (const { id } of others) expect((await listCalls(id)).data).toEqual([]);
    });

    test('is sent to the webhooks of each site in a bundle when the import has finished', async () => {
      const kinds = ['import.finished'];
      const records = [siteRecord('s_new'), typeRecord('s_new'), { ...postRecord('c_a'), site: 's_new' }];
      await manager.service.importRecords(records);
      const elsewhere = { name: 'New', url: 'https://hooks.example/', kinds };
      const { id: other } = await manager.expectOk<NewWebhookBody>('POST', '/sites/s_new/webhooks', elsewhere);
      const { id } = await create({ kinds, content_types: ['note'], languages: ['fr'] });
      await manager.service.importRecords(records);
      expect((await listCalls(id)).data).toEqual([]);
      const calls = await manager.expectOk<ManagementPageBody<WebhookCallBody>>(
        ...(['GET', `/sites/s_new/webhooks/${other}/calls`] as const),
      );
      expect(calls.data).toMatchObject([{ type: 'import.finished', contents: [] }]);
      const callPath = `/sites/s_new/webhooks/${other}/calls/${calls.data[0]?.id}`;
      expect(await manager.expectOk('GET', callPath)).toMatchObject({
        events: [
          {
            type: 'import.finished',
            data: {
              site: 's_new',
              counts: { sites: 1, content_types: 1, authors: 0, assets: 0, contents: 1, changed: 0 },
            },
          },
        ],
      });
    });

    test("contains the number of the site's own records if the bundle has several sites", async () => {
      const kinds = ['import.finished'];
      const { id } = await create({ kinds });
      const post = (index: number) => ({ ...postRecord(`c_${index}`), site: 's_large' });
      const large = [
        siteRecord('s_large'),
        typeRecord('s_large'),
        ...Array.from({ length: 3 }, (_, index) => post(index)),
      ];
      await manager.service.importRecords(large);
      const elsewhere = { name: 'Large', url: 'https://hooks.example/', kinds };
      const { id: other } = await manager.expectOk<NewWebhookBody>('POST', '/sites/s_large/webhooks', elsewhere);
      const author = (site: string) => ({ kind: 'author', site, id: 'u_imported', name: 'Ann' });
      await manager.service.importRecords([author(SITE), ...large, post(3)]);
      const readCounts = async (site: string, webhook: string) => {
        const path = `/sites/${site}/webhooks/${webhook}/calls`;
        const { data } = await manager.expectOk<ManagementPageBody<WebhookCallBody>>('GET', path);
        const { events } = await manager.expectOk<WebhookCallDetailsBody>('GET', `${path}/${data[0]?.id}`);
        return events[0]?.data.counts;
      };
      const none = { sites: 0, content_types: 0, authors: 0, assets: 0, contents: 0 };
      expect(await readCounts(SITE, id)).toEqual({ ...none, authors: 1, changed: 1 });
      expect(await readCounts('s_large', other)).toEqual({
        ...none,
        sites: 1,
        content_types: 1,
        contents: 4,
        changed: 1,
      });
    });

    test('is dropped with a warning while 6,000 calls to the webhook are waiting', async () => {
      const { storage } = manager.service;
      const { id } = await create({ kinds: ['schedule.failed', 'import.finished'] });
      await addMany(id, 6000);
      const created = await desk.create();
      await desk.act(created, 'schedule', { publish_at: formatTimestamp(DUE) });
      await desk.save(created, { fields: {} });
      const logged: { readonly msg: string; readonly [name: string]: unknown }[] = [];
      const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
      const clock = { storage, now: () => DUE, newUuid: randomUUIDv7, randomBytes };
      const scheduler = startScheduler({ desk: clock, log });
      await expect.poll(() => logged.find(({ webhook }) => webhook === id)).toMatchObject({ content: created.id });
      await scheduler.stop();
      const author = { kind: 'author', site: SITE, id: 'u_imported', name: 'Ann' };
      const { warnings } = await importText(storage, dirname(manager.service.assetsFolder), toLines([author]));
      expect(warnings.listed.map(({ message }) => message)).toEqual([
        `its webhook ${id} is not notified of this import, because too many of its calls are waiting`,
      ]);
      expect((await manager.expectOk<WebhookBody>('GET', `${path}/${id}`)).waiting_calls).toBe(6000);
    });

    test('is not sent for an import that fails', async () => {
      const { id } = await create({ kinds: ['import.finished'] });
      const faulty = { kind: 'author', id: 'u_new', site: SITE };
      await expect(manager.service.importRecords([faulty])).rejects.toThrow();
      expect((await listCalls(id)).data).toEqual([]);
    });

    test('loses its reason once content that the reason may quote has been permanently deleted', async () => {
      const { id } = await create({ kinds: ['schedule.failed'] });
      const kept = await failSchedule();
      const { storage } = manager.service;
      const gone = await desk.act(await desk.create(), 'archive');
      await runSql(
        storage,
        `update webhook_calls set events = replace(events, '"reason":"', '"reason":"${gone.id} quokka ')`,
      );
      expect(await findTablesWith(storage, 'quokka')).toEqual(['webhook_calls']);
      await manager.expectOk('DELETE', `/sites/${SITE}/content/${gone.id}?confirm=${gone.id}`);
      const { data } = await listCalls(id);
      expect(data).toMatchObject([{ type: 'schedule.failed', contents: [kept] }]);
      expect((await readCall(id, data[0]?.id ?? '')).events).toMatchObject([{ data: { id: kept, reason: null } }]);
      expect(await findTablesWith(storage, 'quokka')).toEqual([]);
    });
  });

  describe('permanent deletion', () => {
    test('removes content from waiting and logged calls, and all bodies from the log', async () => {
      const { id } = await create();
      const gone = await desk.act(await desk.create(), 'archive');
      const kept = await desk.create();
      const waiting = await addCall(id, [buildEvent(gone.id)]);
      const ended = await addCall(id, [buildEvent(gone.id)]);
      const batch = await addCall(id, [buildEvent(gone.id), buildEvent(kept.id), buildEvent(gone.id)]);
      const other = await addCall(id, [buildEvent(kept.id)]);
      for (const call of [ended, other]) await endCall(call);
      await manager.expectOk('DELETE', `/sites/${SITE}/content/${gone.id}?confirm=${gone.id}`);

      expect((await listCalls(id)).data.map((call) => call.id)).toEqual([other, batch]);
      for (const call of [waiting, ended]) {
        expect((await manager.call('GET', `${path}/${id}/calls/${call}`)).status).toBe(404);
      }
      expect(await readCall(id, batch)).toMatchObject({ state: 'waiting', events: [buildEvent(kept.id)] });
      expect(await readCall(id, other)).toMatchObject({
        state: 'delivered',
        request: { headers: { 'webhook-id': other }, body: null },
        response: { body: null },
      });
      const { storage } = manager.service;
      expect(await findTablesWith(storage, gone.id)).toEqual(['audit_entries']);
      expect(await findTablesWith(storage, kept.id)).toContain('webhook_call_contents');
      expect(await findTablesWith(storage, 'wombat')).toEqual([]);
    });

    test.each([
      ['an author', 'DELETE', 'authors/u_ada?confirm=u_ada', undefined],
      ['a field', 'DELETE', 'types/post/fields/notes?confirm=notes', undefined],
      ['an asset', 'DELETE', 'assets/a_photo', undefined],
      ['several assets', 'POST', 'assets/batch', { ids: ['a_paper', 'a_plan'], delete: true }],
    ])('removes all bodies from the log when it deletes %s', async (_, method, place, body) => {
      const { id } = await create();
      const call = await addCall(id, [buildEvent('c_any')]);
      await endCall(call);
      expect((await manager.call(method, `/sites/${SITE}/${place}`, { body })).status).toBeLessThan(300);
      expect(await readCall(id, call)).toMatchObject({ request: { body: null }, response: { body: null } });
    });

    test("removes a site's webhooks and calls, but not those of other sites", async () => {
      await manager.expectOk('POST', '/sites', { id: 's_near', name: 'Near' });
      const body = { name: 'Near', url: 'https://near.example/' };
      const near = await manager.expectOk<NewWebhookBody>('POST', '/sites/s_near/webhooks', body);
      const { id, secret } = await create({ headers: { 'x-key': 'numbat' } });
      const call = await addCall(id, [buildEvent('c_any')]);
      await addCall(near.id, [buildEvent('c_any')]);
      await endCall(call);
      await manager.expectOk('DELETE', `/sites/${SITE}?confirm=${SITE}`);
      const { storage } = manager.service;
      expect(await findTablesWith(storage, id)).toEqual(['audit_entries']);
      for (const word of [secret, 'numbat', 'wombat', call]) expect(await findTablesWith(storage, word)).toEqual([]);
      expect(await findTablesWith(storage, near.id)).toContain('webhooks');
      expect(await findTablesWith(storage, 'c_any')).toEqual(['webhook_call_contents', 'webhook_calls']);
    });
  });
});
