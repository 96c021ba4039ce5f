// A failed schedule stays visible, with the reason, until somebody deals with it.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { ContentSummaryBody, ManagedContentBody, OverviewBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Firing, fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { formatTimestamp } from '../../src/content/timestamp.ts';
import { StorageUnavailable } from '../../src/storage/engine.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { exportText } from '../import/export-database.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

const DUE = Date.parse('2990-01-01T12:00:00Z');
const MINUTE = 60_000;
const NO_TITLE = { path: 'fields.title', message: 'is required and has no value', code: 'required' };
const WHOLE = { title: { text: 'Hello' } };

let manager: Manager;
let desk: ContentDesk;
/** Every schedule has a different time, so each test runs only its own schedules. */
let minutes = 0;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    desk = await openContentDesk(manager);
  });

  afterAll(() => manager.close());

  async function fire(at: number, storage: Storage = manager.service.storage): Promise<readonly Firing[]> {
    const firings: Firing[] = [];
    const clock = { storage, now: () => at, newUuid: randomUUIDv7, randomBytes };
    for await (const firing of fireDue(clock, at)) firings.push(firing);
    return firings;
  }

  function nextTime(): number {
    minutes += 10;
    return DUE + minutes * MINUTE;
  }

  /** Creates content with a scheduled publish that will fail, because the required title is empty when the publish is due. */
  async function schedule(
    members: Readonly<Record<string, unknown>> = {},
    times: { readonly at?: number; readonly unpublishAt?: number } = {},
  ): Promise<{ readonly content: ManagedContentBody; readonly at: number }> {
    const { at = nextTime(), unpublishAt } = times;
    const created = await desk.create(members);
    await desk.act(created, 'schedule', {
      publish_at: formatTimestamp(at),
      ...(unpublishAt === undefined ? {} : { unpublish_at: formatTimestamp(unpublishAt) }),
    });
    return { content: await desk.save(created, { fields: {} }), at };
  }

  async function failSchedule(...options: Parameters<typeof schedule>): Promise<ManagedContentBody> {
    const { content, at } = await schedule(...options);
    await fire(at);
    const failed = await desk.get(content.id);
    expect(failed.failed_schedule).not.toBe(null);
    return failed;
  }

  function list(search: string): Promise<{ data: readonly ContentSummaryBody[]; next_cursor: string | null }> {
    return manager.expectOk('GET', `/sites/${SITE}/content?status=failed&${search}`, undefined, manager.editor);
  }

  interface AuditEntry {
    readonly subject: { readonly id: string };
    readonly details: Readonly<Record<string, unknown>> | null;
  }

  async function readFailures(limit: number): Promise<readonly AuditEntry[]> {
    const path = `/audit?action=schedule.fail&limit=${limit}`;
    return (await manager.expectOk<{ data: readonly AuditEntry[] }>('GET', path)).data;
  }

  function readOverview(): Promise<OverviewBody> {
    return manager.expectOk('GET', `/sites/${SITE}/overview`, undefined, manager.editor);
  }

  describe('a schedule that fails', () => {
    test('is kept with the errors that a manual publish would return, and is not retried', async () => {
      const { content, at } = await schedule();
      expect(content.failed_schedule).toBe(null);
      expect(await fire(at + 90_000)).toMatchObject([{ contentId: content.id, failure: { bug: null } }]);
      const failed = await desk.get(content.id);
      const refused = await desk.call('POST', `/${content.id}/publish`, {});
      expect(refused).toMatchObject({ status: 422, body: { errors: [NO_TITLE] } });
      expect(failed).toMatchObject({ state: 'draft', publish_at: null });
      expect(failed.failed_schedule).toEqual({
        action: 'publish',
        due_at: formatTimestamp(at),
        failed_at: formatTimestamp(at + 90_000),
        message: Object(refused.body).message,
        errors: [NO_TITLE],
      });
      const [listed] = (await list('sort=updated_at:desc&limit=1')).data;
      expect(listed).toMatchObject({ id: content.id, failed_schedule: failed.failed_schedule });
      await desk.save(failed, { fields: WHOLE });
      expect(await fire(at + 3 * MINUTE)).toEqual([]);
      expect((await desk.get(content.id)).failed_schedule).toEqual(failed.failed_schedule);
    });

    test('produces only one failure, however many processes run schedules', async () => {
      const at = nextTime();
      const failing = await Promise.all(Array.from({ length: 5 }, () => schedule({}, { at })));
      const fired = (await Promise.all([fire(at), fire(at), fire(at)])).flat();
      const ids = failing.map(({ content }) => content.id);
      expect(fired.map(({ contentId }) => contentId).toSorted()).toEqual(ids.toSorted());
      const entries = await readFailures(5);
      expect(entries.map(({ subject }) => subject.id).toSorted()).toEqual(ids.toSorted());
    });

    test('stays due if the database becomes unavailable or the process ends before the failure is saved', async () => {
      const { content, at } = await schedule();
      const { storage } = manager.service;
      for (const lost of [1, 2]) {
        let count = 0;
        const failing: Storage = {
          ...storage,
          transaction: async (work) => {
            count += 1;
            if (count === lost) throw new StorageUnavailable('gone');
            return storage.transaction(work);
          },
        };
        await expect(fire(at, failing)).rejects.toThrow('gone');
        expect(await desk.get(content.id)).toMatchObject({ publish_at: formatTimestamp(at), failed_schedule: null });
      }
      expect(await fire(at)).toMatchObject([{ contentId: content.id, failure: { bug: null } }]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('is kept with only its first 20 errors', async () => {
      const cards = Array.from({ length: 30 }, () => ({ content_type: 'card', fields: {} }));
      const at = nextTime();
      const created = await desk.create();
      await desk.act(created, 'schedule', { publish_at: formatTimestamp(at) });
      await desk.save(created, { fields: { ...WHOLE, parts: { blocks: cards } } });
      await fire(at);
      const { failed_schedule: failed } = await desk.get(created.id);
      expect(failed?.errors).toHaveLength(20);
      expect(failed?.errors[19]?.path).toBe('fields.parts.blocks[19].fields.title');
      expect(failed?.message).toMatch(/, and 29 more\.$/);
    });

    test('is recorded in the audit log with the schedule as the actor', async () => {
      const { id, failed_schedule: failed } = await failSchedule();
      expect(await readFailures(1)).toMatchObject([
        {
          action: 'schedule.fail',
          actor: { kind: 'schedule' },
          subject: { id },
          details: {
            action: 'publish',
            reason: failed?.message,
            errors: failed?.errors,
            content_type: 'post',
            due_at: failed?.due_at,
          },
        },
      ]);
    });

    test('does not delay other schedules that are due at the same time', async () => {
      const at = nextTime();
      const first = await schedule({ name: 'First' }, { at });
      const fine = await desk.create({ name: 'Fine' });
      await desk.act(fine, 'schedule', { publish_at: formatTimestamp(at) });
      const last = await schedule({ name: 'Last' }, { at });
      const fired = await fire(at);
      expect(fired.map(({ contentId, failure }) => [contentId, failure?.reason.faults ?? null])).toEqual([
        [first.content.id, [NO_TITLE]],
        [fine.id, null],
        [last.content.id, [NO_TITLE]],
      ]);
      expect(await desk.readName(fine.id)).toBe('Fine');
    });

    test('does not affect readers or previews, and keeps cached responses valid', async () => {
      const published = await desk.create({ name: 'Public' });
      await desk.act(published, 'publish');
      const at = nextTime();
      await desk.act(published, 'schedule', { publish_at: formatTimestamp(at) });
      await desk.save(await desk.get(published.id), { name: 'Changed', fields: {} });
      const read = async (headers: Readonly<Record<string, string>>) => {
        const { body, headers: got } = await manager.read(SITE, `/${published.id}`, headers);
        return { body, etag: got.get('etag'), cache: got.get('cache-status') };
      };
      await read({});
      const before = [await read({}), await read({ 'x-service-preview': 'true' })];
      expect(before[0]?.cache).toBe('galley; hit');
      expect(await fire(at)).toMatchObject([{ failure: { bug: null } }]);
      expect([await read({}), await read({ 'x-service-preview': 'true' })]).toEqual(before);
    });

    test("changes the content's ETag, so nobody overlooks the failure", async () => {
      const { content, at } = await schedule();
      const path = `/sites/${SITE}/content/${content.id}`;
      const etag = (await manager.call('GET', path)).headers.get('etag') ?? '';
      await fire(at);
      const headers = { 'if-match': etag };
      expect((await manager.call('POST', `${path}/archive`, { body: {}, headers })).status).toBe(412);
      const now = (await manager.call('GET', path)).headers.get('etag') ?? '';
      expect((await manager.call('POST', `${path}/archive`, { body: {}, headers: { 'if-match': now } })).status).toBe(
        200,
      );
    });
  });

  describe('a failed schedule', () => {
    test('is removed when somebody unpublishes the content', async () => {
      const published = await desk.create();
      await desk.act(published, 'publish');
      const at = nextTime();
      await desk.act(published, 'schedule', { publish_at: formatTimestamp(at) });
      await desk.save(await desk.get(published.id), { fields: {} });
      await fire(at);
      expect(await desk.get(published.id)).toMatchObject({ state: 'changed', failed_schedule: { errors: [NO_TITLE] } });
      expect(await desk.act(published, 'unpublish')).toMatchObject({ state: 'unpublished', failed_schedule: null });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test.each<[what: string, act: (content: ManagedContentBody) => Promise<ManagedContentBody>]>([
      ['publishes the content', async (content) => desk.act(await desk.save(content, { fields: WHOLE }), 'publish')],
      ['dismisses it', (content) => desk.act(content, 'cancel-schedule', { which: 'publish' })],
      ['cancels all schedules', (content) => desk.act(content, 'cancel-schedule', {})],
      ['archives the content', (content) => desk.act(content, 'archive')],
      [
        'schedules the content again',
        async (content) =>
          desk.act(await desk.save(content, { fields: WHOLE }), 'schedule', { publish_at: '2999-01-01T00:00:00Z' }),
      ],
    ])('is removed when somebody %s', async (_what, act) => {
      const failed = await failSchedule();
      const after = await act(failed);
      expect(after.failed_schedule).toBe(null);
      expect((await list('limit=100')).data.map(({ id }) => id)).not.toContain(failed.id);
      if (after.publish_at !== null) await desk.act(after, 'cancel-schedule', {});
    });

    test('is not removed when the scheduled unpublish is changed or carried out', async () => {
      const at = nextTime();
      const failed = await failSchedule({}, { at, unpublishAt: at + 5 * MINUTE });
      expect(failed.unpublish_at).toBe(formatTimestamp(at + 5 * MINUTE));
      const later = formatTimestamp(at + 6 * MINUTE);
      expect(await desk.act(failed, 'schedule', { unpublish_at: later })).toMatchObject({
        unpublish_at: later,
        failed_schedule: failed.failed_schedule,
      });
      expect(await fire(at + 6 * MINUTE)).toMatchObject([{ kind: 'unpublish', failure: null }]);
      const { unpublish_at, failed_schedule } = await desk.get(failed.id);
      expect({ unpublish_at, failed_schedule }).toEqual({
        unpublish_at: null,
        failed_schedule: failed.failed_schedule,
      });
    });

    test('cannot be dismissed twice', async () => {
      const { id } = await failSchedule();
      expect((await desk.call('POST', `/${id}/cancel-schedule`, { which: 'unpublish' })).status).toBe(409);
      expect((await desk.call('POST', `/${id}/cancel-schedule`, { which: 'publish' })).status).toBe(200);
      expect(await desk.call('POST', `/${id}/cancel-schedule`, { which: 'publish' })).toMatchObject({
        status: 409,
        body: { details: { reason: 'not_scheduled' } },
      });
    });
  });

  test('failed schedules can be listed in any sort order, with any other filter, page by page', async () => {
    const names = ['Delta', 'Alpha', 'Charlie', 'Bravo'].map((name) => `Listed ${name}`);
    for (const name of names) await failSchedule({ name });
    await desk.create({ name: 'Listed Echo' });
    const shown = async (search: string) => (await list(search)).data.map(({ name }) => name);
    expect(await shown('search=listed&sort=created_at:asc')).toEqual(names);
    expect(await shown('search=listed&sort=updated_at:desc')).toEqual(names.toReversed());
    expect(await shown('search=listed&sort=name:asc')).toEqual(names.toSorted());
    expect(await shown('search=listed&content_type=note')).toEqual([]);
    const first = await list('search=listed&sort=name:asc&limit=3');
    expect(first.data).toHaveLength(3);
    expect(await shown(`search=listed&sort=name:asc&limit=3&cursor=${first.next_cursor}`)).toEqual(['Listed Delta']);
  });

  test('the overview counts failed schedules and shows the last ten, newest first', async () => {
    const { failed: before } = (await readOverview()).states;
    const times = Array.from({ length: 11 }, () => nextTime());
    const records = times.map((at, index) => ({
      ...{ kind: 'content', id: `c_shown_${index}`, site: SITE, content_type: 'post', language: 'en' },
      ...{ slug: `shown-${index}`, name: `Shown ${index}`, status: 'draft', publish_at: formatTimestamp(at) },
    }));
    await manager.service.importRecords(records);
    for (const at of times) await fire(at);
    const ids = records.map(({ id }) => id);
    const { states, failed } = await readOverview();
    expect(states.failed).toBe(before + 11);
    expect(failed.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10));
    const { failed_schedule } = await desk.get(ids[10] ?? '');
    expect(failed[0]).toEqual({
      id: ids[10],
      name: 'Shown 10',
      content_type: 'post',
      language: 'en',
      failed_schedule,
    });
  });

  test('permanently deleting a field removes its values from stored failure reasons', async () => {
    const path = `/sites/${SITE}/types/note/fields`;
    const option = { label: 'Oak', value: 'samovar' };
    await manager.expectOk('POST', path, { handle: 'wood', name: 'Wood', type: 'option', options: [option] });
    const readEntry = async () => (await readFailures(1))[0];
    const at = nextTime();
    const note = await desk.create({ content_type: 'note', fields: { wood: { selected_option: 'samovar' } } });
    await desk.act(note, 'schedule', { publish_at: formatTimestamp(at) });
    const other = { options: [{ label: 'Elm', value: 'elm' }] };
    await manager.expectOk('PATCH', `${path}/wood?confirm=wood`, other);
    await fire(at);
    expect((await desk.get(note.id)).failed_schedule?.errors[0]?.message).toContain('samovar');
    expect(await findTablesWith(manager.service.storage, 'samovar')).toContain('contents');
    expect(await readEntry()).toMatchObject({
      details: { reason: expect.stringContaining('samovar'), errors: [{ values: { value: 'samovar' } }] },
    });
    const unrelated = await desk.create({ content_type: 'note', fields: {} });
    await desk.act(unrelated, 'archive');
    await manager.expectOk('DELETE', `/sites/${SITE}/content/${unrelated.id}?confirm=${unrelated.id}`);
    expect((await desk.get(note.id)).failed_schedule?.errors[0]?.message).toContain('samovar');
    expect(JSON.stringify(await readEntry())).toContain('samovar');
    await manager.expectOk('DELETE', `${path}/wood?confirm=wood`);
    expect(await findTablesWith(manager.service.storage, 'samovar')).not.toContain('contents');
    expect(await readEntry()).toMatchObject({ subject: { id: note.id }, details: null });
    expect((await desk.get(note.id)).failed_schedule).toMatchObject({ action: 'publish', errors: [] });
  });

  test('permanently deleting content removes its name from the stored failure reasons of other content', async () => {
    const at = nextTime();
    const late = await desk.create({ uri: 'quay' });
    await desk.act(late, 'schedule', { publish_at: formatTimestamp(at) });
    const holder = await desk.create({ name: 'Brass astrolabe', uri: 'quay' });
    await desk.act(holder, 'publish');
    await fire(at);
    const [entry] = await readFailures(1);
    expect(entry?.details?.errors).toMatchObject([{ code: 'url_taken', values: { name: 'Brass astrolabe' } }]);
    await desk.act(holder, 'archive');
    await manager.expectOk('DELETE', `/sites/${SITE}/content/${holder.id}?confirm=${holder.id}`);
    expect(await readFailures(1)).toMatchObject([{ subject: { id: late.id }, details: null }]);
    expect(await findTablesWith(manager.service.storage, 'Brass astrolabe')).toEqual([]);
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('a bundle contains no failed schedules, and importing it into the same site does not change them', async () => {
    const { id, failed_schedule: failed } = await failSchedule();
    const lines = (await exportText(manager.service.storage, SITE)).trimEnd().split('\n');
    const own = lines.filter((line) => line.includes(`"id":"${id}"`));
    expect(own).toHaveLength(1);
    expect(own[0]).not.toContain('fail');
    await manager.service.importRecords(lines.map((line) => JSON.parse(line)));
    expect((await desk.get(id)).failed_schedule).toEqual(failed);
    await manager.service.importRecords(own.map((line) => ({ ...JSON.parse(line), name: 'Imported' })));
    expect(await desk.get(id)).toMatchObject({ name: 'Imported', failed_schedule: null });
  });
});
