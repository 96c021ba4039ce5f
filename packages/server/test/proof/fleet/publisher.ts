// Simulates an editor who counts. Each change increases the counter by one. The change is saved through one node and published through
// another. After a rejected save, the editor continues with the next number.

import { setTimeout as wait } from 'node:timers/promises';
import { PROBLEMS } from '../../../src/http/problems.ts';
import { type Connection, openConnection, type Received } from '../../support/connection.ts';
import type { Fleet } from './fleet.ts';
import type { FleetNode } from './fleet-node.ts';
import { COUNTER, MOVING_SITE, nameCount } from './fleet-site.ts';
import type { Ledger, Publishing } from './ledger.ts';

const PUBLISHES_A_SECOND = 5;
const PATH = `/manage/v1/sites/${MOVING_SITE}/content/${COUNTER}`;
/** The error responses that reads and changes may get while servers are down. */
const REFUSALS = new Map(
  (
    [
      [PROBLEMS.serviceUnavailable, 'refused'],
      [PROBLEMS.notSaved, 'refused'],
      [PROBLEMS.outcomeUnknown, 'unknown'],
    ] as const
  ).map(([{ message, code }, outcome]) => [JSON.stringify({ message, code }), outcome]),
);

export interface Publisher {
  /** Resolves when the last call has ended. */
  stop(): Promise<void>;
}

interface Desk {
  readonly node: FleetNode;
  readonly connection: Connection;
}

type Outcome = Publishing['outcome'];

export function startPublisher({ nodes, managementToken }: Fleet, ledger: Ledger): Publisher {
  const desks = nodes.map((node): Desk => ({ node, connection: openConnection(node.url) }));
  const headers = { authorization: `Bearer ${managementToken}` };
  let isOver = false;
  /** Undefined if the outcome of the last save is unknown. */
  let version: number | undefined;

  /** Calls one of the nodes. Returns the error if the call failed. */
  async function call(method: string, target: string, body?: object): Promise<number | Exclude<Outcome, 'published'>> {
    const { node, connection } = draw(desks);
    const startedAt = performance.now();
    try {
      const received = await connection.ask({ method, target, headers, body });
      if (received.status === 200) return readVersion(received);
      const refusal = received.status === 503 ? REFUSALS.get(received.bytes.toString()) : undefined;
      if (refusal !== undefined) return refusal;
      ledger.faults.push(`${method} ${target} returned ${received.status} ${received.bytes} (${ledger.phase})`);
      return 'refused';
    } catch (error) {
      if (!node.wasAwaySince(startedAt)) ledger.faults.push(`${method} ${target} got no response: ${error}`);
      return 'unreached';
    }
  }

  async function publish(count: number): Promise<Outcome> {
    const base = version ?? (await call('GET', PATH));
    version = undefined;
    if (typeof base !== 'number') return base;
    const saved = await call('PUT', PATH, { version: base, name: nameCount(count) });
    if (typeof saved !== 'number') return saved;
    version = saved;
    const published = await call('POST', `${PATH}/publish`, { version: saved });
    return typeof published === 'number' ? 'published' : published;
  }

  async function run(): Promise<void> {
    for (let count = 1; !isOver; count += 1) {
      const { phase } = ledger;
      const startedAt = performance.now();
      const outcome = await publish(count);
      ledger.publishings.push({ count, phase, startedAt, endedAt: performance.now(), outcome });
      await wait(Math.max(0, startedAt + 1000 / PUBLISHES_A_SECOND - performance.now()));
    }
    for (const { connection } of desks) connection.close();
  }

  const running = run();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

function readVersion({ bytes }: Received): number {
  return (JSON.parse(bytes.toString()) as { readonly version: number }).version;
}

function draw<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to choose from');
  return value;
}
