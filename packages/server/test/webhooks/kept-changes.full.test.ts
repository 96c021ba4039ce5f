// The change log keeps the changes that a webhook has not caught up on, however old they are.

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sweepChanges } from '../../src/authoring/change-sweep.ts';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { encodePosition } from '../../src/listing/change-position.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { runSql } from '../support/run-sql.ts';
import { startService } from '../support/service.ts';
import { ENGINES } from '../support/test-database.ts';
import { type HookDesk, useHookDesk } from './hook-desk.ts';
import { summarize } from './receiver.ts';

describe.each(ENGINES)('on %s', (engine) => {
  let desk: HookDesk;
  useHookDesk(engine, (opened) => {
    desk = opened;
  });

  /** The positions in a site's log. */
  async function readLog(site: string): Promise<readonly number[]> {
    const select = defineStatement(
      () => sql`select c.position from changes as c join sites as s on s.no = c.site_no
      where s.id = ${sql.lit(site)} order by c.position`,
    );
    const rows = await desk.manager.service.storage.read(query<{ position: number }>(select));
    return rows.map(({ position }) => position);
  }

  const sweepAll = (): Promise<void> =>
    sweepChanges({ storage: desk.manager.service.storage, before: desk.clock.now() + DAY_MS });

  test('a webhook gets all changes even if no call could be sent for days and GALLEY_CHANGES_DAYS is 1', async () => {
    await desk.createWebhook();
    await desk.createWebhook({ is_on: false });
    await desk.unpublish('c_a');
    // This site has no webhooks. Its log is swept after that of the other site.
    const other = await desk.addOtherSite();
    await desk.publish('c_other', {}, other);
    expect(await readLog(other)).not.toEqual([]);
    desk.clock.advance(3 * DAY_MS);
    await desk.unpublish('c_b');
    const createDatabase = async () => ({ ...desk.database, remove: async () => {} });
    const parts = { createDatabase, now: desk.clock.now, sweepChangesAfterMs: 0 };
    const sweeping = await startService({ GALLEY_CHANGES_DAYS: '1' }, parts);
    await expect.poll(() => readLog(other)).toEqual([]);
    await sweeping.close();
    desk.startSender();
    await desk.accept(2);
    expect(summarize(desk.receiver.accepted)).toEqual(['content.unpublished c_a', 'content.unpublished c_b']);
    await sweepAll();
    expect(await readLog(desk.site)).toEqual([]);
  });

  test('a row stays in the log while a webhook is still reading the objects that the change in the row affects', async () => {
    await desk.createWebhook();
    await desk.unpublish('c_a');
    await desk.unpublish('c_b');
    const [last = 0, middle = 0] = (await readLog(desk.site)).toReversed();
    const sweepAt = async (position: Parameters<typeof encodePosition>[0]) => {
      await runSql(desk.manager.service.storage, `update webhooks set position = '${encodePosition(position)}'`);
      await sweepAll();
      return readLog(desk.site);
    };
    const inside = { shown: null, linking: null };
    expect(await sweepAt({ mode: 'changes', row: middle, inside })).toEqual([middle, last]);
    expect(await sweepAt({ mode: 'changes', row: middle, inside: null })).toEqual([last]);
    expect(await sweepAt({ mode: 'changes', row: last, inside: null })).toEqual([]);
  });
});
