// The faults injected into the fleet, one after the other. Each fault lasts until the nodes have detected it. The next one starts
// once they have recovered.

import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, vi } from 'vitest';
import { runOnServer } from '../../support/test-server.ts';
import { type Fleet, urlOf } from './fleet.ts';
import { ELSEWHERE } from './fleet-site.ts';
import type { Ledger } from './ledger.ts';

const REPLICA_AWAY_MS = 5000;
const LAG_MS = 5000;
const PRIMARY_AWAY_MS = 30_000;
export const LISTENERS_CUT = 100;
const FROZEN_MS = 10_000;
const REST_MS = 3000;
/** This limit is only there to stop a fleet that hangs. */
const SOON = { interval: 20, timeout: 120_000 };

export const PRIMARY = 'the primary';

export interface Fault {
  readonly name: string;
  carryOut(fleet: Fleet, ledger: Ledger): Promise<void>;
}

export const FAULTS: readonly Fault[] = [
  { name: 'no fault', carryOut: () => wait(REST_MS) },
  { name: 'a replica killed', carryOut: killReplica },
  { name: 'a replica that lags', carryOut: holdReplica },
  { name: 'a replica promoted', carryOut: promoteReplica },
  { name: 'the primary stopped', carryOut: stopPrimary },
  { name: 'the primary and the replicas killed', carryOut: killServers },
  { name: 'the primary and the replicas frozen', carryOut: freezeServers },
  { name: 'listener connections closed', carryOut: cutListeners },
  { name: 'each node restarted', carryOut: restartNodes },
];

async function killReplica(fleet: Fleet, ledger: Ledger): Promise<void> {
  const [replica] = fleet.replicas;
  await replica.halt('SIGKILL');
  await awaitReplicas(fleet, 1);
  await wait(REPLICA_AWAY_MS);
  await replica.resume();
  await noteRecovery(fleet, ledger);
}

async function holdReplica(fleet: Fleet, ledger: Ledger): Promise<void> {
  const [, replica] = fleet.replicas;
  await runOnServer(urlOf(replica), 'select pg_wal_replay_pause()');
  await wait(LAG_MS);
  for (const node of fleet.nodes) {
    const readLag = async () => Math.max(...(await node.readMetric('galley_replica_lag_seconds')));
    await vi.waitUntil(async () => (await readLag()) > LAG_MS / 2000, SOON);
  }
  await runOnServer(urlOf(replica), 'select pg_wal_replay_resume()');
  await noteRecovery(fleet, ledger);
}

/** The promoted replica gets ahead of the fleet and has different content, until another server replaces it. */
async function promoteReplica(fleet: Fleet, ledger: Ledger): Promise<void> {
  const [replica] = fleet.replicas;
  await runOnServer(urlOf(replica), 'select pg_promote()');
  await runOnServer(
    urlOf(replica),
    `update published_bodies set body = regexp_replace(body, 'Count \\d+', '${ELSEWHERE}');
     update sites set generation = generation + 60000;
     update database_moments set stamp = stamp + 60000000`,
  );
  await awaitReplicas(fleet, 1);
  await wait(REPLICA_AWAY_MS);
  await fleet.replaceReplica(0);
  await noteRecovery(fleet, ledger);
}

async function stopPrimary(fleet: Fleet, ledger: Ledger): Promise<void> {
  const { primary } = fleet;
  await withoutPrimary(fleet, ledger, PRIMARY_AWAY_MS, { leave: () => primary.halt(), come: () => primary.resume() });
}

/** Kills all servers at the same time, so no node can detect a single missing server first. */
async function killServers(fleet: Fleet, ledger: Ledger): Promise<void> {
  const servers = [fleet.primary, ...fleet.replicas];
  await withoutPrimary(fleet, ledger, PRIMARY_AWAY_MS / 2, {
    leave: () => Promise.all(servers.map((server) => server.halt('SIGKILL'))),
    come: () => Promise.all(servers.map((server) => server.resume())),
  });
}

/** Connections stay open and new ones are accepted, but no server responds. */
async function freezeServers(fleet: Fleet, ledger: Ledger): Promise<void> {
  const servers = [fleet.primary, ...fleet.replicas];
  await withoutPrimary(fleet, ledger, FROZEN_MS, {
    leave: () => Promise.all(servers.map((server) => server.freeze())),
    come: async () => servers.map((server) => server.thaw()),
  });
}

interface Way {
  leave(): Promise<unknown>;
  come(): Promise<unknown>;
}

async function withoutPrimary(fleet: Fleet, ledger: Ledger, ms: number, { leave, come }: Way): Promise<void> {
  const from = performance.now();
  await leave();
  await wait(ms);
  for (const node of fleet.nodes) {
    await vi.waitUntil(async () => (await node.readHealth()).status === 'degraded', SOON);
    expect((await node.readHealth()).code).toBe(200);
  }
  await come();
  ledger.absences.push({ of: PRIMARY, from, to: performance.now() });
  await noteRecovery(fleet, ledger);
}

async function cutListeners(fleet: Fleet, ledger: Ledger): Promise<void> {
  const client = new Client(urlOf(fleet.primary));
  await client.connect();
  try {
    while (ledger.listenersCut < LISTENERS_CUT) {
      await vi.waitUntil(async () => (await client.query(FIND_LISTENERS)).rowCount, SOON);
      ledger.listenersCut += (await client.query(END_LISTENERS)).rowCount ?? 0;
    }
  } finally {
    await client.end();
  }
  await noteRecovery(fleet, ledger);
}

const FIND_LISTENERS = `select pid from pg_stat_activity where query = 'listen galley_moment'`;
const END_LISTENERS = `select pg_terminate_backend(pid) from (${FIND_LISTENERS}) as listening`;

async function restartNodes(fleet: Fleet, ledger: Ledger): Promise<void> {
  for (const node of fleet.nodes) {
    const from = performance.now();
    expect(await node.restart()).toBe(0);
    ledger.absences.push({ of: node.name, from, to: performance.now() });
    await wait(REST_MS);
  }
  await noteRecovery(fleet, ledger);
}

/** Waits until all nodes use all servers and a publish succeeds. Returns the time this took. */
async function noteRecovery(fleet: Fleet, ledger: Ledger): Promise<void> {
  const since = performance.now();
  const published = (): boolean =>
    ledger.publishings.some(({ outcome, startedAt }) => outcome === 'published' && startedAt > since);
  await vi.waitUntil(published, SOON);
  await awaitReplicas(fleet, fleet.replicas.length);
  for (const node of fleet.nodes) {
    await vi.waitUntil(async () => (await node.readHealth()).status === 'ok', SOON);
    await vi.waitUntil(async () => (await node.readMetric('galley_database_listener_up'))[0] === 1, SOON);
  }
  ledger.recoveries.push({ phase: ledger.phase, ms: performance.now() - since });
  await wait(REST_MS);
}

/** Waits until each node reads from this many replicas. */
export async function awaitReplicas({ nodes }: Fleet, used: number): Promise<void> {
  for (const node of nodes) {
    const countUsed = async () => (await node.readMetric('galley_replica_up')).filter((value) => value === 1).length;
    await vi.waitUntil(async () => (await countUsed()) === used, SOON);
  }
}
