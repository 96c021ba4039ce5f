// The servers that follow the primary and may be read from instead of it. One is used only while it has shown, within
// the bound of freshness, that it follows and holds at least the newest moment that this node knows.

import type { ReplicaFigures } from '../engine.ts';
import { nameDatabase } from './connections.ts';
import { ReadServer } from './read-server.ts';

/** While a replica is behind, it is asked so often. */
const LOOK_AGAIN_MS = 50;
/** More is not needed to say how late a replica is. */
const MOST_STAMPS_KEPT = 1000;

interface Replica {
  readonly name: string;
  readonly server: ReadServer;
}

interface SeenStamp {
  readonly stamp: number;
  readonly at: number;
}

export class Replicas {
  readonly #replicas: readonly Replica[];
  #turn = 0;
  /** Those of the primary that some replica may lack, oldest first. */
  #seen: SeenStamp[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(urls: readonly string[], freshnessMs: number) {
    this.#replicas = urls.map((url) => ({ name: nameDatabase(url), server: new ReadServer(url, freshnessMs) }));
  }

  start(): void {
    for (const { server } of this.#replicas) server.watch.start();
  }

  /** The next in turn that holds this moment; undefined where none does. */
  find(stamp: number | undefined): ReadServer | undefined {
    if (stamp === undefined) return undefined;
    for (const _ of this.#replicas) {
      this.#turn = (this.#turn + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#turn];
      if (replica !== undefined && holds(replica, stamp)) return replica.server;
    }
    return undefined;
  }

  /** To be told of each new stamp of the primary. */
  noteNewest(stamp: number): void {
    if (this.#replicas.length === 0) return;
    this.#seen.push({ stamp, at: performance.now() });
    this.#follow();
  }

  #follow(): void {
    clearTimeout(this.#timer);
    const slowest = Math.min(...this.#replicas.map(({ server }) => server.watch.newest ?? 0));
    this.#seen = this.#seen.filter(({ stamp }) => stamp > slowest).slice(-MOST_STAMPS_KEPT);
    const behind = this.#replicas.filter((replica) => this.#readLag(replica) > 0);
    if (behind.length === 0) return;
    // A server that does not answer at all is asked at the pace of its watch.
    for (const { server } of behind) if (server.watch.outageMs === undefined) server.watch.look();
    this.#timer = setTimeout(() => this.#follow(), LOOK_AGAIN_MS);
  }

  /** How many milliseconds ago the oldest moment was seen that the replica lacks. */
  #readLag({ server }: Replica): number {
    const newest = server.watch.newest ?? 0;
    const missing = this.#seen.find(({ stamp }) => stamp > newest);
    return missing === undefined ? 0 : performance.now() - missing.at;
  }

  /** @param stamp the newest that this node knows */
  readFigures(stamp: number | undefined): readonly ReplicaFigures[] {
    return this.#replicas.map((replica) => ({
      name: replica.name,
      isUsed: stamp !== undefined && holds(replica, stamp),
      lagMs: this.#readLag(replica),
      pool: replica.server.figures,
    }));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#replicas.map(({ server }) => server.close()));
    clearTimeout(this.#timer);
  }
}

function holds({ server: { watch } }: Replica, stamp: number): boolean {
  return watch.isStandby && watch.isFresh && watch.outageMs === undefined && (watch.newest ?? 0) >= stamp;
}
