// The caller of a request: whether they may read, when their key was last used, its rate limit, and their account's traffic. The checks
// run in the order given in the API documentation, and each has its own error.

import type { Logger } from 'pino';
import type { AnswerRoom } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { Limiter, type Tally } from '../http/limiter.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import { type AccountTraffic, findMinuteStart } from '../http/traffic.ts';
import type { CatalogMemo, Reading, Visit } from '../storage/delivery-reads.ts';
import { StorageFault } from '../storage/engine.ts';
import { markKeysUsed } from '../storage/keys/api-keys.ts';
import type { AccessRow } from '../storage/keys/select-access.ts';
import type { Storage } from '../storage/storage.ts';
import { type Audience, VIEWS } from '../storage/views.ts';

export interface Caller {
  /** The id of the key or of the share link; for a preview secret, a name made from the site's id. */
  readonly keyId: string;
  /** Whether the caller uses an API key. */
  readonly isKey: boolean;
  readonly mayPreview: boolean;
  /** Requests per minute; null for the server's default. */
  readonly rateLimit: number | null;
  readonly memo: CatalogMemo;
  /** The site's generation. It changes whenever anything that the public can see changes. */
  readonly generation: number;
  /** Changes whenever anything on the site changes, including drafts. */
  readonly previewGeneration: number;
  /** The version of the site's catalog that public responses use. */
  readonly shownCatalog: number;
  /** The content that a share link shows; otherwise null. */
  readonly sharedId: string | null;
}

export function checkVisit(visit: Visit | undefined, siteId: string, now: number): Result<Caller, Problem> {
  if (visit === undefined || !isLive(visit.access, now)) return fail(PROBLEMS.unauthenticated);
  const { access, memo } = visit;
  if (siteId === '') return fail(PROBLEMS.siteMissing);
  const { site_no, generation, preview_generation, shown_catalog } = access;
  if (site_no === null || generation === null || preview_generation === null || shown_catalog === null)
    return fail(PROBLEMS.siteInvalid);
  if (access.may_read_site === 0 || memo === null) return fail(PROBLEMS.siteForbidden);
  return ok({
    keyId: access.key_id,
    isKey: access.is_key === 1,
    mayPreview: access.may_preview === 1,
    rateLimit: access.rate_limit,
    memo,
    generation,
    previewGeneration: preview_generation,
    shownCatalog: shown_catalog,
    sharedId: access.shared_id,
  });
}

function isLive(access: AccessRow, now: number): boolean {
  return access.revoked_at === null && (access.expires_at === null || access.expires_at > now);
}

/** Determines which version of the catalog and which view of the content the audience sees. */
export function openReading(caller: Caller, audience: Audience, room: AnswerRoom): Reading {
  const { memo, sharedId } = caller;
  const isPublic = audience === 'public';
  const generation = isPublic ? caller.generation : caller.previewGeneration;
  const version = isPublic ? caller.shownCatalog : memo.version;
  return { memo, generation, version, view: VIEWS[audience], room, sharedId };
}

export function chooseAudience(caller: Caller, wantsPreview: boolean): Result<Audience, Problem> {
  if (!wantsPreview) return ok('public');
  return caller.mayPreview ? ok('preview') : fail(PROBLEMS.previewForbidden);
}

const WRITE_EVERY_MS = 30_000;

/**
 * Records when each key was last used, for display. A request only notes the time in memory; all times are written together, twice a
 * minute and on shutdown. Readers cannot see these times, so writing them does not change any site's generation.
 */
export class KeyUsage {
  readonly #storage: Pick<Storage, 'writeUnseen'>;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(storage: Pick<Storage, 'writeUnseen'>, log: Logger, everyMs = WRITE_EVERY_MS) {
    this.#storage = storage;
    this.#log = log;
    this.#timer = setInterval(() => this.#write(), everyMs).unref();
  }

  note(keyId: string, now: number): void {
    this.#uses.set(keyId, now);
  }

  /** Resolves when everything has been written, or writing has failed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write();
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNoted());
    return this.#writing;
  }

  async #writeNoted(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await this.#storage.writeUnseen(markKeysUsed(uses));
    } catch (error) {
      // The next write includes these uses again, along with any newer ones.
      this.#uses = new Map([...uses, ...this.#uses]);
      // The fault log monitors all writes and reports this fault.
      if (error instanceof StorageFault) return;
      this.#log.warn({ err: error }, 'the last-used times of API keys could not be saved');
    }
  }
}

const WINDOW_SECONDS = 60;

/** Counts each key's requests per minute, in this process. */
export class RateLimit {
  readonly #byLimit = new Map<number, Limiter>();
  readonly #defaultLimit: number;

  /** @param defaultLimit the limit for keys that do not set one; 0 means no limit */
  constructor(defaultLimit: number) {
    this.#defaultLimit = defaultLimit;
  }

  /** Whether requests made with a key that has this limit are counted at all. */
  limits(ownLimit: number | null): boolean {
    return (ownLimit ?? this.#defaultLimit) > 0;
  }

  /** Counts a request made with the key. */
  spend(keyId: string, ownLimit: number | null): Promise<Tally> {
    return this.#limiterOf(ownLimit ?? this.#defaultLimit).spend(keyId);
  }

  #limiterOf(limit: number): Limiter {
    const known = this.#byLimit.get(limit);
    if (known !== undefined) return known;
    const limiter = new Limiter({ name: 'key', tries: limit, seconds: WINDOW_SECONDS });
    this.#byLimit.set(limit, limiter);
    return limiter;
  }
}

const LOOK_EVERY_MS = 10_000;

interface TrafficCount {
  readonly accountNo: number;
  answers: number;
  hits: number;
}

/** Counts published responses for the dashboard. Each request costs two additions. */
export class TrafficWatch {
  readonly #now: () => number;
  readonly #tell: (seen: AccountTraffic) => void;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<number, TrafficCount>();
  /** Most responses belong to the same account as the previous one. */
  #last: TrafficCount | undefined;

  /** @param tell receives new counts; each response is reported once */
  constructor(now: () => number, tell: (seen: AccountTraffic) => void) {
    this.#now = now;
    this.#tell = tell;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** @param isHit whether the response came from the cache */
  count(accountNo: number, isHit: boolean): void {
    if (this.#last?.accountNo !== accountNo) this.#last = this.#findCount(accountNo);
    this.#last.answers += 1;
    if (isHit) this.#last.hits += 1;
  }

  #findCount(accountNo: number): TrafficCount {
    const count = this.#counts.get(accountNo) ?? { accountNo, answers: 0, hits: 0 };
    this.#counts.set(accountNo, count);
    return count;
  }

  /** Reports the new counts, and attributes them to the current minute. */
  look(): void {
    const startsAt = findMinuteStart(this.#now());
    for (const count of this.#counts.values()) this.#tell({ startsAt, ...count });
    this.#counts = new Map();
    this.#last = undefined;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
