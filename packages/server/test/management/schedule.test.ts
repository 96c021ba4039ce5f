// Schedules that run when they are due, as in the service.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Desk } from '../../src/authoring/desk.ts';
import { type Firing, fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { selectNextDueTime } from '../../src/storage/contents/schedules.ts';
import { defineStatement, query, type SlotValues, slot } from '../../src/storage/statement.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { type Manager, startManager } from './manager.ts';

interface Entry {
  readonly action: string;
  readonly at: number;
  readonly actor_name: string;
  readonly site_id: string;
  readonly subject_id: string;
  readonly details: string;
}

const selectEntries = defineStatement(
  () => sql`select action, at, actor_name, site_id, subject_id, details from audit_entries
    where account_no = ${slot('account')} and actor_kind = 'schedule' order by no`,
);
const takeSlug = defineStatement(
  () => sql`update published_contents set slug = ${slot('slug')} where id = ${slot('id')}`,
);
const archive = defineStatement(() => sql`update contents set status = 'archived' where id = ${slot('id')}`);
const breakVersions = defineStatement(
  () =>
    sql`update content_versions set fields = '{' where content_no = (select no from contents where id = ${slot('id')})`,
);
const giveSite = defineStatement(
  () => sql`update sites set account_no = (select no from accounts where id = ${slot('account')})`,
);

const SITE = 's_small';
const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

describe('schedules', () => {
  let manager: Manager;
  let clock: number;

  beforeEach(async () => {
    manager = await startManager();
    clock = NOON;
    await manager.service.importRecords([siteRecord(), typeRecord()]);
  });

  afterEach(() => manager.close());

  function desk(): Desk {
    return { storage: manager.service.storage, now: () => clock, newUuid: randomUUIDv7, randomBytes };
  }

  async function fireAt(time: number): Promise<readonly Firing[]> {
    clock = time;
    const firings: Firing[] = [];
    for await (const firing of fireDue(desk(), time)) firings.push(firing);
    return firings;
  }

  function readEntries(): Promise<readonly Entry[]> {
    return manager.service.storage.read(query<Entry>(selectEntries, { account: MAIN_ACCOUNT_NO }));
  }

  function status(id: string): Promise<number> {
    return manager.read(SITE, `/${id}`).then((answer) => answer.status);
  }

  /** Puts the database into a state that the service itself does not create. */
  async function force(statement: Parameters<typeof query>[0], values: SlotValues): Promise<void> {
    await manager.service.storage.transaction((transaction) => transaction.run(query(statement, values)));
  }

  function at(minutes: number): string {
    return new Date(NOON + minutes * MINUTE).toISOString();
  }

  test('publish content when they are due and not earlier, with the scheduled time as its publish time', async () => {
    await manager.service.importRecords([
      postRecord('c_a', { status: 'draft', publish_at: at(5), published_at: null }),
    ]);
    expect(await fireAt(NOON + 5 * MINUTE - 1)).toEqual([]);
    expect(await status('c_a')).toBe(404);
    const fired = await fireAt(NOON + 7 * MINUTE);
    expect(fired).toMatchObject([{ kind: 'publish', contentId: 'c_a', dueAt: NOON + 5 * MINUTE, failure: null }]);
    const shown = await manager.read(SITE, '/c_a');
    expect(shown).toMatchObject({ status: 200, body: { published_at: '2026-03-01T12:05:00+00:00' } });
    expect(await fireAt(NOON + 9 * MINUTE)).toEqual([]);
  });

  test('keep the publish time of already published content', async () => {
    const draft = { name: 'Changed' };
    await manager.service.importRecords([postRecord('c_a', { publish_at: at(1), draft })]);
    await fireAt(NOON + MINUTE);
    const shown = await manager.read(SITE, '/c_a');
    expect(shown.body).toMatchObject({ name: 'Changed', published_at: '2026-01-01T00:00:00+00:00' });
  });

  test('run in chronological order, even after a delay', async () => {
    await manager.service.importRecords([
      postRecord('c_a', { status: 'draft', publish_at: at(3), unpublish_at: at(9) }),
      postRecord('c_b', { unpublish_at: at(1) }),
      postRecord('c_c', { draft: { name: 'Changed' }, publish_at: at(2), unpublish_at: at(4) }),
      postRecord('c_d', { status: 'draft', publish_at: at(5) }),
    ]);
    const fired = await fireAt(NOON + 60 * MINUTE);
    expect(fired.map(({ contentId, kind }) => `${contentId} ${kind}`)).toEqual([
      'c_b unpublish',
      'c_c publish',
      'c_a publish',
      'c_c unpublish',
      'c_d publish',
      'c_a unpublish',
    ]);
    expect(await Promise.all(['c_a', 'c_b', 'c_c', 'c_d'].map(status))).toEqual([404, 404, 404, 200]);
    const entries = await readEntries();
    expect(entries.map((entry) => `${entry.subject_id} ${entry.action}`)).toEqual(
      fired.map(({ contentId, kind }) => `${contentId} content.${kind}`),
    );
    expect(entries[0]).toMatchObject({ site_id: SITE, at: NOON + 60 * MINUTE, actor_name: 'Schedule' });
  });

  test('store the reason if they fail, and do not delay other schedules', async () => {
    await manager.service.importRecords([
      postRecord('c_gone', { status: 'draft', publish_at: at(1) }),
      postRecord('c_late', { status: 'draft', slug: 'wanted', publish_at: at(3) }),
      postRecord('c_fine', { status: 'draft', publish_at: at(4) }),
      postRecord('c_owner'),
    ]);
    await force(archive, { id: 'c_gone' });
    await force(takeSlug, { slug: 'wanted', id: 'c_owner' });
    const fired = await fireAt(NOON + 60 * MINUTE);
    expect(fired.map(({ contentId, failure }) => [contentId, failure?.reason.message ?? null])).toEqual([
      ['c_gone', 'Content c_gone is archived; it can only be restored.'],
      ['c_late', 'Its slug wanted is taken by content c_owner (same type and language).'],
      ['c_fine', null],
    ]);
    expect(await status('c_fine')).toBe(200);
    const [gone] = await readEntries();
    expect(gone).toMatchObject({ action: 'schedule.fail', subject_id: 'c_gone' });
    expect(JSON.parse(String(gone?.details))).toEqual({
      action: 'publish',
      reason: 'Content c_gone is archived; it can only be restored.',
      errors: [],
      content_type: 'post',
      due_at: '2026-03-01T12:01:00+00:00',
    });
    expect(await manager.service.storage.read(selectNextDueTime())).toBe(undefined);
  });

  test('are simply removed and logged as cancelled if they would unpublish content that is not published', async () => {
    await manager.service.importRecords([postRecord('c_draft', { status: 'draft', unpublish_at: at(2) })]);
    expect(await fireAt(NOON + 2 * MINUTE)).toMatchObject([{ kind: 'unpublish', contentId: 'c_draft', failure: null }]);
    const draft = await manager.expectOk('GET', `/sites/${SITE}/content/c_draft`);
    expect(draft).toMatchObject({ state: 'draft', unpublish_at: null });
    const entries = await readEntries();
    expect(entries.map(({ action }) => action)).toEqual(['content.cancel_schedule']);
    expect(JSON.parse(String(entries[0]?.details))).toEqual({
      which: 'unpublish',
      due_at: '2026-03-01T12:02:00+00:00',
    });
  });

  test('still unpublish content if publishing it failed earlier, because somebody may have published it manually', async () => {
    await manager.service.importRecords([
      postRecord('c_late', { status: 'draft', slug: 'wanted', publish_at: at(1), unpublish_at: at(9) }),
      postRecord('c_public', { draft: { slug: 'owned' }, publish_at: at(1), unpublish_at: at(9) }),
      postRecord('c_owner'),
      postRecord('c_other'),
    ]);
    await force(takeSlug, { slug: 'wanted', id: 'c_owner' });
    await force(takeSlug, { slug: 'owned', id: 'c_other' });
    expect(await fireAt(NOON + MINUTE)).toMatchObject([
      { kind: 'publish', failure: { bug: null } },
      { kind: 'publish', failure: { bug: null } },
    ]);
    const late = await manager.expectOk('GET', `/sites/${SITE}/content/c_late`);
    expect(late).toMatchObject({ state: 'draft', publish_at: null, unpublish_at: '2026-03-01T12:09:00+00:00' });
    expect((await manager.read(SITE, '/c_public')).status).toBe(200);
    await force(takeSlug, { slug: 'c-owner', id: 'c_owner' });
    await manager.expectOk('POST', `/sites/${SITE}/content/c_late/schedule`, { unpublish_at: '2999-01-01T00:00:00Z' });
    await manager.expectOk('POST', `/sites/${SITE}/content/c_late/publish`, {});
    expect(await status('c_late')).toBe(200);
    expect(await fireAt(NOON + 9 * MINUTE)).toMatchObject([
      { contentId: 'c_public', kind: 'unpublish', failure: null },
    ]);
    expect((await manager.read(SITE, '/c_public')).status).toBe(404);
    expect(await fireAt(Date.parse('2999-01-01T00:00:00Z'))).toMatchObject([{ contentId: 'c_late', failure: null }]);
    expect(await status('c_late')).toBe(404);
  });

  test("publish unchanged content at the URL that its type's current pattern produces", async () => {
    await manager.service.importRecords([postRecord('c_a', { publish_at: at(1) })]);
    const { id } = typeRecord();
    await manager.expectOk('PATCH', `/sites/${SITE}/types/${id}`, { uri_pattern: 'moved/{slug}' });
    await fireAt(NOON + MINUTE);
    expect((await manager.read(SITE, '/c_a')).body).toMatchObject({ uri: 'moved/c-a' });
  });

  test('publish only content that could also be published manually', async () => {
    const fields = [{ handle: 'title', name: 'Title', type: 'text', required: true }];
    await manager.service.importRecords([
      { ...typeRecord(), id: 't_strict', handle: 'strict', fields },
      postRecord('c_bare', { content_type: 'strict', status: 'draft', publish_at: at(1) }),
    ]);
    const [fired] = await fireAt(NOON + MINUTE);
    expect(fired?.failure?.reason).toEqual({
      message: 'Content c_bare cannot be published: fields.title is required and has no value.',
      faults: [{ path: 'fields.title', message: 'is required and has no value', code: 'required' }],
    });
    expect(await status('c_bare')).toBe(404);
  });

  test('do not prevent other schedules from running if they fail because of a bug', async () => {
    await manager.service.importRecords([
      postRecord('c_broken', { status: 'draft', publish_at: at(1) }),
      postRecord('c_fine', { status: 'draft', publish_at: at(2) }),
    ]);
    await force(breakVersions, { id: 'c_broken' });
    const fired = await fireAt(NOON + 60 * MINUTE);
    expect(fired).toMatchObject([
      { contentId: 'c_broken', failure: { bug: expect.any(SyntaxError) } },
      { contentId: 'c_fine', failure: null },
    ]);
    expect(await fireAt(NOON + 90 * MINUTE)).toEqual([]);
  });

  test('run once, however many processes run them at the same time', async () => {
    const posts = Array.from({ length: 60 }, (_, index) =>
      postRecord(`c_${index}`, { status: 'draft', publish_at: at(index) }),
    );
    await manager.service.importRecords(posts);
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => fireAt(NOON + 99 * MINUTE)));
    expect((one?.length ?? 0) + (two?.length ?? 0) + (three?.length ?? 0)).toBe(60);
    expect(await readEntries()).toHaveLength(60);
  });

  test('run after a management API call creates them, unless another call cancels them', async () => {
    await manager.service.importRecords([postRecord('c_a', { status: 'draft' }), postRecord('c_b')]);
    const later = Date.now() + 60 * MINUTE;
    const time = new Date(later).toISOString();
    await manager.expectOk('POST', `/sites/${SITE}/content/c_a/schedule`, { publish_at: time }, manager.editor);
    await manager.expectOk('POST', `/sites/${SITE}/content/c_b/schedule`, { unpublish_at: time }, manager.editor);
    await manager.expectOk('POST', `/sites/${SITE}/content/c_b/cancel-schedule`, {}, manager.editor);
    expect(await fireAt(later - 1)).toEqual([]);
    expect(await fireAt(later)).toMatchObject([{ contentId: 'c_a', kind: 'publish', failure: null }]);
    expect(await Promise.all(['c_a', 'c_b'].map(status))).toEqual([200, 200]);
  });

  test('are logged only in the audit log of their own account', async () => {
    const other = await manager.expectOk<{ id: string }>('GET', '/account', undefined, manager.stranger);
    await force(giveSite, { account: other.id });
    await manager.service.importRecords([postRecord('c_a', { status: 'draft', publish_at: at(1) })]);
    expect(await fireAt(NOON + MINUTE)).toMatchObject([{ contentId: 'c_a', failure: null }]);
    expect(await readEntries()).toEqual([]);
  });
});
