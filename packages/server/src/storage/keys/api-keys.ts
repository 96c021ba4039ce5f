// An account's API keys, with the sites that each key may read. A token is stored only as a hash, with a readable prefix to
// tell keys apart.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

interface KeyRow {
  readonly id: string;
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

export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** Null means every site in the account, including future ones. */
  readonly siteIds: readonly string[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  readonly rateLimit: number | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** A page starts after the key with this time and id. */
export interface KeyPosition {
  readonly createdAt: number;
  readonly id: string;
}

export const FIRST_KEY: KeyPosition = { createdAt: 0, id: '' };

interface KeySiteRow {
  readonly key_id: string;
  readonly site_id: string;
}

const keyColumns = sql.raw(
  'id, name, prefix, has_all_sites, may_preview, expires_at, rate_limit, created_at, revoked_at, last_used_at',
);
const selectKeyRow = defineStatement(
  () => sql`select ${keyColumns} from api_keys where account_no = ${slot('account')} and id = ${slot('id')}`,
);
const selectKeyPage = defineStatement(
  () => sql`select ${keyColumns} from api_keys
    where account_no = ${slot('account')} and (created_at, id) > (${slot('createdAt')}, ${slot('id')})
    order by created_at, id limit cast(${slot('limit')} as bigint)`,
);
const selectKeySites = defineBatchStatement(
  (list) => sql`select a.key_id, s.id as site_id from api_key_sites as a join sites as s on s.no = a.site_no
    where a.key_id in (${list}) order by a.key_id, s.id`,
);

export function* selectKey(accountNo: number, id: string): Procedure<KeyRecord | undefined> {
  return (yield* readKeys(yield* query<KeyRow>(selectKeyRow, { account: accountNo, id })))[0];
}

/** The oldest keys come first. */
export function* selectKeys(accountNo: number, after: KeyPosition, limit: number): Procedure<readonly KeyRecord[]> {
  const { createdAt, id } = after;
  return yield* readKeys(yield* query<KeyRow>(selectKeyPage, { account: accountNo, createdAt, id, limit }));
}

function* readKeys(rows: readonly KeyRow[]): Procedure<readonly KeyRecord[]> {
  const ids = rows.map((row) => row.id);
  const sites = Map.groupBy(yield* queryBatch<KeySiteRow>(selectKeySites, ids), (row) => row.key_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    siteIds: row.has_all_sites === 1 ? null : (sites.get(row.id) ?? []).map((site) => site.site_id),
    mayPreview: row.may_preview === 1,
    expiresAt: row.expires_at,
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Used by commands, which may take longer than requests. */
export function* selectAllKeys(accountNo: number): Procedure<readonly KeyRecord[]> {
  return yield* selectKeys(accountNo, FIRST_KEY, Number.MAX_SAFE_INTEGER);
}

/** The rights of a key. All of them can be changed. */
export interface KeyRights {
  readonly name: string;
  /** Null means every site in the account, including future ones. */
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
// Several processes report uses independently, in any order.
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

/** A key that is already revoked stays unchanged. */
export function* revokeKey(id: string, now: number): Procedure<void> {
  yield* query(updateRevoked, { id, now });
}

/** @param uses the times at which keys were last used, by key id */
export function* markKeysUsed(uses: ReadonlyMap<string, number>): Procedure<void> {
  for (const [id, at] of uses) yield* query(updateLastUsed, { id, at });
}
