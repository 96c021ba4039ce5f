// Simulates readers that send requests at a fixed rate, however long the responses take. Each reader uses one node and cycles through all
// kinds of reads. Requests refused by a stopped node are sent again until the node is back.

import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, isHit, openConnection, processOf, type Received } from '../../support/connection.ts';
import type { Fleet } from './fleet.ts';
import type { FleetNode } from './fleet-node.ts';
import { buildNewTarget, MOVING_SITE, MOVING_TARGETS, RESTING_SITE, RESTING_TARGETS, readCount } from './fleet-site.ts';
import type { Ledger, Reading, ReadKind } from './ledger.ts';

const CLIENTS_A_NODE = 4;
const TURNS: readonly ReadKind[] = ['cached', 'moving', 'cached', 'new'];
const SEND_AGAIN_MS = 100;

export interface Load {
  /** Resolves when the last request has received its response. */
  stop(): Promise<void>;
}

interface Reader {
  readonly no: number;
  readonly node: FleetNode;
  readonly connection: Connection;
  readonly key: string;
  readonly ledger: Ledger;
  /** The time at which one of the node's processes started to serve a URL from memory. */
  readonly known: Map<string, number>;
}

/** @param rate requests per second, for all readers together */
export function startLoad({ nodes, key }: Fleet, ledger: Ledger, rate: number): Load {
  let isOver = false;
  const readers = nodes.flatMap((node): readonly Reader[] => {
    const known = new Map<string, number>();
    return Array.from({ length: CLIENTS_A_NODE }, (_, no) => {
      const connection = openConnection(node.url, Number.POSITIVE_INFINITY);
      return { no, node, connection, key, ledger, known };
    });
  });
  const pauseMs = (readers.length * 1000) / rate;
  const running = readers.map(async (reader, place) => {
    const sent = new Set<Promise<void>>();
    const firstAt = performance.now() + (pauseMs * place) / readers.length;
    for (let turn = 0; !isOver; turn += 1) {
      await wait(Math.max(0, firstAt + turn * pauseMs - performance.now()));
      const reading = read(reader, turn).finally(() => sent.delete(reading));
      sent.add(reading);
    }
    await Promise.all(sent);
    reader.connection.close();
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

async function read(reader: Reader, turn: number): Promise<void> {
  const { node, connection, key, ledger, known } = reader;
  const { phase } = ledger;
  const meant = TURNS[(reader.no + turn) % TURNS.length] ?? 'new';
  const target = chooseTarget(reader, meant, turn);
  const site = meant === 'cached' ? RESTING_SITE : MOVING_SITE;
  const headers = { authorization: `Bearer ${key}`, 'x-service-site': site };
  for (;;) {
    const startedAt = performance.now();
    const received = await connection.ask({ target, headers }).catch((error: unknown) => error);
    if (isReceived(received)) {
      const place = `${processOf(received)} ${target}`;
      const isKnown = (known.get(place) ?? startedAt) < startedAt;
      if (isHit(received) && !known.has(place)) known.set(place, performance.now());
      const kind = meant === 'cached' && !isKnown ? 'new' : meant;
      const count = meant !== 'cached' && received.status === 200 ? readCount(received.bytes.toString()) : undefined;
      ledger.readings.push(buildReading({ node: node.name, kind, phase, startedAt, count }, received));
      return;
    }
    if (!node.wasAwaySince(startedAt)) {
      ledger.faults.push(`${target} got no response from ${node.name}, which was running (${phase}): ${received}`);
      return;
    }
    if (isRefusal(received)) ledger.refusedConnections += 1;
    else ledger.closedConnections += 1;
    await wait(SEND_AGAIN_MS);
  }
}

function chooseTarget({ no, node }: Reader, meant: ReadKind, turn: number): string {
  if (meant === 'new') return buildNewTarget(`${node.name.replace(' ', '-')}-${no}-${turn}`);
  const targets = meant === 'cached' ? RESTING_TARGETS : MOVING_TARGETS;
  return targets[Math.floor(turn / 2) % targets.length] ?? '';
}

function buildReading(known: Omit<Reading, 'endedAt' | 'status' | 'isStale'>, { status, headers }: Received): Reading {
  const isStale = headers['cache-status'] === 'galley; hit; detail=stale';
  return { ...known, endedAt: performance.now(), status, isStale };
}

function isReceived(outcome: unknown): outcome is Received {
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome;
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
