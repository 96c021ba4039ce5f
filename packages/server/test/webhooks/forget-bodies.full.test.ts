// The bodies of logged calls are deleted in batches, so that permanent deletion does not block other work.

import type { NewWebhookBody } from '@galley/wire';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { buildTestEvent } from '../../src/content/webhook-event.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { type CallPlace, FIRST_CALL, forgetCallBodies, insertCalls } from '../../src/storage/webhooks/webhook-calls.ts';
import { startManager } from '../management/manager.ts';
import { runSql } from '../support/run-sql.ts';
import { ENGINES } from '../support/test-database.ts';

const selectWebhooks = defineStatement(() => sql`select no, site_no from webhooks order by no`);
const selectKept = defineStatement(() => sql`select no from webhook_calls where request_body is not null`);

describe.each(ENGINES)('on %s', (engine) => {
  test('each batch deletes the bodies of at most 500 calls, and only those of one site', async () => {
    await using resources = new AsyncDisposableStack();
    const manager = await startManager({}, { engine });
    resources.defer(() => manager.close());
    const { storage } = manager.service;
    for (const id of ['s_one', 's_two']) {
      const site = { kind: 'site', id, name: id, default_language: 'en', languages: ['en'] };
      await manager.service.importRecords([site]);
      const webhook = { name: 'Test', url: 'https://hooks.example', is_on: false };
      await manager.expectOk<NewWebhookBody>('POST', `/sites/${id}/webhooks`, webhook);
    }
    const webhooks = await storage.read(query<{ no: number; site_no: number }>(selectWebhooks));
    const event = buildTestEvent('s_one', 'wh_one', 0);
    for (const [index, { no: webhookNo, site_no: siteNo }] of webhooks.entries()) {
      const calls = Array.from({ length: index === 0 ? 1000 : 100 }, (_, number) => {
        const id = `msg_${index}_${number}`;
        return { siteNo, webhookNo, id, type: event.type, events: [event], nextAt: 0, createdAt: 0 };
      });
      await storage.transaction(({ run }) => run(insertCalls(calls)));
    }
    await runSql(storage, `update webhook_calls set request_body = 'request', response_body = 'response'`);
    const left: number[] = [];
    let place: CallPlace | null = FIRST_CALL;
    while (place !== null) {
      const after: CallPlace = place;
      place = await storage.transaction(({ run }) => run(forgetCallBodies(webhooks[0]?.site_no ?? 0, after)));
      left.push((await storage.read(query(selectKept))).length);
    }
    expect(left).toEqual([600, 100, 100]);
  });
});
