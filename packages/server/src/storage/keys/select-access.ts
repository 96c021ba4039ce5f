// Looks up a request's key (by the hash of its token) and its site.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface AccessRow {
  readonly key_id: string;
  readonly may_preview: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly rate_limit: number | null;
  /** Null if the site does not exist. */
  readonly site_no: number | null;
  /** Changes whenever anything that the public can see on the site changes. */
  readonly generation: number | null;
  /** Changes with the site's settings, types, fields, authors and assets. */
  readonly catalog: number | null;
  /** The value of `catalog` when the generation last changed. */
  readonly shown_catalog: number | null;
  readonly may_read_site: number;
}

const selectAccessRow = defineStatement(
  () => sql`select k.id as key_id, k.may_preview, k.expires_at, k.revoked_at, k.rate_limit,
      s.no as site_no, s.generation, s.catalog, s.shown_catalog,
      case when (k.has_all_sites = 1 and k.account_no = s.account_no) or a.key_id is not null then 1 else 0 end as may_read_site
    from api_keys as k
    left join sites as s on s.id = ${slot('site')} and s.deletion is null
    left join api_key_sites as a on a.key_id = k.id and a.site_no = s.no
    where k.token_hash = ${slot('hash')}`,
);

export function* selectAccess(tokenHash: string, siteId: string): Procedure<AccessRow | undefined> {
  return (yield* query<AccessRow>(selectAccessRow, { hash: tokenHash, site: siteId }))[0];
}
