// The cache never reuses a response for a request with different permissions, or for a different site, language, mode, host or encoding.
// Each request is sent to a service without a cache. It is also sent to a service with a cache, on the same database, immediately after
// each of the other requests. Both services must respond identically, including all headers.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { createApiKey, revokeApiKey } from '../../../src/authoring/api-keys.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { createDrainState } from '../../../src/http/drain.ts';
import { readSettings } from '../../../src/settings.ts';
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { importText } from '../../import/export-database.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { type Connection, isHit, openConnection, type Received } from '../../support/connection.ts';
import { toLines } from '../../support/small-site.ts';
import {
  buildConditional,
  buildTwoSites,
  buildVariants,
  SITES,
  type Tokens,
  type Variant,
} from './request-variants.ts';

/** With an empty cache, both responses are built, and starting a service takes longer still, so only some variants come first. */
const EMPTY_EVERY = proofSize(4, 1);
const FRESH_EVERY = proofSize(9, 3);

const resources = new AsyncDisposableStack();
let path: string;
let variants: readonly Variant[];
/** The uncached response to each variant. */
let expected: ReadonlyMap<Variant, string>;
let received: ReadonlyMap<Variant, Received>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-crossing-'));
  resources.defer(() => rm(folder, { recursive: true }));
  path = join(folder, 'galley.db');
  const storage = await openSqlite(path, Date.now());
  await importText(storage, folder, toLines(buildTwoSites()));
  const tokens = await createTokens(storage);
  await storage.close();

  await using plain = await openService('0');
  const known = buildVariants(tokens);
  const answers = await askAll(plain.connection, known);
  variants = [...known, ...buildConditional(known, answers)];
  const all = await askAll(plain.connection, variants);
  received = new Map(variants.map((variant, index) => [variant, pick(all, index)]));
  expected = new Map([...received].map(([variant, each]) => [variant, describe(each)]));
});
afterAll(() => resources.disposeAsync());

test('the requests cover everything a response can depend on', () => {
  const answers = [...received.values()];
  const distinct = new Set(expected.values()).size;
  expect(variants.length).toBeGreaterThan(60);
  expect(distinct).toBeGreaterThan(40);
  for (const status of [200, 304, 400, 401, 403, 404, 422]) {
    expect(answers.map((answer) => answer.status)).toContain(status);
  }
  expect(answers.some(isHit)).toBe(false);
  const encodings = new Set(answers.map(({ headers }) => headers['content-encoding']));
  expect(encodings).toEqual(new Set([undefined, 'br', 'zstd', 'gzip']));
  reportProof(`${variants.length} requests, ${distinct} different responses`);
});

test('responses with the same validator are identical', () => {
  const bodies = new Map<string, { readonly variant: Variant; readonly bytes: Buffer }>();
  for (const [variant, { status, headers, bytes }] of received) {
    if (status !== 200 || variant.method === 'HEAD') continue;
    const other = bodies.get(String(headers.etag));
    if (other === undefined) bodies.set(String(headers.etag), { variant, bytes });
    else expect(bytes.toString(), `${variant.name} and ${other.variant.name}`).toBe(other.bytes.toString());
  }
  expect(bodies.size).toBeGreaterThan(20);
});

