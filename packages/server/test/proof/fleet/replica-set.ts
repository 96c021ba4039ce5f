// A primary with two replicas, and nodes that reach each of these servers through a proxy.

import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../../scripts/testing/postgres-server.ts';
import { exchange, LIST_PATH, type Reply } from '../../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { LIKE_PRODUCTION, startService, type TestService } from '../../support/service.ts';
import { nameDatabase, runOnServer } from '../../support/test-server.ts';

const DATABASE = 'galley';
const RECORDS = [site(PRESS), contentType(PRESS, 'note', []), content({ id: 'c_a', name: 'first' })];
export const TARGET = `${LIST_PATH}/c_a`;

/** The servers stop when the object goes out of scope. */
export interface ReplicaSet extends AsyncDisposable {
  readonly primary: PostgresServer;
  readonly standbys: readonly [PostgresServer, PostgresServer];
  /** The node stops when the test ends. */
  startNode(environment?: Readonly<Record<string, string>>): Promise<ReplicaNode>;
}

export interface ReplicaNode {
  readonly service: TestService;
  readonly token: string;
  /** The proxy in front of the primary. */
  readonly primary: FaultProxy;
  /** The proxies in front of the replicas, one for each. */
  readonly replicas: readonly [FaultProxy, FaultProxy];
  read(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Waits until the node uses exactly these replicas. */
  awaitUse(used: readonly [boolean, boolean]): Promise<void>;
  /** Publishes content with a new name through the node, and returns the name. */
  rename(): Promise<string>;
}

export async function startReplicaSet(): Promise<ReplicaSet> {
  await using resources = new AsyncDisposableStack();
  const primary = resources.use(await startPostgres());
  await runOnServer(primary.url, `create database ${DATABASE}`);
  const startStandby = async () => resources.use(await primary.startStandby());
  const standbys = [await startStandby(), await startStandby()] as const;
  const held = resources.move();
  return {
    primary,
    standbys,
    startNode: (environment = {}) => startNode([primary, ...standbys], environment),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function startNode(
  servers: readonly [PostgresServer, PostgresServer, PostgresServer],
  environment: Readonly<Record<string, string>>,
): Promise<ReplicaNode> {
  const openProxy = ({ url }: PostgresServer) => startFaultProxy(nameDatabase(url, DATABASE));
  const [primary, ...replicas] = [
    await openProxy(servers[0]),
    await openProxy(servers[1]),
    await openProxy(servers[2]),
  ] as const;
  const service = await startService(
    {
      GALLEY_DATABASE_URL: primary.url,
      GALLEY_REPLICA_URLS: replicas.map(({ url }) => url).join(','),
      GALLEY_METRICS: 'true',
      ...environment,
    },
    {
      createDatabase: async () => ({ url: { engine: 'postgres', url: primary.url }, remove: async () => {} }),
      storage: LIKE_PRODUCTION,
    },
  );
  onTestFinished(async () => {
    await service.close();
    for (const proxy of [primary, ...replicas]) await proxy[Symbol.asyncDispose]();
  });
  await service.importRecords(RECORDS);
  const { token } = await service.createKey({ sites: [PRESS], preview: true });
  return {
    service,
    token,
    primary,
    replicas,
    read: (target, headers = {}) =>
      exchange(service.url, 'GET', target, { authorization: `Bearer ${token}`, 'x-service-site': PRESS, ...headers }),
    awaitUse: (used) => expect.poll(() => findUsed(service), { interval: 10 }).toEqual(used),
    async rename() {
      names += 1;
      const name = `name ${names}`;
      await service.importRecords([...RECORDS.slice(0, 2), content({ id: 'c_a', name })]);
      return name;
    },
  };
}

let names = 0;

/** For each replica, whether the node uses it for reads. */
export function findUsed({ storage }: TestService): readonly boolean[] {
  return storage.figures()?.replicas.map(({ isUsed }) => isUsed) ?? [];
}

export async function askServer(server: PostgresServer, text: string): Promise<unknown> {
  const client = new Client(nameDatabase(server.url, DATABASE));
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(text)).rows[0]?.value;
  } finally {
    await client.end();
  }
}
