// The API keys of an account, with the sites that each may read.

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
  /** Null means every site of the account, those of the future too. */
  readonly siteIds: readonly string[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  readonly rateLimit: number | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** Where a page begins: behind the key with this time and this id. */
export interface KeyPosition {
  readonly createdAt: number;
  readonly id: string;
}

export const FIRST_KEY: KeyPosition = { createdAt: 0, id: '' };

interface KeySiteRow {
  readonly key_id: string;
  readonly site_id: string;
}

const columns = sql.raw(
  'id, name, prefix, has_all_sites, may_preview, expires_at, rate_limit, created_at, revoked_at, last_used_at',
);
const selectById = defineStatement(
  () => sql`select ${columns} from api_keys where account_no = ${slot('account')} and id = ${slot('id')}`,
);
const selectPage = defineStatement(
  () => sql`select ${columns} from api_keys
    where account_no = ${slot('account')} and (created_at, id) > (${slot('createdAt')}, ${slot('id')})
    order by created_at, id limit cast(${slot('limit')} as bigint)`,
);
const selectSites = defineBatchStatement(
  (list) => sql`select a.key_id, s.id as site_id from api_key_sites as a join sites as s on s.no = a.site_no
    where a.key_id in (${list}) order by a.key_id, s.id`,
);

export function* selectKey(accountNo: number, id: string): Procedure<KeyRecord | undefined> {
  return (yield* readKeys(yield* query<KeyRow>(selectById, { account: accountNo, id })))[0];
}

/** By the time of their making. */
export function* selectKeys(accountNo: number, after: KeyPosition, limit: number): Procedure<readonly KeyRecord[]> {
  const { createdAt, id } = after;
  return yield* readKeys(yield* query<KeyRow>(selectPage, { account: accountNo, createdAt, id, limit }));
}

function* readKeys(rows: readonly KeyRow[]): Procedure<readonly KeyRecord[]> {
  const ids = rows.map((row) => row.id);
  const sites = Map.groupBy(yield* queryBatch<KeySiteRow>(selectSites, ids), (row) => row.key_id);
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

/** For those who own the database and may wait. */
export function* selectAllKeys(accountNo: number): Procedure<readonly KeyRecord[]> {
  return yield* selectKeys(accountNo, FIRST_KEY, Number.MAX_SAFE_INTEGER);
}
