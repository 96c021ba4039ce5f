// Lists of users, tokens, audit entries and webhook calls are read from an index, without reading rows that are not listed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectUsers } from '../../src/storage/accounts/accounts.ts';
import { selectAuditEntries } from '../../src/storage/accounts/audit-entries.ts';
import { selectManagementTokens } from '../../src/storage/accounts/management-tokens.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { selectFailedCalls } from '../../src/storage/webhooks/failed-calls.ts';
import { deleteOldCalls } from '../../src/storage/webhooks/old-calls.ts';
import { selectCalls } from '../../src/storage/webhooks/webhook-calls.ts';
import { selectWebhooks } from '../../src/storage/webhooks/webhooks.ts';
import { explainPlan } from '../storage/explain-plan.ts';

describe('query plans for the lists that owners see', () => {
  let folder: string;
  let storage: Storage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-plans-'));
    storage = await openSqlite(join(folder, 'galley.db'), Date.now());
  });

  afterAll(async () => {
    await storage.close();
    await rm(folder, { recursive: true });
  });

  const readBy = (by: 'action' | 'actor' | 'site') => selectAuditEntries(1, 1000, 50, { by, value: 'x' });

  const readCalls = (state?: 'failed') => selectCalls(1, { state, before: 1000, limit: 50 });

  const creatorOfEach = '\nSEARCH u USING INDEX sqlite_autoindex_users_1 (id=?) LEFT-JOIN';

  test.each<[what: string, build: () => Procedure<unknown>, plan: string]>([
    ['users', () => selectUsers(1, 'a', 50), 'users_account (account_no=? AND email_key>?)'],
    [
      'tokens',
      () => selectManagementTokens(1, 'a', 50),
      `management_tokens_account (account_no=? AND id>?)${creatorOfEach}`,
    ],
    ['the audit log', () => selectAuditEntries(1, 1000, 50), 'audit_entries_account (account_no=? AND no<?)'],
    ['the audit log by action', () => readBy('action'), 'audit_entries_action (account_no=? AND action=? AND no<?)'],
    ['the audit log by actor', () => readBy('actor'), 'audit_entries_actor_id (account_no=? AND actor_id=? AND no<?)'],
    ['the audit log by site', () => readBy('site'), 'audit_entries_site_id (account_no=? AND site_id=? AND no<?)'],
    ['the calls to a webhook', () => readCalls(), 'webhook_calls_webhook (webhook_no=? AND no<?)'],
    ['failed calls', () => readCalls('failed'), 'webhook_calls_state (webhook_no=? AND state=? AND no<?)'],
  ])('read %s with a single index search, without sorting', async (_what, build, plan) => {
    expect((await explainPlan(storage, build())).join('\n')).toMatch(
      new RegExp(`^SEARCH \\w+ USING INDEX ${plan.replaceAll(/[()?]/g, String.raw`\$&`)}$`),
    );
  });

  test('use indexes to count waiting and failed webhook calls and to find the latest ones', async () => {
    expect(listSearches(await explainPlan(storage, selectWebhooks(1)))).toEqual([
      'SEARCH w USING INDEX webhooks_site (site_no=?)',
      'SEARCH c USING COVERING INDEX webhook_calls_attempt (webhook_no=?)',
      'SEARCH c USING COVERING INDEX webhook_calls_state (webhook_no=? AND state=?)',
    ]);
    expect(listSearches(await explainPlan(storage, selectFailedCalls(1)))).toEqual([
      'SEARCH c USING COVERING INDEX webhook_calls_failed (webhook_no=? AND state=?)',
      'SEARCH f USING COVERING INDEX webhook_call_contents_call (call_no=?) LEFT-JOIN',
    ]);
  });

  test('read only an index, in order, to find the calls that ended first', async () => {
    expect(await explainPlan(storage, deleteOldCalls(1, 1000))).toEqual([
      'SEARCH webhook_calls USING COVERING INDEX webhook_calls_ended (webhook_no=? AND ended_at>?)',
    ]);
  });
});

function listSearches(plan: readonly string[]): readonly string[] {
  return plan.filter((line) => line.startsWith('SEARCH'));
}
