// Publishes at random while a webhook receiver fails, hangs, resets connections, responds slowly and comes back, and while the node that
// sends the calls is killed. Every change must arrive at least once, in order for each piece of content, and hardly any may arrive twice.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { publishContent, unpublishContent } from '../../../src/authoring/contents/publish-content.ts';
import { saveContent } from '../../../src/authoring/contents/save-content.ts';
import { createWebhook, DEFAULT_SETTINGS } from '../../../src/authoring/webhooks.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { openStorage } from '../../../src/open-storage.ts';
import { defineStatement, query } from '../../../src/storage/statement.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { ATTEMPT_MS } from '../../../src/webhooks/running-attempts.ts';
import { importText } from '../../import/export-database.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { buildEnvironment, makeFolder } from '../../support/galley-command.ts';
import { runSql } from '../../support/run-sql.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../../support/small-site.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../../support/test-database.ts';
import { type Behaviour, type ReceivedCall, type ReceivedEvent, Receiver } from '../../webhooks/receiver.ts';

const SITE = 's_small';
/** More than the promised 10,000, because the kill may repeat a batch of 100 events, which must be less than 1% of all events. */
const CHANGES = proofSize(100, 12_000);
const CONTENT_IDS = Array.from({ length: proofSize(25, 300) }, (_, index) => `c_${index}`);
const RETRY_AFTER_MS = [200, 400, 800, 1600, 3200, 6400, 12_800];
/** The receiver is down for this long, and at least for one call, in the middle of the changes. */
const DOWN_MS = proofSize(0, 3000);
/** The promised time limit for another node to take over. The short version does not measure time. */
const MOST_TAKEOVER_MS = proofSize(Number.POSITIVE_INFINITY, 30_000);
/**
 * The number of repeated events of each webhook must be less than this. However many changes there are, one kill may repeat only
 * attempts that were running or had not been recorded yet: calls with one event each, or one batch of up to 100 events. Large batches
 * share content, so only one of them runs at a time.
 */
const TOO_MANY_DUPLICATES = {
  single: Math.max(40, CHANGES / 100),
  batched: Math.max(101, CHANGES / 100),
} as const;
const PATHS = ['single', 'batched'] as const;

type Trouble = 'fails' | 'hangs' | 'resets' | 'slow' | 'down';

/** The full proof uses the service's own limits. In the short version, neither attempts nor leases end by themselves. */
const MOST_ATTEMPT_MS = proofSize(600_000, ATTEMPT_MS);
const LEASE_MS = proofSize(300_000, 0);

/** Each of these faults occurs at least once in every run. In the short version, a call that hangs would never end. */
const CERTAIN: readonly Trouble[] = [
  'fails',
  'resets',
  'slow',
  ...Array.from({ length: proofSize(0, 1) }, () => 'hangs' as const),
];

/** A receiver that fails at random. */
class TroubledReceiver {
  readonly counts: Record<Trouble, number> = { fails: 0, hangs: 0, resets: 0, slow: 0, down: 0 };
  isDown = false;
  readonly #certain = [...CERTAIN];

  /** The number of calls that were not accepted. */
  get failures(): number {
    const { fails, hangs, resets, down } = this.counts;
    return fails + hangs + resets + down;
  }

