// What a connection keeps from one transaction to the next: settings for reads, and statements that the server has parsed
// and planned. Only a connection that leads to the server itself keeps anything. Behind a pooler in transaction mode
// (PgBouncer), each transaction may be on another one.

import type { Client } from 'pg';

/** Each takes memory of the server. */
const MOST_NAMED = 100;
const MOST_SEEN = 1000;
/** What is asked for changes with time. A connection that is full gives way to a new one, but not at every turn. */
const LEAST_LIFE_MS = 60_000;

export class Session {
  readonly #openedAt: number;
  readonly #seen = new Set<number>();
  readonly #named = new Set<number>();
  #isSpoilt = false;

  constructor(now: number) {
    this.#openedAt = now;
  }

  /** What is run once has no name; what is run again is likely to be run often. */
  nameStatement(statement: number): string | undefined {
    if (!this.#named.has(statement)) {
      if (this.#isFull || !this.#seen.delete(statement)) {
        this.#note(statement);
        return undefined;
      }
      this.#named.add(statement);
    }
    return `read_${statement}`;
  }

  /** A named statement has failed; it may do so again. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** Whether another connection would do better. */
  mustEnd(now: number): boolean {
    return this.#isSpoilt || (this.#isFull && now - this.#openedAt > LEAST_LIFE_MS);
  }

  get #isFull(): boolean {
    return this.#named.size >= MOST_NAMED;
  }

  #note(statement: number): void {
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.add(statement);
  }
}

const sessions = new WeakMap<Client, Session>();

/** Undefined where the connection keeps nothing, or may not. */
export function findSession(client: Client): Session | undefined {
  return sessions.get(client);
}

export function startSession(client: Client): void {
  sessions.set(client, new Session(performance.now()));
}
