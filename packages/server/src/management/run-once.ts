// Calls that can be repeated safely. What a call with an `Idempotency-Key` answers is stored in the transaction of its
// change, so both are kept or neither is. Whoever repeats the call, because the answer was lost, gets that answer and changes nothing.

import { createHmac, hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import { withPrepared } from '../authoring/prepare-work.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import {
  deleteCallsBefore,
  hasCallsBefore,
  insertCall,
  type MadeCall,
  selectCall,
} from '../storage/accounts/idempotent-calls.ts';
import { StorageFault, type Transaction } from '../storage/engine.ts';
import type { Storage } from '../storage/storage.ts';

/** What a route answers, as it is sent. */
export interface Served {
  readonly status: number;
  readonly etag: string | null;
  /** JSON; null where the answer has no body. */
  readonly body: string | null;
}

export interface KeyedCall {
  readonly key: string;
  readonly actor: Actor;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly body: Uint8Array | undefined;
  /** Whether the answer may be stored. */
  readonly isKept: boolean;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const KEY = /^[\x21-\x7e]{1,255}$/;

export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw new ProblemError(PROBLEMS.idempotencyKeyInvalid);
}

/**
 * @param serve does what the call asks for at the desk that it gets
 * @returns what it has served, now or before
 */
export async function runOnce(
  desk: Desk,
  call: KeyedCall,
  serve: (desk: Desk) => Promise<Served>,
): Promise<Served & { readonly isReplayed: boolean }> {
  const { key, actor, isKept } = call;
  const name = { accountNo: actor.accountNo, actorId: actor.id ?? '', keyHash: hash('sha256', key, 'base64url') };
  const digest = buildDigest(call);
  let mustErase = false;
  const onErase = (): void => {
    mustErase = true;
  };
  // Writers come one at a time, so a repeat that arrives too early waits here and then finds the answer.
  const served = await withPrepared(desk, actor, (prepared) =>
    desk.storage.transaction(async (transaction) => {
      const madeAt = desk.now();
      const made = await transaction.run(selectCall(name, madeAt - KEPT_MS));
      if (made !== undefined) return { ...replay(made, digest), isReplayed: true };
      const answer = await serve({ ...desk, prepared, storage: nest(desk.storage, transaction, onErase) });
      const body = isKept ? answer.body : null;
      await transaction.run(insertCall(name, { ...answer, body, digest, isKept, madeAt }, madeAt - KEPT_MS));
      return { ...answer, isReplayed: false };
    }),
  );
  if (mustErase) await desk.storage.eraseTraces();
  return served;
}

function replay({ digest, isKept, status, etag, body }: MadeCall, asked: string): Served {
  if (digest !== asked) throw new ProblemError(PROBLEMS.idempotencyKeyReused);
  if (!isKept) throw new ProblemError(PROBLEMS.alreadyDone);
  return { status, etag, body };
}

/** Everything happens in the transaction that is open. */
function nest(storage: Storage, transaction: Transaction, onErase: () => void): Storage {
  return {
    ...storage,
    read: (procedure) => transaction.run(procedure),
    writeUnseen: (procedure) => transaction.run(procedure),
    transaction: (work) => work(transaction),
    eraseTraces: async () => onErase(),
  };
}

function buildDigest({ key, method, url, body }: KeyedCall): string {
  const digest = createHmac('sha256', key).update(`${method} ${url}\n`);
  return (body === undefined ? digest : digest.update(body)).digest('base64url');
}

const HOUR_MS = 60 * 60_000;

/**
 * Deletes stored answers when nobody may repeat the call any more: at the start, then every hour. They may contain drafts, so they
 * do not wait for the next such call.
 */
export class ExpiredCalls {
  readonly #desk: Pick<Desk, 'storage' | 'now'>;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #deleting: Promise<void>;

  constructor(desk: Pick<Desk, 'storage' | 'now'>, log: Logger, everyMs = HOUR_MS) {
    this.#desk = desk;
    this.#log = log;
    this.#deleting = this.#delete();
    this.#timer = setInterval(() => {
      this.#deleting = this.#deleting.then(() => this.#delete());
    }, everyMs).unref();
  }

  /** Resolves when no deletion is under way. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#deleting;
  }

  async #delete(): Promise<void> {
    const { storage, now } = this.#desk;
    const before = now() - KEPT_MS;
    try {
      // Mostly there is nothing to delete, and then nobody needs to wait for the write lock.
      if (await storage.read(hasCallsBefore(before))) await storage.writeUnseen(deleteCallsBefore(before));
    } catch (error) {
      // The write watch reports faults.
      if (error instanceof StorageFault) return;
      this.#log.warn({ err: error }, 'expired answers to calls with an Idempotency-Key could not be deleted');
    }
  }
}
