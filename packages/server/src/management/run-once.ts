// Makes calls safe to repeat. The response to a call with an `Idempotency-Key` is stored in the same transaction as its change. If the
// caller does not receive the response and repeats the call, it gets the stored response and nothing is changed again.

import { createHmac, hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor } from '../authoring/actor.ts';
import { refuseAbsent } from '../authoring/authoring-refusal.ts';
import { type Desk, prepareAt } from '../authoring/desk.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import {
  type CallName,
  deleteCallsBefore,
  hasCallsBefore,
  insertCall,
  type MadeCall,
  selectCall,
} from '../storage/accounts/idempotent-calls.ts';
import { StorageFault, type Transaction } from '../storage/engine.ts';
import type { Storage } from '../storage/storage.ts';

/** A route's response, ready to send. */
export interface Served {
  readonly status: number;
  readonly etag: string | null;
  /** JSON; null if the response has no body. */
  readonly body: string | null;
}

export interface KeyedCall {
  readonly key: string;
  readonly actor: Actor;
  readonly method: string;
  /** Including the query. */
  readonly url: string;
  readonly body: Uint8Array | undefined;
  /** Whether the response may be stored. */
  readonly isKept: boolean;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const KEY = /^[\x21-\x7e]{1,255}$/;

export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw new ProblemError(PROBLEMS.idempotencyKeyInvalid);
}

/**
 * @param serve carries out the call with the given desk
 * @returns the response, new or stored
 */
export function runOnce(
  desk: Desk,
  call: KeyedCall,
  serve: (desk: Desk) => Promise<Served>,
): Promise<Served & { readonly isReplayed: boolean }> {
  const { key, actor, isKept } = call;
  const name = nameCall(actor, key);
  const digest = buildDigest(call);
  // There is only one writer at a time, so a repeated call that arrives early waits here and then finds the stored response.
  return inTransaction(desk, actor, async (transaction, inside) => {
    const madeAt = desk.now();
    const made = await transaction.run(selectCall(name, madeAt - KEPT_MS));
    if (made !== undefined) return { ...replay(made, digest), isReplayed: true };
    const answer = await serve(inside);
    const body = isKept ? answer.body : null;
    await transaction.run(insertCall(name, { ...answer, body, digest, isKept, madeAt }, madeAt - KEPT_MS));
    return { ...answer, isReplayed: false };
  });
}

/**
 * Carries out a call that uses up an upload. The use is recorded in the same transaction, so that no other call on any node can use
 * the upload. An upload expires before its record does.
 */
export function useUploadOnce(
  desk: Desk,
  actor: Actor,
  upload: string,
  serve: (desk: Desk) => Promise<Served>,
): Promise<Served> {
  // No key contains a space.
  const name = nameCall(actor, `upload ${upload}`);
  return inTransaction(desk, actor, async (transaction, inside) => {
    const madeAt = desk.now();
    if ((await transaction.run(selectCall(name, madeAt - KEPT_MS))) !== undefined) {
      throw refuseAbsent('This upload no longer exists: another call has used it.');
    }
    const answer = await serve(inside);
    const use = { status: answer.status, etag: null, body: null, digest: '', isKept: false, madeAt };
    await transaction.run(insertCall(name, use, madeAt - KEPT_MS));
    return answer;
  });
}

function nameCall({ accountNo, id }: Actor, key: string): CallName {
  return { accountNo, actorId: id ?? '', keyHash: hash('sha256', key, 'base64url') };
}

/** @param work receives a desk whose operations are all part of the transaction */
async function inTransaction<Outcome>(
  desk: Desk,
  actor: Actor,
  work: (transaction: Transaction, inside: Desk) => Promise<Outcome>,
): Promise<Outcome> {
  let mustErase = false;
  const onErase = (): void => {
    mustErase = true;
  };
  const outcome = await prepareAt(desk, actor, (prepared) =>
    desk.storage.transaction((transaction) =>
      work(transaction, { ...desk, prepared, storage: nest(desk.storage, transaction, onErase) }),
    ),
  );
  if (mustErase) await desk.storage.eraseTraces();
  return outcome;
}

function replay({ digest, isKept, status, etag, body }: MadeCall, asked: string): Served {
  if (digest !== asked) throw new ProblemError(PROBLEMS.idempotencyKeyReused);
  if (!isKept) throw new ProblemError(PROBLEMS.alreadyDone);
  return { status, etag, body };
}

/** Returns storage that works inside the open transaction. */
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
 * Deletes stored responses to calls that can no longer be repeated: at startup, then every hour. They may contain drafts, so they are
 * deleted even if there are no further calls.
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

  /** Resolves once no deletion is running. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#deleting;
  }

  async #delete(): Promise<void> {
    const { storage, now } = this.#desk;
    const before = now() - KEPT_MS;
    try {
      // Usually there is nothing to delete, so there is no need to wait for the write lock.
      if (await storage.read(hasCallsBefore(before))) await storage.writeUnseen(deleteCallsBefore(before));
    } catch (error) {
      // The write watch reports storage faults.
      if (error instanceof StorageFault) return;
      this.#log.warn({ err: error }, 'expired responses to calls with an Idempotency-Key could not be deleted');
    }
  }
}
