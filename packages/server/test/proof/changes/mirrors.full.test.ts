// Several writers change a site at random, through its nodes (several on PostgreSQL) and through imports. Meanwhile, one mirror is filled by
// a program that is killed at random (examples/mirror), and another one by a client whose connections are cut at random. In the end, both
// contain exactly what the API returns. A listener gets every change in order. Neither the mirrors nor the listener receives any byte of a
// draft, a hidden field or another site.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type ChangeEvent, type ContentBody, createClient, createMemoryMirror } from '../../../../client/src/index.ts';
import { installClient } from '../../../../client/test/packaging/install-client.ts';
import { openStorage } from '../../../src/open-storage.ts';
import { defineStatement, query, slot } from '../../../src/storage/statement.ts';
import { ChangeReader } from '../../changes/change-reader.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { makeFolder, startServer } from '../../support/galley-command.ts';
import { createTestDatabase, ENGINES } from '../../support/test-database.ts';
import { CuttingProxy } from '../cutting-proxy.ts';
import { LAST, OPEN, pick, prepareSites, RandomWriters, SECRET, SITE } from '../random-writers.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../../examples/mirror');
const CHANGES = proofSize(200, 100_000);
const WRITERS = 4;
/** The program is killed within this time of starting, whatever it has done by then. */
const MOST_ALIVE_MS = proofSize(1500, 10_000);
/** A connection is cut within this time of being opened. */
const MOST_OPEN_MS = 3000;
/** Only streams contain this. */
const STREAM = 'text/event-stream';
/** Only compressed responses contain this. The proxies could not inspect them. */
const COMPRESSED = 'content-encoding';
const WATCHED = [SECRET, OPEN, STREAM, COMPRESSED];
const PROGRESS_EVERY_MS = 60_000;

const selectRows = defineStatement(
  () => sql`select c.position, c.content_id as id from changes as c join sites as s on s.no = c.site_no
    where s.id = ${slot('site')} and c.position > ${slot('start')} order by c.position`,
);

