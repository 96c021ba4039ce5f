// Looks up a request's key, share link or preview secret (by the hash of its token), and the requested site.

import { sql } from 'kysely';
import { hashToken, hasKind } from '../../content/api-token.ts';
import { PREVIEW_REQUESTS_A_MINUTE, SHARED_REQUESTS_A_MINUTE } from '../../content/preview-rules.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

export interface AccessRow {
  /** The id of the key or of the share link; for a preview secret, a name made from the site's id. */
  readonly key_id: string;
  /** Whether it is an API key. */
  readonly is_key: number;
  readonly may_preview: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly rate_limit: number | null;
  /** Null if the site does not exist. */
  readonly site_no: number | null;
  /** Changes whenever anything that the public can see on the site changes. */
  readonly generation: number | null;
  /** Changes whenever anything on the site changes, including drafts. */
  readonly preview_generation: number | null;
  /** Changes with the site's settings, types, fields, authors and assets. */
  readonly catalog: number | null;
  /** The value of `catalog` when the generation last changed. */
  readonly shown_catalog: number | null;
  readonly may_read_site: number;
  /** The id of the content that a share link shows; otherwise null. */
  readonly shared_id: string | null;
}

const selectAccessRow = defineStatement(
  () => sql`select k.id as key_id, 1 as is_key, k.may_preview, k.expires_at, k.revoked_at, k.rate_limit,
      s.no as site_no, s.generation, s.preview_generation, s.catalog, s.shown_catalog,
      case when (k.has_all_sites = 1 and k.account_no = s.account_no) or a.key_id is not null then 1 else 0 end as may_read_site,
      null as shared_id
    from api_keys as k
    left join sites as s on s.id = ${slot('site')} and s.deletion is null
    left join api_key_sites as a on a.key_id = k.id and a.site_no = s.no
    where k.token_hash = ${slot('hash')}`,
);

const selectSharedRow = defineStatement(
  () => sql`select l.id as key_id, 0 as is_key, 1 as may_preview, l.expires_at, null as revoked_at,
      ${sql.lit(SHARED_REQUESTS_A_MINUTE)} as rate_limit, s.no as site_no, s.generation, s.preview_generation, s.catalog, s.shown_catalog,
      case when s.no = l.site_no then 1 else 0 end as may_read_site, c.id as shared_id
    from share_links as l
    join contents as c on c.no = l.content_no
    join sites as o on o.no = l.site_no and o.deletion is null
    left join sites as s on s.id = ${slot('site')} and s.deletion is null
    where l.token_hash = ${slot('hash')}`,
);

/** A site without addresses has no previews, so its secret does not work. */
const selectSecretRow = defineStatement(
  () => sql`select 'preview_' || o.id as key_id, 0 as is_key, 1 as may_preview, null as expires_at, null as revoked_at,
      ${sql.lit(PREVIEW_REQUESTS_A_MINUTE)} as rate_limit, s.no as site_no, s.generation, s.preview_generation, s.catalog, s.shown_catalog,
      case when s.no = p.site_no then 1 else 0 end as may_read_site, null as shared_id
    from preview_settings as p
    join sites as o on o.no = p.site_no and o.deletion is null
    left join sites as s on s.id = ${slot('site')} and s.deletion is null
    where p.secret_hash = ${slot('hash')} and p.addresses <> '[]'`,
);

export function* selectAccess(token: string, siteId: string): Procedure<AccessRow | undefined> {
  return (yield* query<AccessRow>(chooseStatement(token), { hash: hashToken(token), site: siteId }))[0];
}

function chooseStatement(token: string): Statement {
  if (hasKind(token, 'share')) return selectSharedRow;
  return hasKind(token, 'preview') ? selectSecretRow : selectAccessRow;
}
