// A service that reaches its PostgreSQL database over an unreliable network.

import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { createManagementToken } from '../../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { exchange, LIST_PATH, type Reply } from '../../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { type KeyOptions, LIKE_PRODUCTION, startService, type TestService } from '../../support/service.ts';
import { createPostgresDatabase } from '../../support/test-database.ts';
import { TEMPLATE } from '../../support/test-server.ts';

export const IDS = ['c_a', 'c_b', 'c_c'];
export const RECORDS = [site(PRESS), contentType(PRESS, 'note', []), ...IDS.map((id) => content({ id }))];
export const CACHED = `${LIST_PATH}/c_a`;
export const UNCACHED = `${LIST_PATH}/c_b`;

export const HIT = 'galley; hit';
export const STALE = 'galley; hit; detail=stale';

/** The maximum number of connections that a node keeps open to its database. */
export const MOST_HELD = 13;

export const OUTAGES: readonly (readonly [name: string, fail: (proxy: FaultProxy) => unknown])[] = [
  ['refuses connections', (proxy) => proxy.refuse()],
  ['accepts connections but does not respond', (proxy) => proxy.silence()],
];

export interface Stage {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  ask(target: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  createKey(options?: KeyOptions): Promise<string>;
  createManagementToken(): Promise<string>;
  /** Moves the service's clock, which determines when keys expire. */
  moveClock(ms: number): void;
  /** The number of connections that the database server has from the service. */
  countConnections(): Promise<number>;
}

/** The stage is closed when the test ends. */
export async function openStage(environment: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const database = await createPostgresDatabase(TEMPLATE);
  const proxy = await startFaultProxy(database.url.url);
  const createDatabase = async () => ({ url: { engine: 'postgres', url: proxy.url } as const, remove: async () => {} });
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const service = await startService(
    { GALLEY_METRICS: 'true', ...environment },
    { createDatabase, now, storage: LIKE_PRODUCTION },
  );
  onTestFinished(async () => {
    await service.close();
    await proxy[Symbol.asyncDispose]();
    await database.remove();
  });
  await service.importRecords(RECORDS);
  const createKey = async (options: KeyOptions = {}) =>
    (await service.createKey({ sites: [PRESS], preview: true, ...options })).token;
  const token = await createKey();
  return {
    service,
    proxy,
    createKey,
    ask: (target, key = token, headers = {}) =>
      exchange(service.url, 'GET', target, { authorization: `Bearer ${key}`, 'x-service-site': PRESS, ...headers }),
    async createManagementToken() {
      const options = { name: 'm', role: 'owner', expiresAt: null } as const;
      return (await createManagementToken(createDesk(service.storage), COMMAND_ACTOR, options)).token;
    },
    moveClock(ms) {
      aheadMs += ms;
    },
    async countConnections() {
      const client = new Client(database.url.url);
      await client.connect();
      const { rows } = await client.query<{ held: string }>(COUNT_CONNECTIONS);
      await client.end();
      return Number(rows[0]?.held);
    },
  };
}

const COUNT_CONNECTIONS = `select count(*) as held from pg_stat_activity
  where datname = current_database() and application_name = 'galley'`;

/** Puts the response into the cache. */
export async function warm({ ask }: Stage, target: string, token?: string): Promise<Reply> {
  await ask(target, token);
  const reply = await ask(target, token);
  expect(statusOf(reply)).toEqual([200, HIT]);
  return reply;
}

export function statusOf({ status, headers }: Reply): readonly unknown[] {
  return [status, headers['cache-status']];
}