  readonly behave = (): Behaviour => {
    const trouble = this.isDown ? 'down' : (this.#certain.shift() ?? drawTrouble());
    if (trouble === undefined) return 204;
    this.counts[trouble] += 1;
    switch (trouble) {
      case 'fails':
        return pick([500, 500, 500, 429]);
      case 'hangs':
        return 'hang';
      case 'resets':
        return 'reset';
      case 'slow':
        return { status: 200, afterMs: 300 };
      case 'down':
        return pick([503, 'reset']);
    }
  };
}

function drawTrouble(): Trouble | undefined {
  const drawn = Math.random();
  if (drawn > 0.1) return undefined;
  if (drawn > 0.08) return 'slow';
  return pick(['fails', 'fails', 'fails', 'resets', 'resets', drawn < proofSize(0, 0.005) ? 'hangs' : 'fails']);
}

/** This limit only stops a test that hangs. */
const MOST_WAIT_MS = 600_000;

interface SenderNode extends AsyncDisposable {
  readonly isSending: () => boolean;
  readonly kill: () => Promise<void>;
}

async function startNode(database: TestDatabase, folder: string): Promise<SenderNode> {
  const { url } = database;
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../../webhooks/sender-process.ts')], {
    cwd: folder,
    env: {
      ...buildEnvironment(),
      GALLEY_DATABASE_URL: url.engine === 'sqlite' ? `sqlite:${url.path}` : url.url,
      GALLEY_PORT: '0',
      GALLEY_WEBHOOK_ALLOW: '127.0.0.1',
      RETRY_AFTER_MS: RETRY_AFTER_MS.join(','),
      ATTEMPT_MS: String(MOST_ATTEMPT_MS),
      ...(LEASE_MS > 0 && { LEASE_MS: String(LEASE_MS) }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const { promise: isListening, resolve } = Promise.withResolvers<void>();
  let isSending = false;
  if (child.stdout === null) throw new Error('The node has no output');
  createInterface(child.stdout).on('line', (line) => {
    if (line.includes('"msg":"listening"')) resolve();
    if (line.includes('this process now sends the webhook calls')) isSending = true;
  });
  await Promise.race([isListening, exited.then(([code]) => Promise.reject(new Error(`The node exited with ${code}`)))]);
  const kill = async (): Promise<void> => {
    isSending = false;
    child.kill('SIGKILL');
    await exited;
  };
  return { isSending: () => isSending, kill, [Symbol.asyncDispose]: kill };
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

interface State {
  readonly version: number;
  readonly isPublished: boolean;
}

/** Makes one change that readers see. */
async function change(storage: Storage, states: Map<string, State>, count: number): Promise<void> {
  const desk = createDesk(storage);
  const contentId = pick(CONTENT_IDS);
  const address = { siteId: SITE, contentId };
  const { version, isPublished } = states.get(contentId) ?? { version: 1, isPublished: true };
  if (isPublished && Math.random() < 0.1) {
    await unpublishContent(desk, COMMAND_ACTOR, address, { isConfirmed: true });
    states.set(contentId, { version, isPublished: false });
    return;
  }
  const { record } = await saveContent(desk, COMMAND_ACTOR, SITE, contentId, { version, name: `Change ${count}` });
  await publishContent(desk, COMMAND_ACTOR, address, {});
  states.set(contentId, { version: record.newestVersion, isPublished: true });
}

const countWaiting = defineStatement(() => sql`select count(*) as total from webhook_calls where state = 'waiting'`);
const selectRows = defineStatement(() => sql`select position, content_id, kind from changes order by position`);

interface LoggedChange {
  readonly position: number;
  readonly content_id: string;
  readonly kind: string;
}

/** The events for each piece of content, as `TYPE POSITION`. A call that arrived more than once counts once. */
function groupEvents(calls: readonly ReceivedCall[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  const first = new Map(calls.toReversed().map((call) => [call.id, call]));
  for (const { type, data } of calls.filter((call) => first.get(call.id) === call).flatMap(listEvents)) {
    const group = groups.get(data.id) ?? [];
    groups.set(data.id, group);
    group.push(`${type} ${data.position}`);
  }
  return groups;
}

function listEvents({ event }: ReceivedCall): readonly ReceivedEvent[] {
  return event.data.events ?? [event];
}

/** The calls that arrived again after a later call about the same content. They would take a receiver back to an older state. */
function findLateRepetitions(calls: readonly ReceivedCall[]): readonly string[] {
  const newest = new Map<string, number>();
  const order = new Map([...new Set(calls.map(({ id }) => id))].map((id, index) => [id, index]));
  const late: string[] = [];
  for (const call of calls) {
    const place = order.get(call.id) ?? 0;
    for (const id of new Set(listEvents(call).map(({ data }) => data.id))) {
      if (place < (newest.get(id) ?? 0)) late.push(`${call.id} ${id}`);
      newest.set(id, Math.max(place, newest.get(id) ?? 0));
    }
  }
  return late;
}

/** The times at which calls that had already been accepted arrived again. */
function listRepetitions(calls: readonly ReceivedCall[]): readonly number[] {
  const seen = new Set<string>();
  return calls.flatMap(({ id, at }) => (seen.size === seen.add(id).size ? [at] : []));
}

describe.each(ENGINES)('on %s', (engine) => {
  test(`${CHANGES} changes reach a receiver that fails at random, while a node is killed`, async () => {
    await using resources = new AsyncDisposableStack();
    const folder = resources.use(await makeFolder());
    const receiver = resources.use(await Receiver.open());
    const database = await createTestDatabase(engine);
    resources.defer(() => database.remove());
    const storage = await openStorage(database.url, Date.now());
    resources.defer(() => storage.close());
    await importText(
      storage,
      folder.path,
      toLines([siteRecord(), typeRecord(), ...CONTENT_IDS.map((id) => postRecord(id))]),
    );
    const start = (await storage.read(query<LoggedChange>(selectRows))).length;
    for (const path of PATHS) {
      const isBatched = path === 'batched';
      const settings = { ...DEFAULT_SETTINGS, name: path, url: `${receiver.url}/${path}`, isBatched };
      const { secret } = await createWebhook(createDesk(storage), COMMAND_ACTOR, SITE, settings);
      receiver.secretsByPath.set(`/hook/${path}`, secret);
    }
    const nodes = [
      resources.use(await startNode(database, folder.path)),
      resources.use(await startNode(database, folder.path)),
    ];

    const troubled = new TroubledReceiver();
    receiver.behave = troubled.behave;

    const states = new Map<string, State>();
    let killedAt = 0;
    for (let count = 0; count < CHANGES; count += 1) {
      await change(storage, states, count);
      if (count === Math.floor(CHANGES / 3)) {
        troubled.isDown = true;
        setTimeout(async () => {
          await receiver.waitUntil(() => troubled.counts.down > 0);
          troubled.isDown = false;
        }, DOWN_MS);
      }
      if (count === Math.floor(CHANGES / 2)) {
        await receiver.waitUntil(({ accepted }) => accepted.length > 0);
        const sending = nodes.find((node) => node.isSending());
        if (sending === undefined) throw new Error('No node sends calls');
        await sending.kill();
        killedAt = Date.now();
        if (LEASE_MS > 0) await runSql(storage, 'update leases set until = 0');
      }
    }
    await receiver.waitUntil(({ accepted }) => accepted.some(({ at }) => at > killedAt));
    const resumedAt = receiver.accepted.find(({ at }) => at > killedAt)?.at ?? 0;

    const logged = (await storage.read(query<LoggedChange>(selectRows))).slice(start);
    // Every step makes one change that readers see.
    expect(logged.length).toBeGreaterThanOrEqual(CHANGES);
    const expected = new Map<string, string[]>();
    for (const { position, content_id, kind } of logged) {
      const group = expected.get(content_id) ?? [];
      expected.set(content_id, [...group, `content.${kind} ${position.toString(36)}`]);
    }
    const ofPath = (path: string) => receiver.accepted.filter((call) => call.path === `/hook/${path}`);
    const countArrived = (path: string) =>
      new Set(
        ofPath(path)
          .flatMap(listEvents)
          .map(({ data }) => data.position),
      ).size;
    const countRepeated = (path: string) => ofPath(path).flatMap(listEvents).length - countArrived(path);
    const arrived = () => [countArrived('single'), countArrived('batched')];
    await expect.poll(arrived, { interval: 200, timeout: MOST_WAIT_MS }).toEqual([logged.length, logged.length]);
    const readWaiting = async () => Number((await storage.read(query<{ total: number }>(countWaiting)))[0]?.total);
    await expect.poll(readWaiting, { interval: 200 }).toBe(0);

    expect(receiver.faults).toEqual([]);
    for (const path of PATHS) {
      expect(groupEvents(ofPath(path)), path).toEqual(expected);
      expect(findLateRepetitions(ofPath(path)), path).toEqual([]);
      expect(countRepeated(path), path).toBeLessThan(TOO_MANY_DUPLICATES[path]);
    }
    const repetitions = listRepetitions(receiver.accepted);
    const afterKill = repetitions.filter((at) => at > killedAt && at < killedAt + MOST_TAKEOVER_MS).length;
    expect(resumedAt - killedAt).toBeLessThan(MOST_TAKEOVER_MS);
    const { counts, failures } = troubled;
    for (const trouble of [...CERTAIN, 'down'] as const) expect(counts[trouble], trouble).toBeGreaterThan(0);
    expect(failures).toBeGreaterThan(CHANGES / 50);
    reportProof(
      `webhooks: ${logged.length} changes, each delivered in order per content, alone (${ofPath('single').length} calls) and in ` +
        `batches (${ofPath('batched').length} calls); ${failures} attempts failed (${JSON.stringify(counts)}), ` +
        `${repetitions.length} calls arrived twice (${afterKill} of them after the kill): ${countRepeated('single')} events alone and ` +
        `${countRepeated('batched')} in batches; a node was killed, ` +
        `and the other took over after ${Math.round((resumedAt - killedAt) / 1000)} s`,
    );
  });
});
