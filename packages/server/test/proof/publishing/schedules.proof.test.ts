// Two services share one database with schedules at random times, and one of them is killed. Each schedule must run exactly once and never
// early, and none may be lost. The test counts runs in the audit log and in the responses readers get.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { watchSlowness } from '../../../../../scripts/testing/watch-slowness.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { changeDatabase } from '../../support/change-database.ts';
import { makeFolder, type RunningServer, runForJson, runGalley, startServer } from '../../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../../support/small-site.ts';

const SITE = 's_small';
const COUNT = proofSize(30, 200);
const SPAN_MS = proofSize(3_000, 20_000);
/** The promised maximum delay, on an otherwise idle machine. */
const MOST_LATE_MS = 1_000;
/** Schedules are imported with this date and moved afterwards, so none is due during the import, however long it takes. */
const FAR_DAY = Date.parse('2990-01-01T00:00:00Z');
/** More than enough time to notice the moved schedules: each service checks twice a second. */
const NOTICE_MS = 2_000;
/** A schedule that has not run after this time counts as lost. */
const GIVE_UP_MS = 60_000;
const ENV = { GALLEY_DEMO: 'false' };

interface Schedule {
  readonly id: string;
  readonly kind: 'publish' | 'unpublish';
  readonly dueAt: number;
}

interface Entry {
  readonly action: string;
  readonly subject_id: string;
  readonly at: number;
}

describe('the schedules of two services on one database', () => {
  test('each run once, are never early, and are not lost when one service is killed', async () => {
    await using folder = await makeFolder();
    const options = { cwd: folder.path, env: ENV };
    await using doomed = await startServer(options);
    await using survivor = await startServer(options);
    const { token } = readToken(await runForJson(['key', 'create', '--all-sites'], options));

    const imported = drawSchedules(FAR_DAY);
    await importSchedules(folder.path, imported);
    await using slowness = await watchSlowness();
    const aheadMs = FAR_DAY - Date.now() - NOTICE_MS;
    const schedules = imported.map((schedule) => ({ ...schedule, dueAt: schedule.dueAt - aheadMs }));
    moveSchedules(folder.path, aheadMs);
    const firstDue = Math.min(...schedules.map(({ dueAt }) => dueAt));
    const lastDue = Math.max(...schedules.map(({ dueAt }) => dueAt));

    const isOver = () => Date.now() > lastDue + GIVE_UP_MS || countEntries(folder.path) >= COUNT;
    const killedAt = firstDue + (lastDue - firstDue) * (0.4 + Math.random() * 0.3);
    const [sightings] = await Promise.all([watchReaders(survivor, token, schedules, isOver), killAt(doomed, killedAt)]);

    const entries = readEntries(folder.path);
    const expected = schedules.map(({ id, kind }) => `${id} content.${kind}`);
    expect(entries.map(({ subject_id, action }) => `${subject_id} ${action}`).toSorted()).toEqual(expected.toSorted());
    const lateness = schedules.map((schedule) => findTime(entries, schedule) - schedule.dueAt);
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...lateness)).toBeLessThanOrEqual(MOST_LATE_MS * (await slowness.read()));
    expect(sightings.early).toEqual([]);
    expect(sightings.reads).toBeGreaterThan(10);
    const shown = await readIds(survivor, token);
    const published = schedules.filter(({ kind }) => kind === 'publish').map(({ id }) => id);
    expect([...shown].toSorted()).toEqual(published.toSorted());

    const byDoomed = countFired(doomed);
    const byEither = entries.filter(({ at }) => at < killedAt).length;
    expect(byEither).toBeGreaterThan(0);
    expect(byEither).toBeLessThan(COUNT);
    reportProof(
      `schedules: ${entries.length} of ${COUNT} ran once (${published.length} publishes), ${byDoomed} on the ` +
        `service that was killed, ${countFired(survivor)} on the other; ${COUNT - byEither} ran after the kill; ` +
        `0 early in ${sightings.reads} reads; at most ${Math.max(...lateness)} ms late`,
    );
  });
});

async function importSchedules(folder: string, schedules: readonly Schedule[]): Promise<void> {
  const bundle = join(folder, 'schedules.ndjson');
  await writeFile(bundle, toLines([siteRecord(), typeRecord(), ...schedules.map(buildRecord)]));
  const imported = await runGalley(['import', bundle], { cwd: folder, env: ENV });
  expect([imported.status, imported.stderr]).toEqual([0, '']);
}

function moveSchedules(folder: string, aheadMs: number): void {
  const move = `update contents set publish_at = publish_at - ${aheadMs}, unpublish_at = unpublish_at - ${aheadMs}`;
  changeDatabase(join(folder, 'data/galley.db'), move);
}

function drawSchedules(from: number): readonly Schedule[] {
  return Array.from({ length: COUNT }, (_, index) => ({
    id: `c_${index}`,
    kind: index % 2 === 0 ? 'publish' : 'unpublish',
    dueAt: from + Math.floor(Math.random() * SPAN_MS),
  }));
}

function buildRecord({ id, kind, dueAt }: Schedule): object {
  const time = new Date(dueAt).toISOString();
  return kind === 'publish'
    ? postRecord(id, { status: 'draft', published_at: null, publish_at: time })
    : postRecord(id, { unpublish_at: time });
}

async function killAt(server: RunningServer, time: number): Promise<void> {
  await wait(time - Date.now());
  await server.stop('SIGKILL');
}

/** Reads the site repeatedly and records every change that appeared before its scheduled time. */
async function watchReaders(
  server: RunningServer,
  token: string,
  schedules: readonly Schedule[],
  isOver: () => boolean,
): Promise<{ readonly reads: number; readonly early: readonly Schedule[] }> {
  const early = new Set<Schedule>();
  let reads = 0;
  for (; !isOver(); reads++) {
    const shown = await readIds(server, token);
    const now = Date.now();
    for (const schedule of schedules) {
      const hasHappened = shown.has(schedule.id) === (schedule.kind === 'publish');
      if (hasHappened && schedule.dueAt > now) early.add(schedule);
    }
    await wait(20);
  }
  return { reads, early: [...early] };
}

/** The IDs of all objects on the site, read in pages whose boundaries do not move when objects appear or disappear. */
async function readIds(server: RunningServer, token: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let url: string | null = `${server.url}/api/v1/content?limit=100&sort=created_at`;
  while (url !== null) {
    const response: Response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE },
    });
    expect(response.status).toBe(200);
    const body: unknown = await response.json();
    for (const id of listIds(body)) ids.add(id);
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
  return ids;
}

/** A list of exactly one object has no envelope. */
function listIds(body: unknown): readonly string[] {
  const { data, id } = body as { readonly data?: readonly { readonly id: string }[]; readonly id?: string };
  return data === undefined ? [String(id)] : data.map((each) => each.id);
}

function readToken(value: unknown): { readonly token: string } {
  return value as { readonly token: string };
}

function readEntries(folder: string): readonly Entry[] {
  const database = new DatabaseSync(join(folder, 'data/galley.db'), { readOnly: true });
  try {
    const rows = database.prepare(
      "select action, subject_id, at from audit_entries where actor_kind = 'schedule' order by no",
    );
    return rows.all() as unknown as readonly Entry[];
  } finally {
    database.close();
  }
}

function countEntries(folder: string): number {
  return readEntries(folder).length;
}

function findTime(entries: readonly Entry[], { id }: Schedule): number {
  return entries.find(({ subject_id }) => subject_id === id)?.at ?? Number.NaN;
}

function countFired(server: RunningServer): number {
  return server.log.filter(({ msg }) => msg === 'a scheduled action was carried out').length;
}
