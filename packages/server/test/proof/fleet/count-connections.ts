// The number of connections from the nodes to the primary, sampled several times a second.

import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Ledger } from './ledger.ts';

const PAUSE_MS = 100;
const COUNT = "select count(*)::int as held from pg_stat_activity where application_name = 'galley'";

export interface ConnectionCount {
  stop(): Promise<void>;
}

/** @param url the URL of the primary, which may be down at times */
export function countConnections(url: string, ledger: Ledger): ConnectionCount {
  let isOver = false;

  async function watch(): Promise<void> {
    const client = new Client(url);
    client.on('error', () => {});
    try {
      await client.connect();
      while (!isOver) {
        const { rows } = await client.query<{ readonly held: number }>(COUNT);
        ledger.mostConnections = Math.max(ledger.mostConnections, rows[0]?.held ?? 0);
        await wait(PAUSE_MS);
      }
    } finally {
      await client.end();
    }
  }

  async function run(): Promise<void> {
    while (!isOver) {
      await watch().catch(() => wait(PAUSE_MS));
    }
  }

  const running = run();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}
