// API keys: only the hash of a token is kept, with a readable beginning to tell keys apart.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface NewKey {
  readonly id: string;
  readonly accountNo: number;
  readonly name: string;
  readonly tokenHash: string;
  readonly prefix: string;
  /** Null means every site, those of the future too. */
  readonly siteNos: readonly number[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  readonly rateLimit: number | null;
  readonly createdAt: number;
}

export interface KeyRow {
  readonly id: string;
  readonly account_no: number;
  readonly name: string;
  readonly prefix: string;
  readonly has_all_sites: number;
  readonly may_preview: number;
  readonly expires_at: number | null;
  readonly rate_limit: number | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

export interface KeySiteRow {
  readonly key_id: string;
  readonly site_id: string;
}

const insertKeyRow = defineStatement(
  () => sql`insert into api_keys
    (id, account_no, name, token_hash, prefix, has_all_sites, may_preview, expires_at, rate_limit, created_at)
    values (${slot('id')}, ${slot('account')}, ${slot('name')}, ${slot('hash')}, ${slot('prefix')}, ${slot('hasAllSites')},
      ${slot('mayPreview')}, ${slot('expiresAt')}, ${slot('rateLimit')}, ${slot('createdAt')})`,
);
const insertKeySite = defineStatement(
  () => sql`insert into api_key_sites (key_id, site_no) values (${slot('key')}, ${slot('site')})`,
);
const updateRevoked = defineStatement(
  () => sql`update api_keys set revoked_at = coalesce(revoked_at, ${slot('now')}) where id = ${slot('id')}
    returning id`,
);
const selectKeyRows = defineStatement(
  () => sql`select id, account_no, name, prefix, has_all_sites, may_preview, expires_at, rate_limit, created_at,
      revoked_at, last_used_at from api_keys order by created_at, id`,
);
const selectKeySites = defineStatement(
  () => sql`select a.key_id, s.id as site_id from api_key_sites as a join sites as s on s.no = a.site_no
    order by a.key_id, s.id`,
);

export function* insertKey(key: NewKey): Procedure<void> {
  yield* query(insertKeyRow, {
    id: key.id,
    account: key.accountNo,
    name: key.name,
    hash: key.tokenHash,
    prefix: key.prefix,
    hasAllSites: key.siteNos === null ? 1 : 0,
    mayPreview: key.mayPreview ? 1 : 0,
    expiresAt: key.expiresAt,
    rateLimit: key.rateLimit,
    createdAt: key.createdAt,
  });
  for (const site of key.siteNos ?? []) yield* query(insertKeySite, { key: key.id, site });
}

/** False where there is no such key. */
export function* revokeKey(id: string, now: number): Procedure<boolean> {
  return (yield* query(updateRevoked, { id, now })).length > 0;
}

export function* selectKeys(): Procedure<readonly (KeyRow & { readonly siteIds: readonly string[] })[]> {
  const keys = yield* query<KeyRow>(selectKeyRows);
  const sites = yield* query<KeySiteRow>(selectKeySites);
  return keys.map((key) => ({
    ...key,
    siteIds: sites.filter((site) => site.key_id === key.id).map((site) => site.site_id),
  }));
}
