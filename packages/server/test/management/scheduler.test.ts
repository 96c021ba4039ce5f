// The timer that runs schedules, on a real database. test/proof/publishing/schedules.proof.test.ts measures its delay in real time.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerScheduleMetrics } from '../../src/authoring/schedule/schedule-metrics.ts';
import { type Scheduler, type SchedulerWatch, startScheduler } from '../../src/authoring/schedule/scheduler.ts';
import { selectNextDueTime } from '../../src/storage/contents/schedules.ts';
import { StorageUnavailable } from '../../src/storage/engine.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importRecords } from '../storage/editor.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';

const FIRED = 'a scheduled action was carried out';
const ON_HOLD = 'schedules are on hold because the database is unavailable';

interface Line {
  readonly msg: string;
  readonly content?: string;
  readonly late_ms?: number;
}

describe('the scheduler', () => {
  let folder: string;
  let own: Storage;
  let other: Storage;
  let lines: Line[];
  let events: EventEmitter;
  let scheduler: Scheduler | undefined;
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-clock-'));
    own = await openSqlite(join(folder, 'galley.db'), Date.now());
    other = await openSqlite(join(folder, 'galley.db'), Date.now());
    now = Date.now();
    lines = [];
    events = new EventEmitter();
    await importRecords(other, [siteRecord(), typeRecord()]);
  });

  afterEach(async () => {
    await scheduler?.stop();
    await own.close();
    await other.close();
    await rm(folder, { recursive: true });
  });

  function start(storage: Storage, watch?: SchedulerWatch): Scheduler {
    const log = pino({ level: 'info' }, { write: keepLine });
    const desk = { storage, now: () => now, newUuid: randomUUIDv7, randomBytes };
    scheduler = startScheduler({ desk, log, retryAfterMs: 20, watch });
    return scheduler;
  }

  function keepLine(text: string): void {
    const line: Line = JSON.parse(text);
    lines.push(line);
    events.emit('line');
  }

  async function waitForLines(message: string, count: number): Promise<readonly Line[]> {
    const find = () => lines.filter(({ msg }) => msg === message);
    if (find().length < count) {
      for await (const _ of on(events, 'line')) if (find().length >= count) break;
    }
    return find();
  }

  function scheduled(id: string, delay: number): object {
    return postRecord(id, { status: 'draft', publish_at: new Date(now + delay).toISOString() });
  }

  test('runs schedules that another process created, in order and never early', async () => {
    start(own);
    await importRecords(other, [scheduled('c_a', 9000), scheduled('c_b', 7000), scheduled('c_past', -60_000)]);
    expect(await waitForLines(FIRED, 1)).toMatchObject([{ content: 'c_past', late_ms: 60_000 }]);
    now += 7000;
    expect((await waitForLines(FIRED, 2)).slice(1)).toMatchObject([{ content: 'c_b', late_ms: 0 }]);
    now += 2500;
    expect((await waitForLines(FIRED, 3)).slice(2)).toMatchObject([{ content: 'c_a', late_ms: 500 }]);
  });

  test('waits while the database is unavailable, logs this once, and catches up in order', async () => {
    await importRecords(other, [scheduled('c_b', -10), scheduled('c_a', -20)]);
    let attempts = 0;
    start({
      ...own,
      read: async (procedure) => {
        if (++attempts <= 5) throw new StorageUnavailable('locked');
        return own.read(procedure);
      },
    });
    const fired = await waitForLines(FIRED, 2);
    expect(fired.map(({ content }) => content)).toEqual(['c_a', 'c_b']);
    await waitForLines('schedules have resumed', 1);
    expect(lines.filter(({ msg }) => msg === ON_HOLD)).toHaveLength(1);
  });

  test('keeps a schedule while the database cannot write the content', async () => {
    await importRecords(other, [scheduled('c_a', -10)]);
    let attempts = 0;
    start({
      ...own,
      transaction: async (work) => {
        if (++attempts <= 3) throw new StorageUnavailable('full');
        return own.transaction(work);
      },
    });
    expect(await waitForLines(FIRED, 1)).toMatchObject([{ content: 'c_a' }]);
    expect(lines.filter(({ msg }) => msg === ON_HOLD)).toHaveLength(1);
  });

  test('reports completed schedules, its last run and the next due time in metrics', async () => {
    const registry = new Registry();
    await importRecords(other, [scheduled('c_a', -10), scheduled('c_b', -20), scheduled('c_later', 60_000)]);
    start(
      own,
      registerScheduleMetrics(registry, () => now),
    );
    await waitForLines(FIRED, 2);
    await scheduler?.stop();
    const read = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values;
    expect(await read('galley_schedules_fired_total')).toEqual([
      { labels: { action: 'publish', result: 'done' }, value: 2 },
      { labels: { action: 'publish', result: 'failed' }, value: 0 },
      { labels: { action: 'unpublish', result: 'done' }, value: 0 },
      { labels: { action: 'unpublish', result: 'failed' }, value: 0 },
    ]);
    const [nextDue] = (await read('galley_schedule_next_due_timestamp_seconds')) ?? [];
    expect(nextDue?.value).toBe(((await other.read(selectNextDueTime())) ?? 0) / 1000);
    const [lastLook] = (await read('galley_scheduler_last_look_timestamp_seconds')) ?? [];
    expect(lastLook?.value).toBe(now / 1000);
  });

  test('stops immediately, and runs nothing afterwards', async () => {
    const stopped = start(own);
    await importRecords(other, [scheduled('c_a', 60_000)]);
    await stopped.stop();
    await importRecords(other, [scheduled('c_b', -10)]);
    await own.close();
    expect(lines).toEqual([]);
    expect(await other.read(selectNextDueTime())).toBeLessThan(now);
  });
});