test('every request gets the same response after any other request, with an empty cache', async () => {
  await using cached = await openService('16');
  using cooler = openCooler();
  const faults: string[] = [];
  let pairs = 0;
  let hits = 0;
  for (const [index, first] of variants.entries()) {
    for (const [other, second] of variants.entries()) {
      if ((index + other) % EMPTY_EVERY !== 0) continue;
      pairs += 1;
      cooler.moveGenerations();
      for (const variant of [first, second]) {
        const answer = await cached.connection.ask(variant);
        if (isHit(answer)) hits += 1;
        if (describe(answer) !== expected.get(variant)) faults.push(`${variant.name}, requested after ${first.name}`);
      }
    }
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(hits).toBeGreaterThan(variants.length / EMPTY_EVERY);
  reportProof(`${pairs} ordered pairs on an empty cache, ${hits} hits, 0 mixed up`);
});

test('every request gets the same response after any other request, with everything cached', async () => {
  await using cached = await openService('16');
  await askAll(cached.connection, variants);
  const faults: string[] = [];
  let hits = 0;
  let before = pick(variants, 0);
  for (const variant of walkAllPairs(variants)) {
    const answer = await cached.connection.ask(variant);
    if (isHit(answer)) hits += 1;
    if (describe(answer) !== expected.get(variant)) faults.push(`${variant.name}, requested after ${before.name}`);
    before = variant;
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(hits).toBeGreaterThan(variants.length ** 2 / 2);
  reportProof(`${variants.length ** 2} ordered pairs on a warm cache, ${hits} hits, 0 mixed up`);
});

test('a freshly started service sends the same responses, whichever request comes first', async () => {
  const faults: string[] = [];
  for (const [index, first] of variants.entries()) {
    // The tests above cover all pairs.
    if (index % FRESH_EVERY !== 0) continue;
    await using fresh = await openService('16');
    const rest = [...variants.slice(index), ...variants.slice(0, index)];
    for (const variant of [first, ...rest.slice(0, 12), first]) {
      const answer = await fresh.connection.ask(variant);
      if (describe(answer) !== expected.get(variant))
        faults.push(`${variant.name}, from a service whose first request was ${first.name}`);
    }
  }
  expect(faults.slice(0, 5)).toEqual([]);
});

async function createTokens(storage: Storage): Promise<Tokens> {
  const desk = createDesk(storage);
  const create = (siteIds: readonly string[], mayPreview = false) =>
    createApiKey(desk, COMMAND_ACTOR, { name: 'Test', siteIds, mayPreview, expiresAt: null, rateLimit: null });
  const revoked = await create(SITES);
  await revokeApiKey(desk, COMMAND_ACTOR, revoked.id);
  return {
    both: (await create(SITES)).token,
    onlyOne: (await create([SITES[0]])).token,
    preview: (await create(SITES, true)).token,
    revoked: revoked.token,
  };
}

/** A service on the same database with an empty cache. */
async function openService(cacheMb: string): Promise<AsyncDisposable & { readonly connection: Connection }> {
  const settings = readSettings({ GALLEY_CACHE_MB: cacheMb, GALLEY_TRUST_PROXY: 'true' }, () => '');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  const storage = await openSqlite(path, Date.now());
  const server = createApp({
    settings: settings.value,
    storage,
    log: pino({ level: 'silent' }),
    drain: createDrainState(),
    now: Date.now,
    version: '0.0.0-test',
    demoAccess: undefined,
  });
  const connection = openConnection(await server.listen({ host: '127.0.0.1', port: 0 }));
  return {
    connection,
    async [Symbol.asyncDispose]() {
      connection.close();
      await server.close();
      await storage.close();
    },
  };
}

/** Advances the sites to their next generation, as any write does, but without changing content or waiting for the disk. */
function openCooler(): Disposable & { readonly moveGenerations: () => void } {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('pragma synchronous = off');
  const move = database.prepare('update sites set generation = generation + 1');
  return { moveGenerations: () => move.run(), [Symbol.dispose]: () => database.close() };
}

async function askAll(connection: Connection, asked: readonly Variant[]): Promise<readonly Received[]> {
  const answers: Received[] = [];
  for (const variant of asked) answers.push(await connection.ask(variant));
  return answers;
}

/** Every ordered pair of values, including each value with itself. */
function* walkAllPairs<Value>(values: readonly Value[]): Generator<Value> {
  for (const [index, value] of values.entries()) {
    yield value;
    for (const other of values.slice(index + 1)) {
      yield value;
      yield other;
    }
    yield value;
  }
}

/** The status, the body and all headers except those that differ from one response to the next. */
function describe({ status, headers, bytes }: Received): string {
  const { date: _date, 'x-request-id': _id, 'cache-status': _status, ...rest } = headers;
  return `${status} ${JSON.stringify(rest)} ${bytes.toString('latin1')}`;
}

function pick<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new Error(`There is no value at ${index}`);
  return value;
}
