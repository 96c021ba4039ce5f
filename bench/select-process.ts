// The baseline for first-time reads from PostgreSQL, run as a separate process. It selects the stored bodies of given objects by primary
// key, over one connection, one statement after another, with the same driver as the service.

import { Client } from 'pg';
import type { SelectMessage, SelectOrder } from './bare-select.ts';
import { findPercentile } from './load/load.ts';

const NUMBERS = 'select no, id from contents where id = any($1)';
const BODIES = 'select body from published_bodies where content_no = any($1)';

let client: Client | undefined;
let batches: readonly (readonly string[])[] = [];

process.on('message', async (order: SelectOrder) => {
  try {
    process.send?.(order.kind === 'prepare' ? await prepare(order) : await run(order.seconds));
  } catch (error) {
    process.send?.({ failure: String(error) } satisfies SelectMessage);
  }
});
process.on('disconnect', () => process.exit(0));

async function prepare({ url, ids }: Extract<SelectOrder, { kind: 'prepare' }>): Promise<SelectMessage> {
  await client?.end();
  client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ no: string; id: string }>(NUMBERS, [ids.flat()]);
  const numbers = new Map(rows.map(({ no, id }) => [id, no]));
  batches = ids.map((batch) => batch.map((id) => numbers.get(id) ?? ''));
  return 'ready';
}

async function run(seconds: number): Promise<SelectMessage> {
  if (client === undefined) throw new Error('There is nothing to select yet');
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  for (let now = startedAt; now < endsAt; ) {
    const batch = batches[latencies.length % batches.length] ?? [];
    const { rows } = await client.query({ name: 'bodies', text: BODIES, values: [batch] });
    if (rows.length !== batch.length) throw new Error(`A select returned ${rows.length} bodies, not ${batch.length}`);
    const then = performance.now();
    latencies.push(then - now);
    now = then;
  }
  const sorted = Float64Array.from(latencies).toSorted();
  return {
    requests: latencies.length,
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: findPercentile(sorted, 50),
    p99Ms: findPercentile(sorted, 99),
  };
}
