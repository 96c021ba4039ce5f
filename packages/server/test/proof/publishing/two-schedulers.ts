// Two services that share one database with schedules. Readers and the audit log show when each schedule ran.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { changeDatabase } from '../../support/change-database.ts';
import { makeFolder, type RunningServer, runForJson, runGalley, startServer } from '../../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../../support/small-site.ts';

const SITE = 's_small';
const ENV = { GALLEY_DEMO: 'false' };
/** Schedules are imported with this date and moved afterwards, so none is due during the import, however long it takes. */
const FAR_DAY = Date.parse('2990-01-01T00:00:00Z');

export interface Schedule {
  readonly id: string;
  readonly kind: 'publish' | 'unpublish';
  readonly dueAt: number;
}

interface Entry {
  readonly action: string;
  readonly subject_id: string;
  readonly at: number;
}

export interface Sightings {
  readonly reads: number;
  /** Changes that appeared before their scheduled time. */
  readonly early: readonly Schedule[];
}

/** The services stop when the object goes out of scope. */
export interface TwoSchedulers extends AsyncDisposable {
  readonly doomed: RunningServer;
  readonly survivor: RunningServer;
  /** Far in the future, at random times within the given span. Half of them publish, half unpublish. */
  readonly imported: readonly Schedule[];
  /** Brings schedules forward so that the first may be due after `inMs`. Returns them with their new times. */
  move(schedules: readonly Schedule[], inMs: number): readonly Schedule[];
  /** Reads the site through the survivor until it is over. */
  watchReaders(schedules: readonly Schedule[], isOver: () => boolean): Promise<Sightings>;
  /** The runs so far, from the audit log. */
  readEntries(): readonly Entry[];
  readIds(): Promise<ReadonlySet<string>>;
}

export async function startTwoSchedulers(count: number, spanMs: number): Promise<TwoSchedulers> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await makeFolder());
  const path = join(folder.path, 'data/galley.db');
  const options = { cwd: folder.path, env: ENV };
  const doomed = resources.use(await startServer(options));
  const survivor = resources.use(await startServer(options));
  const { token } = (await runForJson(['key', 'create', '--all-sites'], options)) as { readonly token: string };
  const imported = drawSchedules(count, spanMs);
  const bundle = join(folder.path, 'schedules.ndjson');
  await writeFile(bundle, toLines([siteRecord(), typeRecord(), ...imported.map(buildRecord)]));
  const { status, stderr } = await runGalley(['import', bundle], options);
  expect([status, stderr]).toEqual([0, '']);
  const readIds = () => readShown(survivor.url, token);
  const held = resources.move();
  return {
    doomed,
    survivor,
    imported,
    move(schedules, inMs) {
      const aheadMs = FAR_DAY - Date.now() - inMs;
      const ids = schedules.map(({ id }) => `'${id}'`).join(', ');
      changeDatabase(
        path,
        `update contents set publish_at = publish_at - ${aheadMs}, unpublish_at = unpublish_at - ${aheadMs}
          where id in (${ids})`,
      );
      return schedules.map((schedule) => ({ ...schedule, dueAt: schedule.dueAt - aheadMs }));
    },
    async watchReaders(schedules, isOver) {
      const early = new Set<Schedule>();
      let reads = 0;
      for (; !isOver(); reads += 1) {
        const shown = await readIds();
        const now = Date.now();
        for (const schedule of schedules) {
          const hasHappened = shown.has(schedule.id) === (schedule.kind === 'publish');
          if (hasHappened && schedule.dueAt > now) early.add(schedule);
        }
        await wait(20);
      }
      return { reads, early: [...early] };
    },
    readEntries: () => readEntries(path),
    readIds,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function drawSchedules(count: number, spanMs: number): readonly Schedule[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `c_${index}`,
    kind: index % 2 === 0 ? 'publish' : 'unpublish',
    dueAt: FAR_DAY + Math.floor(Math.random() * spanMs),
  }));
}

function buildRecord({ id, kind, dueAt }: Schedule): object {
  const time = new Date(dueAt).toISOString();
  return kind === 'publish'
    ? postRecord(id, { status: 'draft', published_at: null, publish_at: time })
    : postRecord(id, { unpublish_at: time });
}

/** The IDs of all objects on the site, read in pages whose boundaries do not move when objects appear or disappear. */
async function readShown(serverUrl: string, token: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let url: string | null = `${serverUrl}/api/v1/content?limit=100&sort=created_at`;
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

function readEntries(path: string): readonly Entry[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare(
      "select action, subject_id, at from audit_entries where actor_kind = 'schedule' order by no",
    );
    return rows.all() as unknown as readonly Entry[];
  } finally {
    database.close();
  }
}

/**
 * Each schedule must have run exactly once and not before its time, and readers must see its effect. Returns how late each was, in
 * milliseconds.
 */
export async function expectEachOnce(
  { readEntries: read, readIds }: TwoSchedulers,
  schedules: readonly Schedule[],
): Promise<readonly number[]> {
  const entries = read();
  const expected = schedules.map(({ id, kind }) => `${id} content.${kind}`);
  expect(entries.map(({ subject_id, action }) => `${subject_id} ${action}`).toSorted()).toEqual(expected.toSorted());
  const published = schedules.filter(({ kind }) => kind === 'publish').map(({ id }) => id);
  expect([...(await readIds())].toSorted()).toEqual(published.toSorted());
  const lateness = schedules.map(
    ({ id, dueAt }) => (entries.find(({ subject_id }) => subject_id === id)?.at ?? Number.NaN) - dueAt,
  );
  expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0);
  return lateness;
}

export function countFired({ log }: RunningServer): number {
  return log.filter(({ msg }) => msg === 'a scheduled action was carried out').length;
}