describe.each(ENGINES)('on %s', (engine) => {
  const NODES = engine === 'postgres' ? proofSize(2, 3) : 1;

  test(`after ${CHANGES} changes by ${WRITERS} writers, interrupted mirrors contain the same data as the API`, async () => {
    await using resources = new AsyncDisposableStack();
    const project = resources.use(await installClient());
    await cp(EXAMPLE, project.path, { recursive: true });
    const folder = resources.use(await makeFolder());
    const database = await createTestDatabase(engine);
    resources.defer(() => database.remove());
    const storage = await openStorage(database.url, Date.now());
    resources.defer(() => storage.close());
    const access = await prepareSites(storage, folder.path);
    const { url } = database;
    const env = {
      GALLEY_DEMO: 'false',
      GALLEY_DATABASE_URL: url.engine === 'postgres' ? url.url : `sqlite:${url.path}`,
    };
    const startNode = async () => resources.use(await startServer({ cwd: folder.path, env })).url;
    const nodes = await Promise.all(Array.from({ length: NODES }, startNode));
    const readers = nodes.map((node) => new ChangeReader(node, access.key, SITE));
    const start = await pick(readers).sync();
    const readRows = () =>
      storage.read(
        query<{ position: number; id: string | null }>(selectRows, { site: SITE, start: Number.parseInt(start, 36) }),
      );
    const writers = new RandomWriters(nodes, access, { storage, folder: folder.path });

    const steady = resources.use(await CuttingProxy.start(nodes, Number.POSITIVE_INFINITY, WATCHED));
    const cutting = resources.use(await CuttingProxy.start(nodes, MOST_OPEN_MS, WATCHED));
    const killed = new KilledMirror(project.path, `${steady.url}/api/v1`, access.key);
    const client = createClient({ apiURL: `${cutting.url}/api/v1`, apiKey: access.key, siteId: SITE });
    const stop = new AbortController();
    const mirror = createMemoryMirror();
    const isMirrored = Promise.withResolvers<void>();
    const onUpToDate = () => {
      if (mirror.objects.has(LAST)) isMirrored.resolve();
    };
    const mirroring = client.sync(mirror, { live: true, signal: stop.signal, onUpToDate });
    const listener = new OrderedListener();
    const listening = client.subscribe(listener.listen, { since: start, withContent: true, signal: stop.signal });
    const failing = Promise.all([mirroring, listening]);
    resources.defer(async () => {
      stop.abort();
      await Promise.allSettled([failing, killed.stop()]);
    });

    const startedAt = performance.now();
    const progress = setInterval(() => reportProof(`${writers.changes} changes so far`), PROGRESS_EVERY_MS);
    resources.defer(() => clearInterval(progress));
    const killing = killed.run();
    // At this point, `failing` and `killing` can be rejected but not fulfilled.
    // If two writers publish the same content at the same time, the log has only one change. The loop therefore counts the rows of the log.
    const isOver = (found: number): boolean => found >= CHANGES && killed.kills > 0 && cutting.cuts > 0;
    for (let target = CHANGES, found = 0; !isOver(found); target += Math.max(CHANGES - found, WRITERS)) {
      await Promise.race([writers.write(WRITERS, target), failing, killing]);
      found = (await readRows()).length;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    await writers.finish();
    await killed.finish();
    cutting.stopCutting();
    await Promise.race([Promise.all([isMirrored.promise, listener.hasLast]), failing]);
    stop.abort();
    await failing;

    const objects = new Map<string, string>();
    for (const id of writers.ids) {
      const object = await pick(readers).object(id);
      if (object !== undefined) objects.set(id, object);
    }
    expect(objects.size).toBeGreaterThan(10);
    expect(sortTexts(killed.read())).toEqual(sortTexts(objects));
    expect(sortTexts([...mirror.objects].map(([id, object]) => [id, JSON.stringify(object)]))).toEqual(
      sortTexts(objects),
    );

    expect(listener.faults).toEqual([]);
    const rows = await readRows();
    expect(writers.imported).toBeLessThan(rows.length / 2);
    // A change to an author or an asset is reported for every object that shows it at that moment, which may be none.
    const missed = rows.filter(({ position, id }) => id !== null && !listener.seen.has(`${Number(position)} ${id}`));
    expect(missed).toEqual([]);

    for (const proxy of [steady, cutting]) {
      expect(proxy.found.get(OPEN)).toBeGreaterThan(0);
      expect(proxy.found.get(SECRET)).toBe(0);
      expect(proxy.found.get(COMPRESSED)).toBe(0);
    }
    expect(cutting.found.get(STREAM)).toBeGreaterThan(0);
    reportProof(
      `${rows.length} changes on ${NODES} nodes in ${Math.round(seconds)} s (${Math.round(rows.length / seconds)} a second), ` +
        `${writers.imported} of them imported: ${killed.kills} kills, ${cutting.cuts} cuts, ` +
        `${writers.retries} writes repeated, ${listener.count} changes reported`,
    );
  });
});

function sortTexts(texts: Iterable<readonly [id: string, text: string]>): readonly (readonly [string, string])[] {
  return [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The example program, which is killed and started again, sometimes with --live. */
class KilledMirror {
  readonly #folder: string;
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  #isOver = false;
  #kills = 0;
  #running = Promise.resolve();

  constructor(folder: string, apiURL: string, key: string) {
    this.#folder = folder;
    this.#file = join(folder, 'mirror.db');
    const { PATH } = process.env;
    this.#env = { PATH, GALLEY_API_URL: apiURL, GALLEY_API_KEY: key, GALLEY_SITE: SITE, MIRROR_FILE: this.#file };
  }

  get kills(): number {
    return this.#kills;
  }

  #start(...args: string[]): ChildProcess & { readonly stderr: NonNullable<ChildProcess['stderr']> } {
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'mirror.ts', ...args], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  run(): Promise<void> {
    const loop = async (): Promise<void> => {
      while (!this.#isOver) {
        const child = this.#start(...(Math.random() < 0.5 ? ['--live'] : []));
        const closed = once(child, 'close');
        const said = text(child.stderr);
        await Promise.race([closed, wait(Math.random() * MOST_ALIVE_MS)]);
        child.kill('SIGKILL');
        const [status] = await closed;
        if (status === null) this.#kills += 1;
        else expect([status, await said]).toEqual([0, '']);
      }
    };
    this.#running = loop();
    // Only a failure ends the race before the writers do.
    return this.#running.then(() => new Promise<void>(() => {}));
  }

  stop(): Promise<void> {
    this.#isOver = true;
    return this.#running;
  }

  /** Runs the program once more, until it exits. */
  async finish(): Promise<void> {
    await this.stop();
    const child = this.#start();
    const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([status, said]).toEqual([0, '']);
  }

  read(): readonly (readonly [id: string, text: string])[] {
    const database = new DatabaseSync(this.#file, { readOnly: true });
    const rows = database.prepare('select id, body from objects').all();
    database.close();
    return rows.map(({ id, body }) => [String(id), String(body)]);
  }
}

/** Checks that changes arrive in the order of the log, and that no object goes back to an earlier state. */
class OrderedListener {
  readonly faults: string[] = [];
  /** The row and id of each change. */
  readonly seen = new Set<string>();
  readonly #last = Promise.withResolvers<void>();
  /** The number in the name of each object. */
  readonly #states = new Map<string, number>();
  #row = 0;
  count = 0;

  get hasLast(): Promise<void> {
    return this.#last.promise;
  }

  readonly listen = (event: ChangeEvent<ContentBody>): void => {
    if (event.kind === 'reset') {
      this.faults.push('Changes were lost');
      return;
    }
    const { position, id, content } = event;
    this.count += 1;
    const row = Number.parseInt(position, 36);
    if (row < this.#row) this.faults.push(`${id} at ${row} came after ${this.#row}`);
    this.#row = row;
    this.seen.add(`${row} ${id}`);
    if (content) this.#checkState(id, content);
    if (id === LAST) this.#last.resolve();
  };

  #checkState(id: string, { name }: ContentBody): void {
    const state = Number(name.replace(`${OPEN} `, ''));
    const known = this.#states.get(id) ?? 0;
    if (!(state >= known)) this.faults.push(`${id} went back from ${known} to ${name}`);
    this.#states.set(id, state);
  }
}
