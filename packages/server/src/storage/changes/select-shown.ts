// Finds the published objects that show something: an author, an asset, a type, linked content, or the site itself. They are
// sorted, so they can be read page by page.

import { type RawBuilder, sql } from 'kysely';
import type { ObjectPlace } from '../../listing/change-position.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

/** The data about a site that a `Walk` needs. */
export interface WalkedSite {
  readonly no: number;
  readonly languages: readonly string[];
}

export interface ShownObject extends ObjectPlace {
  /** The handle of its type. */
  readonly type: string;
  readonly updated_at: number;
  /** 1 if published content links to it. */
  readonly is_linked: number;
}

/** Reads the published objects that show something, in a fixed order. */
export type Walk = (after: ObjectPlace | null, limit: number) => Procedure<readonly ShownObject[]>;

/** 1 if published content links to the id in this column. */
export function isLinked(site: string, id: string): RawBuilder<unknown> {
  return sql`case when exists (select 1 from published_links as l
    where l.site_no = ${sql.ref(site)} and l.target_id = ${sql.ref(id)}) then 1 else 0 end as is_linked`;
}

const columns = sql`p.id, p.language, t.handle as type, p.updated_at, ${isLinked('p.site_no', 'p.id')}`;

const inLanguage = sql`published_contents as p join content_types as t on t.no = p.type_no
  where p.site_no = ${slot('site')} and p.language = ${slot('language')}`;

const selectInLanguage = defineStatement(
  () => sql`select ${columns}, null as at from ${inLanguage} and p.id > ${slot('after')}
    order by p.id limit ${slot('limit')} + 0`,
);
const selectOfType = defineStatement(
  () => sql`select ${columns}, null as at from ${inLanguage} and p.type_no = ${slot('subject')} and p.id > ${slot('after')}
    order by p.id limit ${slot('limit')} + 0`,
);
/** The objects are in the order of the index on authors, because no index lists an author's content by id. */
const selectOfAuthor = defineStatement(
  () => sql`select ${columns}, p.published_at as at from ${inLanguage} and p.author_no = ${slot('subject')}
      and p.published_at <= ${slot('at')} and (p.published_at < ${slot('at')} or p.id > ${slot('after')})
    order by p.published_at desc, p.id limit ${slot('limit')} + 0`,
);

/** The number of the object to continue after; 0 at the start, or if that object has been permanently deleted. */
const afterNo = sql`coalesce((select no from contents where site_no = ${slot('site')} and id = ${slot('after')}), 0)`;

function defineByNumber(table: string, isWanted: RawBuilder<unknown>): Statement {
  return defineStatement(
    () => sql`select ${columns}, null as at from ${sql.table(table)} as u
      join published_contents as p on p.content_no = u.content_no join content_types as t on t.no = p.type_no
      where u.site_no = ${slot('site')} and ${isWanted} and u.content_no > ${afterNo}
      order by u.content_no limit ${slot('limit')} + 0`,
  );
}

const selectLinking = defineByNumber('published_links', sql`u.target_id = ${slot('subject')}`);
const selectOfAsset = defineByNumber(
  'content_assets',
  sql`u.asset_id = ${slot('subject')} and u.standing = 'published'`,
);

export function walkSite(site: WalkedSite): Walk {
  return (after, limit) => walkLanguages(site, selectInLanguage, null, after, limit);
}

export function walkType(site: WalkedSite, typeNo: number): Walk {
  return (after, limit) => walkLanguages(site, selectOfType, typeNo, after, limit);
}

export function walkAuthor(site: WalkedSite, authorNo: number): Walk {
  return (after, limit) => walkLanguages(site, selectOfAuthor, authorNo, after, limit);
}

export function walkAsset({ no }: WalkedSite, assetId: string): Walk {
  return (after, limit) => query(selectOfAsset, { site: no, subject: assetId, after: after?.id ?? '', limit });
}

/** The objects that link to the object with this id, even if that object is not published. */
export function walkLinking({ no }: WalkedSite, id: string): Walk {
  return (after, limit) => query(selectLinking, { site: no, subject: id, after: after?.id ?? '', limit });
}

/** The indexes start with the site and the language. The order of a site's languages can change, so they are sorted here. */
function* walkLanguages(
  { no, languages }: WalkedSite,
  statement: Statement,
  subject: number | null,
  after: ObjectPlace | null,
  limit: number,
): Procedure<readonly ShownObject[]> {
  const found: ShownObject[] = [];
  for (const language of languages.toSorted()) {
    if (after !== null && language < after.language) continue;
    const wanted = limit - found.length;
    if (wanted === 0) break;
    const from = language === after?.language ? after : null;
    const at = from?.at ?? Number.MAX_SAFE_INTEGER;
    const values = { site: no, language, subject, at, after: from?.id ?? '', limit: wanted };
    found.push(...(yield* query<ShownObject>(statement, values)));
  }
  return found;
}
