// Checks the reader of the change feed or of its stream, in the documented order, and counts the request.

import { fail, ok, type Result } from '../../content/result.ts';
import type { NoteCaller } from '../../http/access-log.ts';
import { buildLimitHeaders, refuseExceeded } from '../../http/limiter.ts';
import { PROBLEMS, type Problem } from '../../http/problems.ts';
import type { DeliveryReads, ReadCaller } from '../../storage/delivery-reads.ts';
import { checkVisit, type KeyUsage, type RateLimit } from '../caller.ts';
import type { DeliveryRequest } from '../delivery-request.ts';

export interface AdmissionParts {
  readonly reads: DeliveryReads;
  readonly rateLimit: RateLimit;
  readonly keyUsage: KeyUsage;
  /** Undefined if requests are not logged. */
  readonly noteCaller: NoteCaller | undefined;
  readonly now: () => number;
}

export interface AdmittedReader {
  readonly keyId: string;
  /** The headers that describe the key's rate limit. */
  readonly headers: Readonly<Record<string, string>>;
}

export async function admitReader(
  { token, siteId, headers }: DeliveryRequest,
  { reads, noteCaller, keyUsage, rateLimit, now }: AdmissionParts,
): Promise<Result<AdmittedReader, Problem>> {
  const visit = await reads.readVisit({ token, siteId, wantsNewest: true });
  if (visit !== undefined) {
    const site = visit.access.site_no === null ? undefined : siteId;
    noteCaller?.(headers, { site, key: visit.access.key_id });
  }
  const admitted = checkVisit(visit, siteId, now());
  if (!admitted.ok) return admitted;
  const { keyId, rateLimit: ownLimit, isKey } = admitted.value;
  if (!isKey) return fail(PROBLEMS.keyNeeded);
  keyUsage.note(keyId, now());
  if (!rateLimit.limits(ownLimit)) return ok({ keyId, headers: {} });
  const tally = await rateLimit.spend(keyId, ownLimit);
  if (tally.isExceeded) return fail(refuseExceeded(tally));
  return ok({ keyId, headers: buildLimitHeaders([tally]) });
}

type CheckingReads = Pick<DeliveryReads, 'peekStamp' | 'recallVisit' | 'readVisit'>;

/** Checks readers that are already connected. Readers with the same key and site share the read. */
export class ReaderChecks {
  readonly #reads: CheckingReads;
  readonly #now: () => number;
  readonly #reading = new Map<string, Promise<Result<unknown, Problem>>>();

  constructor({ reads, now }: { readonly reads: CheckingReads; readonly now: () => number }) {
    this.#reads = reads;
    this.#now = now;
  }

  check(reader: Pick<ReadCaller, 'token' | 'siteId'>): Result<unknown, Problem> | Promise<Result<unknown, Problem>> {
    const { token, siteId } = reader;
    const visit = this.#reads.recallVisit(token, siteId);
    return visit === undefined ? this.#read(token, siteId) : checkVisit(visit, siteId, this.#now());
  }

  #read(token: string, siteId: string): Promise<Result<unknown, Problem>> {
    const stamp = this.#reads.peekStamp();
    // Readers share a read only if it began after the last write, because an earlier read may not show that the key was revoked.
    if (stamp === undefined) return this.#readVisit(token, siteId);
    const key = `${stamp} ${token} ${siteId}`;
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading = this.#readVisit(token, siteId).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #readVisit(token: string, siteId: string): Promise<Result<unknown, Problem>> {
    const visit = await this.#reads.readVisit({ token, siteId, wantsNewest: true });
    return checkVisit(visit, siteId, this.#now());
  }
}
