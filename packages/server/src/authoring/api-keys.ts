// Creates, changes and revokes API keys for the delivery API. Changes take effect on the next request.

import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../content/api-token.ts';
import { buildId } from '../content/ids.ts';
import { formatOptionalTimestamp } from '../content/timestamp.ts';
import { insertKey, type KeyRecord, revokeKey, selectKey, updateKey } from '../storage/keys/api-keys.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Actor } from './actor.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal, refuseAbsent } from './authoring-refusal.ts';
import { type Desk, type Job, type Reader, work } from './desk.ts';
import { findOwnSite } from './sites/find-site.ts';

export interface ApiKeyRights {
  readonly name: string;
  /** Null means every site in the account, including future ones. */
  readonly siteIds: readonly string[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  /** Requests per minute; 0 for no limit, null for the server's default. */
  readonly rateLimit: number | null;
}

/** Keys that belong to other accounts are reported as not found. */
export function* findKey(actor: Actor, keyId: string): Procedure<KeyRecord> {
  const key = yield* selectKey(actor.accountNo, keyId);
  if (key === undefined) throw refuseAbsent(`There is no API key ${keyId}.`);
  return key;
}

export interface CreatedApiKey {
  readonly id: string;
  /** Shown once and not stored. */
  readonly token: string;
  readonly prefix: string;
}

export function createApiKey(desk: Desk, actor: Actor, request: ApiKeyRights): Promise<CreatedApiKey> {
  return work(desk, actor, async (job) => {
    const created = await createApiKeyIn(job, request);
    const { name: _, ...details } = describeRights(request);
    await job.note({ action: 'key.create', subjectId: created.id, subjectName: request.name, details });
    return created;
  });
}

/** Creates a key as part of a larger transaction, which writes its own audit entry. */
export async function createApiKeyIn(job: Omit<Job, 'note'>, request: ApiKeyRights): Promise<CreatedApiKey> {
  const { siteIds, ...rights } = request;
  const token = buildToken('delivery', job.randomBytes(TOKEN_BYTES));
  const id = buildId('key', job.newUuid());
  const prefix = shortenToken(token);
  const siteNos = await findSiteNos(job, siteIds);
  const { accountNo } = job.actor;
  await job.run(
    insertKey({ id, accountNo, ...rights, siteNos, tokenHash: hashToken(token), prefix, createdAt: job.now }),
  );
  return { id, token, prefix };
}

/** Once this returns, the next request with the key has the new rights. */
export function updateApiKey(
  desk: Desk,
  actor: Actor,
  keyId: string,
  change: (key: KeyRecord) => ApiKeyRights,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const key = await job.run(findKey(actor, keyId));
    if (key.revokedAt !== null) {
      throw new AuthoringRefusal(`API key ${keyId} is revoked.`, {
        reason: 'conflict',
        details: { reason: 'key_revoked' },
      });
    }
    const rights = change(key);
    const siteNos = await findSiteNos(job, rights.siteIds);
    if (isSameAs(key, rights)) return;
    await job.run(updateKey(keyId, { ...rights, siteNos }));
    const details = describeChange(describeRights(key), describeRights(rights));
    await job.note({ action: 'key.update', subjectId: keyId, subjectName: rights.name, details });
  });
}

function isSameAs(key: KeyRecord, rights: ApiKeyRights): boolean {
  return (
    key.name === rights.name &&
    key.mayPreview === rights.mayPreview &&
    key.expiresAt === rights.expiresAt &&
    key.rateLimit === rights.rateLimit &&
    JSON.stringify(key.siteIds) === JSON.stringify(rights.siteIds?.toSorted() ?? null)
  );
}

/** Once this returns, the key no longer works. Revoking it again has no effect. */
export function revokeApiKey(desk: Desk, actor: Actor, keyId: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const key = await job.run(findKey(actor, keyId));
    if (key.revokedAt !== null) return;
    await job.run(revokeKey(keyId, job.now));
    await job.note({ action: 'key.revoke', subjectId: keyId, subjectName: key.name });
  });
}

/** The rights, as the audit log records them. */
function describeRights({ name, siteIds, mayPreview, expiresAt, rateLimit }: ApiKeyRights) {
  return {
    name,
    sites: siteIds?.toSorted() ?? null,
    preview: mayPreview,
    expires_at: formatOptionalTimestamp(expiresAt),
    rate_limit: rateLimit,
  };
}

/** Looks up the internal numbers of the given sites, which must belong to the actor's account. */
async function findSiteNos(job: Reader, siteIds: readonly string[] | null): Promise<readonly number[] | null> {
  if (siteIds === null) return null;
  const siteNos: number[] = [];
  for (const [index, siteId] of siteIds.entries()) {
    const site = await job.run(findOwnSite(job.actor, siteId));
    if (site === undefined) {
      const message = `names a site that does not exist; got ${JSON.stringify(siteId)}`;
      const values = { kind: 'site', id: siteId };
      const faults = [{ path: `sites[${index}]`, message, code: 'not_found', values }] as const;
      throw new AuthoringRefusal(`There is no site ${siteId}.`, { reason: 'invalid', faults });
    }
    siteNos.push(site.no);
  }
  return [...new Set(siteNos)];
}
