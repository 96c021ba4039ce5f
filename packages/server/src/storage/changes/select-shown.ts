// Finds the published objects that show something: an author, an asset, a type, linked content, or the site itself. Each kind has an
// order, so the objects can be read page by page.

import { type RawBuilder, sql } from 'kysely';
import type { ObjectPlace } from '../../listing/change-position.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

/** The part of a site that a walk needs. */
export interface WalkedSite {
  readonly no: number;
  readonly languages: readonly string[];
}

export interface ShownObject extends ObjectPlace {
  /** The handle of its type. */
  readonly type: string;
  readonly updated_at: number;
}

/** The published objects that show one thing, in an order. */
export type Walk = (after: ObjectPlace | null, limit: number) => Procedure<readonly ShownObject[]>;

const columns = sql`p.id, p.language, t.handle as type, p.updated_at`;

function defineInLanguage(isWanted: RawBuilder<unknown>): Statement {
  return defineStatement(
    () => sql`select ${columns} from published_contents as p join content_types as t on t.no = p.type_no
      where p.site_no = ${slot('site')} and p.language = ${slot('language')} and ${isWanted} and p.id > ${slot('after')}
      order by p.id limit ${slot('limit')} + 0`,
  );
}

const selectInLanguage = defineInLanguage(sql`true`);
const selectOfType = defineInLanguage(sql`p.type_no = ${slot('subject')}`);
const selectOfAuthor = defineInLanguage(sql`p.author_no = ${slot('subject')}`);

/** The number of the object to continue after; 0 from the start, and if it has been deleted for good. */
const afterNo = sql`coalesce((select no from contents where site_no = ${slot('site')} and id = ${slot('after')}), 0)`;

function defineByNumber(table: string, isWanted: RawBuilder<unknown>): Statement {
  return defineStatement(
    () => sql`select ${columns} from ${sql.table(table)} as u
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

/** The objects that link to the object with this id, which itself need not be published. */
export function walkLinking({ no }: WalkedSite, id: string): Walk {
  return (after, limit) => query(selectLinking, { site: no, subject: id, after: after?.id ?? '', limit });
}

/** The indexes start with the site and the language. The order of a site's languages can change, so the walk has its own. */
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
    const values = { site: no, language, after: language === after?.language ? after.id : '', limit: wanted };
    found.push(...(yield* query<ShownObject>(statement, subject === null ? values : { ...values, subject })));
  }
  return found;
}

const selectTargets = defineBatchStatement(
  (list) =>
    sql`select distinct target_id from published_links where site_no = ${slot('site')} and target_id in (${list})`,
);

/** Of these ids, those that published content links to. */
export function* selectLinkTargets(siteNo: number, ids: readonly string[]): Procedure<ReadonlySet<string>> {
  const rows = yield* queryBatch<{ target_id: string }>(selectTargets, ids, { site: siteNo });
  return new Set(rows.map((row) => row.target_id));
}
