// API keys: only the hash of a token is kept, with a readable beginning to tell keys apart.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** What a key may do; all of it can be changed. */
export interface KeyRights {
  readonly name: string;
  /** Null means every site of the account, those of the future too. */
  readonly siteNos: readonly number[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  readonly rateLimit: number | null;
}

export interface NewKey extends KeyRights {
  readonly id: string;
  readonly accountNo: number;
  readonly tokenHash: string;
  readonly prefix: string;
  readonly createdAt: number;
}

const insertKeyRow = defineStatement(
  () => sql`insert into api_keys
    (id, account_no, name, token_hash, prefix, has_all_sites, may_preview, expires_at, rate_limit, created_at)
    values (${slot('id')}, ${slot('account')}, ${slot('name')}, ${slot('hash')}, ${slot('prefix')}, ${slot('hasAllSites')},
      ${slot('mayPreview')}, ${slot('expiresAt')}, ${slot('rateLimit')}, ${slot('createdAt')})`,
);
const updateKeyRow = defineStatement(
  () => sql`update api_keys set name = ${slot('name')}, has_all_sites = ${slot('hasAllSites')},
    may_preview = ${slot('mayPreview')}, expires_at = ${slot('expiresAt')}, rate_limit = ${slot('rateLimit')}
    where id = ${slot('id')}`,
);
const insertKeySite = defineStatement(
  () => sql`insert into api_key_sites (key_id, site_no) values (${slot('key')}, ${slot('site')})`,
);
const deleteKeySites = defineStatement(() => sql`delete from api_key_sites where key_id = ${slot('key')}`);
const updateRevoked = defineStatement(
  () => sql`update api_keys set revoked_at = ${slot('now')} where id = ${slot('id')} and revoked_at is null`,
);
// Several processes tell of their own uses, in any order.
const updateLastUsed = defineStatement(
  () => sql`update api_keys set last_used_at = ${slot('at')}
    where id = ${slot('id')} and (last_used_at is null or last_used_at < ${slot('at')})`,
);

export function* insertKey(key: NewKey): Procedure<void> {
  yield* query(insertKeyRow, {
    id: key.id,
    account: key.accountNo,
    hash: key.tokenHash,
    prefix: key.prefix,
    createdAt: key.createdAt,
    ...buildRightValues(key),
  });
  yield* insertKeySites(key.id, key.siteNos);
}

export function* updateKey(id: string, rights: KeyRights): Procedure<void> {
  yield* query(updateKeyRow, { id, ...buildRightValues(rights) });
  yield* query(deleteKeySites, { key: id });
  yield* insertKeySites(id, rights.siteNos);
}

function buildRightValues({ name, siteNos, mayPreview, expiresAt, rateLimit }: KeyRights) {
  return { name, hasAllSites: siteNos === null ? 1 : 0, mayPreview: mayPreview ? 1 : 0, expiresAt, rateLimit };
}

function* insertKeySites(id: string, siteNos: readonly number[] | null): Procedure<void> {
  for (const site of siteNos ?? []) yield* query(insertKeySite, { key: id, site });
}

/** A key that is revoked already stays as it is. */
export function* revokeKey(id: string, now: number): Procedure<void> {
  yield* query(updateRevoked, { id, now });
}

/** @param uses the time of the newest use, by the id of the key */
export function* markKeysUsed(uses: ReadonlyMap<string, number>): Procedure<void> {
  for (const [id, at] of uses) yield* query(updateLastUsed, { id, at });
}
