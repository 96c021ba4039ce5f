// Hill climbing: generates random requests, keeps the slowest, varies them slightly, and replaces them with any variants that are slower.

import { setTimeout as pause } from 'node:timers/promises';
import { type Asking, openConnection, type Received } from '../../../support/connection.ts';

/** A search problem. `Shape` describes a request completely. */
export interface Prey<Shape> {
  draw(): Shape;
  change(shape: Shape): Shape;
  build(shape: Shape): Asking;
  /** Uses information from a response, such as a cursor. */
  learn?(shape: Shape, body: string): Shape;
}

export interface Catch {
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** The slowest requests, with the milliseconds each took in the second run. */
  readonly slowest: readonly { readonly text: string; readonly took: number }[];
}

const HUNTERS = 4;
const KEPT = 12;

export async function climb<Shape>(url: string, prey: Prey<Shape>, milliseconds: number): Promise<Catch> {
  const statuses = new Map<number, number>();
  let requests = 0;
  let kept: { readonly shape: Shape; readonly took: number }[] = [];
  const end = performance.now() + milliseconds;
  await Promise.all(Array.from({ length: HUNTERS }, hunt));
  const slowest = kept.slice(0, 3).map(({ shape, took }) => ({ took: Math.round(took), text: JSON.stringify(shape) }));
  return { requests, statuses, slowest };

  async function hunt(): Promise<void> {
    const connection = openConnection(url);
    try {
      while (performance.now() < end) {
        const parent = Math.random() < 0.7 ? kept[Math.floor(Math.random() * kept.length)]?.shape : undefined;
        const shape = parent === undefined ? prey.draw() : prey.change(parent);
        const first = await ask(shape);
        const slow = kept.length < KEPT || first.took > (kept.at(-1)?.took ?? 0);
        // Only the second run counts, because a garbage collection may have slowed down the first.
        if (slow) keep(first.shape, Math.min(first.took, (await ask(shape)).took));
      }
    } finally {
      connection.close();
    }

    async function ask(shape: Shape): Promise<{ shape: Shape; took: number }> {
      const start = performance.now();
      const { status, headers, bytes } = await connection.ask(prey.build(shape)).catch(noteCut);
      const took = performance.now() - start;
      requests += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // The response to a rate-limited request says when to retry, and a patient attacker waits until then.
      if (status === 429) await pause(Number(headers['retry-after'] ?? 1) * 1000);
      return { took, shape: status === 200 && prey.learn ? prey.learn(shape, bytes.toString()) : shape };
    }
  }

  function keep(shape: Shape, took: number): void {
    kept = [...kept, { shape, took }].toSorted((one, other) => other.took - one.took).slice(0, KEPT);
  }
}

/** The service may close a connection before it has read the whole body of a rejected request. */
function noteCut(error: unknown): Received {
  if (error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET')) {
    return { status: 0, headers: {}, bytes: Buffer.alloc(0) };
  }
  throw error;
}

export function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
}

export function chance(percent: number): boolean {
  return Math.random() * 100 < percent;
}
