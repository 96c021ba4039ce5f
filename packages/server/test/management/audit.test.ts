// The audit log: who did what. Owners can read it, and nobody can change it.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditLogBody, NewManagementTokenBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { insertAuditEntry } from '../../src/storage/accounts/audit-entries.ts';
import { type Manager, startManager } from './manager.ts';

const SOURCE = join(import.meta.dirname, '../../src');

describe('the audit log', () => {
  let manager: Manager;
  let maker: NewManagementTokenBody;
  let past = 0;

  beforeAll(async () => {
    manager = await startManager();
    // Ignores the entries that the test setup created.
    for (const { number } of (await read('?limit=1')).data) past = number;
    maker = await manager.expectOk('POST', '/tokens', { name: 'Maker', role: 'owner' });
    for (let index = 0; index < 4; index++) {
      await manager.expectOk('POST', '/tokens', { name: `Token ${index}`, role: 'editor' }, maker.token);
      await manager.expectOk('PATCH', '/account', { name: `Name ${index}` });
    }
    await manager.expectOk('POST', '/tokens', { name: 'Elsewhere', role: 'editor' }, manager.stranger);
    await manager.service.storage.transaction((transaction) =>
      transaction.run(
        insertAuditEntry({
          accountNo: MAIN_ACCOUNT_NO,
          at: Date.UTC(2026, 0, 1),
          actorKind: 'schedule',
          actorId: null,
          actorName: 'Schedule',
          address: null,
          action: 'content.publish',
          siteId: 's_one',
          subjectId: 'c_1',
          subjectName: 'Hello',
          details: null,
        }),
      ),
    );
  });

  afterAll(() => manager.close());

  const read = (query = '', token?: string) =>
    manager.expectOk<AuditLogBody>('GET', `/audit${query}`, undefined, token);

  test('records who did what, when and from where, and lists the newest entries first', async () => {
    const { data: entries, next_before } = await read();
    const data = entries.filter(({ number }) => number > past);
    expect(data).toHaveLength(10);
    expect(next_before).toBe(null);
    expect(data[0]).toEqual({
      number: expect.any(Number),
      at: '2026-01-01T00:00:00+00:00',
      action: 'content.publish',
      actor: { kind: 'schedule', id: null, name: 'Schedule', address: null },
      site: 's_one',
      subject: { id: 'c_1', name: 'Hello' },
      details: null,
    });
    expect(data[2]).toEqual({
      number: expect.any(Number),
      at: expect.stringMatching(/\+00:00$/),
      action: 'token.create',
      actor: { kind: 'token', id: maker.id, name: 'Maker', address: '127.0.0.1' },
      site: null,
      subject: { id: expect.stringMatching(/^n_/), name: 'Token 3' },
      details: { role: 'editor', expires_at: null },
    });
    const numbers = data.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((left, right) => right - left));
    expect(JSON.stringify(data)).not.toContain(maker.token);
  });

  test('returns each entry once across all pages, even while entries are added', async () => {
    const all = (await read()).data;
    const seen = [];
    let before = '';
    do {
      const page = await read(`?limit=3${before}`);
      expect(page.data.length).toBeLessThanOrEqual(3);
      seen.push(...page.data);
      before = page.next_before === null ? '' : `&before=${page.next_before}`;
      await manager.expectOk('PATCH', '/account', { name: `Meanwhile ${seen.length}` }, manager.stranger);
    } while (before !== '');
    expect(seen).toEqual(all);
  });

  test.each([
    ['action=account.rename', 4],
    ['action=token.create', 5],
    ['action=content.publish', 1],
    ['action=nothing.happened', 0],
    ['site=s_one', 1],
    ['site=s_two', 0],
    ['actor=n_nobody', 0],
  ])('can be filtered by %s, with %i results', async (query, count) => {
    const { data } = await read(`?${query}`);
    expect(data).toHaveLength(count);
    const [name, value] = query.split('=');
    for (const entry of data) expect(name === 'action' ? entry.action : entry.site).toBe(value);
  });

  test('can be filtered by actor, page by page', async () => {
    const { data, next_before } = await read(`?actor=${maker.id}&limit=3`);
    const rest = await read(`?actor=${maker.id}&limit=3&before=${next_before}`);
    expect([...data, ...rest.data].map(({ subject }) => subject.name)).toEqual([
      'Token 3',
      'Token 2',
      'Token 1',
      'Token 0',
    ]);
    expect(rest.next_before).toBe(null);
  });

  test('contains only entries from one account and is visible only to its owners', async () => {
    const { data } = await read('?limit=100', manager.stranger);
    expect(data.every(({ action, subject }) => action === 'account.rename' || subject.name === 'Elsewhere')).toBe(true);
    expect(data.map(({ subject }) => subject.name)).toContain('Elsewhere');
    expect((await read()).data.map(({ subject }) => subject.name)).not.toContain('Elsewhere');
    expect((await manager.call('GET', '/audit', { token: manager.editor })).status).toBe(403);
    expect((await manager.call('GET', '/audit', { token: undefined })).status).toBe(401);
  });

  test('can be filtered by end time, alone and with other filters, page by page', async () => {
    await using later = await startLater();
    const { data: all } = await later.read('?limit=100');
    for (const { at } of all) {
      const earlier = all.filter((entry) => entry.at < at);
      const until = `until=${encodeURIComponent(at)}`;
      expect((await later.read(`?limit=100&${until}`)).data).toEqual(earlier);
      const published = earlier.filter(({ action }) => action === 'content.publish');
      expect((await later.read(`?limit=100&action=content.publish&${until}`)).data).toEqual(published);
      const page = await later.read(`?limit=2&${until}`);
      expect(page.data).toEqual(earlier.slice(0, 2));
      const next = await later.read(`?limit=2&${until}&before=${page.next_before ?? 1}`);
      expect(next.data).toEqual(page.next_before === null ? [] : earlier.slice(2, 4));
    }
    expect(all.length).toBeGreaterThan(20);
    expect((await later.read('?until=2999-01-01T00:00:00%2B00:00&limit=100')).data).toEqual(all);
  });

  test.each([
    'until=yesterday',
    'limit=0',
    'limit=101',
    'before=0',
    'before=-1',
    'before=1e3',
    'action=Drop',
    'site=a/b',
    'sort=at',
    'action=a.b&site=s',
  ])('rejects the query %s', async (query) => {
    expect((await manager.call('GET', `/audit?${query}`)).status).toBe(422);
  });

  test('is append-only: no statement or route deletes entries, and only one statement removes names', async () => {
    const texts = globSync('**/*.ts', { cwd: SOURCE }).map((path) => readFileSync(join(SOURCE, path), 'utf8'));
    const words = texts.flatMap((text) => [...text.matchAll(/(\w+)\s+audit_entries\b/gi)]).map(([, word]) => word);
    expect(new Set(words)).toEqual(new Set(['table', 'on', 'into', 'join', 'from', 'update']));
    expect(words.filter((word) => word === 'update')).toHaveLength(1);
    expect(texts.filter((text) => /\bdelete\s+from\s+audit_entries\b/i.test(text))).toEqual([]);
    const routes = MANAGEMENT_ROUTES.filter(({ path }) => path.startsWith('/audit'));
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /audit']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await manager.call(method, '/audit')).status).toBe(405);
    }
  });
});

/** Starts a service whose audit log has entries dated in the future. Some of them have the same time. */
async function startLater(): Promise<{ read(query: string): Promise<AuditLogBody> } & AsyncDisposable> {
  const manager = await startManager();
  await manager.service.storage.transaction(async (transaction) => {
    for (let index = 0; index < 20; index++) {
      await transaction.run(
        insertAuditEntry({
          accountNo: MAIN_ACCOUNT_NO,
          at: Date.UTC(2090, 0, 1) + Math.floor(index / 3) * 60_000,
          actorKind: 'schedule',
          actorId: null,
          actorName: 'Schedule',
          address: null,
          action: index % 2 === 0 ? 'content.publish' : 'content.unpublish',
          siteId: 's_one',
          subjectId: 'c_1',
          subjectName: `Hello ${index}`,
          details: null,
        }),
      );
    }
  });
  return {
    read: (query) => manager.expectOk<AuditLogBody>('GET', `/audit${query}`),
    [Symbol.asyncDispose]: () => manager.close(),
  };
}
