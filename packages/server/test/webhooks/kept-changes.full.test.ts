// The change log keeps the changes that a webhook has not caught up on, however old they are.

import type { NewWebhookBody } from '@galley/wire';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sweepChanges } from '../../src/authoring/change-sweep.ts';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { encodePosition } from '../../src/listing/change-position.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { runSql } from '../support/run-sql.ts';
import { startService } from '../support/service.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';
import { ENVIRONMENT, FAST, listSiteRecords, post, SITE } from './hook-desk.ts';
import { Receiver, summarize } from './receiver.ts';

/** A site without webhooks. Its log is swept after the other site's. */
const OTHER = 's_other';

let database: TestDatabase;
let manager: Manager;
let receiver: Receiver;
let day: number;

const now = (): number => Date.now() + day * DAY_MS;
const createDatabase = async () => ({ ...database, remove: async () => {} });

describe.each(ENGINES)('on %s', (engine) => {
  beforeEach(async () => {
    day = 0;
    database = await createTestDatabase(engine);
    receiver = await Receiver.open();
    manager = await startManager(ENVIRONMENT, { createDatabase, now });
    for (const site of [SITE, OTHER]) {
      await manager.service.importRecords([
        ...listSiteRecords(site),
        { ...post('c_a'), site },
        { ...post('c_b'), site },
      ]);
    }
  });

  afterEach(async () => {
    await manager.close();
    await receiver[Symbol.asyncDispose]();
    await database.remove();
  });

  const createWebhook = (members: object = {}) =>
    manager.expectOk<NewWebhookBody>('POST', `/sites/${SITE}/webhooks`, {
      name: 'Test',
      url: receiver.url,
      ...members,
    });

  const unpublish = (id: string) =>
    manager.expectOk('POST', `/sites/${SITE}/content/${id}/unpublish`, { confirm: true });

  /** The positions in a site's log. */
  async function readLog(site: string): Promise<readonly number[]> {
    const select = defineStatement(
      () => sql`select c.position from changes as c join sites as s on s.no = c.site_no
      where s.id = ${sql.lit(site)} order by c.position`,
    );
    const rows = await manager.service.storage.read(query<{ position: number }>(select));
    return rows.map(({ position }) => position);
  }

  test('a webhook gets all changes even if no call could be sent for days and GALLEY_CHANGES_DAYS is 1', async () => {
    await createWebhook();
    await createWebhook({ is_on: false });
    await unpublish('c_a');
    day = 3;
    await unpublish('c_b');
    const sweeping = await startService({ GALLEY_CHANGES_DAYS: '1' }, { createDatabase, now, sweepChangesAfterMs: 0 });
    await expect.poll(() => readLog(OTHER)).toEqual([]);
    await sweeping.close();
    manager.service.startSender(FAST);
    await receiver.waitUntil(({ accepted }) => accepted.length >= 2);
    expect(summarize(receiver.accepted)).toEqual(['content.unpublished c_a', 'content.unpublished c_b']);
    await sweepChanges({ storage: manager.service.storage, before: now() + DAY_MS });
    expect(await readLog(SITE)).toEqual([]);
  });

  test('a row stays in the log while a webhook is still reading the objects that the change in the row affects', async () => {
    await createWebhook();
    await unpublish('c_a');
    await unpublish('c_b');
    const { storage } = manager.service;
    const [last = 0, middle = 0] = (await readLog(SITE)).toReversed();
    const sweepAt = async (position: Parameters<typeof encodePosition>[0]) => {
      await runSql(storage, `update webhooks set position = '${encodePosition(position)}'`);
      await sweepChanges({ storage, before: now() + DAY_MS });
      return readLog(SITE);
    };
    const inside = { shown: null, linking: null };
    expect(await sweepAt({ mode: 'changes', row: middle, inside })).toEqual([middle, last]);
    expect(await sweepAt({ mode: 'changes', row: middle, inside: null })).toEqual([last]);
    expect(await sweepAt({ mode: 'changes', row: last, inside: null })).toEqual([]);
  });
});
