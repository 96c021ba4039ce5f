// Looks up a request's key or share link (by the hash of its token) and its site.

import { sql } from 'kysely';
import { hashToken, isShareToken } from '../../content/api-token.ts';
import { SHARED_REQUESTS_A_MINUTE } from '../../content/preview-rules.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface AccessRow {
  /** The id of the key or of the share link. */
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
  /** The id of the content that a share link shows; null for a key. */
  readonly shared_id: string | null;
}

const selectAccessRow = defineStatement(
  () => sql`select k.id as key_id, k.may_preview, k.expires_at, k.revoked_at, k.rate_limit,
      s.no as site_no, s.generation, s.catalog, s.shown_catalog,
      case when (k.has_all_sites = 1 and k.account_no = s.account_no) or a.key_id is not null then 1 else 0 end as may_read_site,
      null as shared_id
    from api_keys as k
    left join sites as s on s.id = ${slot('site')} and s.deletion is null
    left join api_key_sites as a on a.key_id = k.id and a.site_no = s.no
    where k.token_hash = ${slot('hash')}`,
);

const selectSharedRow = defineStatement(
  () => sql`select l.id as key_id, 1 as may_preview, l.expires_at, null as revoked_at,
      ${sql.lit(SHARED_REQUESTS_A_MINUTE)} as rate_limit, s.no as site_no, s.generation, s.catalog, s.shown_catalog,
      case when s.no = l.site_no then 1 else 0 end as may_read_site, c.id as shared_id
    from share_links as l
    join contents as c on c.no = l.content_no
    join sites as o on o.no = l.site_no and o.deletion is null
    left join sites as s on s.id = ${slot('site')} and s.deletion is null
    where l.token_hash = ${slot('hash')}`,
);

export function* selectAccess(token: string, siteId: string): Procedure<AccessRow | undefined> {
  const statement = isShareToken(token) ? selectSharedRow : selectAccessRow;
  return (yield* query<AccessRow>(statement, { hash: hashToken(token), site: siteId }))[0];
}
