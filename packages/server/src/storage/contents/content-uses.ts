// Finds the content that uses an asset, an author, a language or other content.

import { type RawBuilder, sql } from 'kysely';
import type { ContentStatus } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, query, type SlotValues, type Statement, slot } from '../statement.ts';

export interface UsingContent {
  readonly id: string;
  readonly name: string;
}

export interface Uses {
  readonly total: number;
  /** The first content objects, ordered by id. */
  readonly contents: readonly UsingContent[];
}

function* selectUses(count: Statement, selectFirst: Statement, values: SlotValues, limit: number): Procedure<Uses> {
  const [row] = yield* query<{ total: number }>(count, values);
  const total = row?.total ?? 0;
  const contents = total === 0 ? [] : yield* query<UsingContent>(selectFirst, { ...values, limit });
  return { total, contents };
}

// Every save records which assets the newest and published versions use, for content of any status, including archived content. Older
// versions are not recorded: if one of them used a deleted asset, it is rendered without that asset.

/** The version that uses the asset. A version is `newest` only if it is not the published one. */
export type Standing = 'published' | 'newest';

const deleteUses = defineStatement(
  () => sql`delete from content_assets where content_no = ${slot('content')} and standing = ${slot('standing')}`,
);
const insertUse = defineStatement(
  () => sql`insert into content_assets (site_no, asset_id, content_no, standing)
    values (${slot('site')}, ${slot('asset')}, ${slot('content')}, ${slot('standing')})`,
);
const usingAsset = sql`from content_assets where site_no = ${slot('site')} and asset_id = ${slot('asset')}`;
const countAssetUses = defineStatement(() => sql`select count(distinct content_no) as total ${usingAsset}`);
const selectFirstAssetUses = defineStatement(
  () =>
    sql`select id, name from contents where no in (select content_no ${usingAsset}) order by id limit ${slot('limit')} + 0`,
);

interface UsingRecord {
  readonly no: number;
  readonly siteNo: number;
}

/** @param assets the ids of all assets that the version uses, without duplicates; empty if the content has no such version */
export function* keepAssetUses(content: UsingRecord, standing: Standing, assets: readonly string[]): Procedure<void> {
  yield* query(deleteUses, { content: content.no, standing });
  yield* insertAssetUses(content, standing, assets);
}

/** Call this for a version that has no recorded asset uses yet. */
export function* insertAssetUses(
  { no: content, siteNo: site }: UsingRecord,
  standing: Standing,
  assets: readonly string[],
): Procedure<void> {
  for (const asset of assets) yield* query(insertUse, { site, asset, content, standing });
}

export function* selectAssetUses(siteNo: number, assetId: string, limit: number): Procedure<Uses> {
  return yield* selectUses(countAssetUses, selectFirstAssetUses, { site: siteNo, asset: assetId }, limit);
}

export interface AssetUseRow {
  readonly id: string;
  readonly name: string;
  /** The handle of the content's type. */
  readonly type: string;
  readonly language: string;
  readonly status: ContentStatus;
  readonly newest_version: number;
  readonly published_version: number | null;
  /** 1 if the published version uses the asset; 0 if only a newer draft does. */
  readonly is_public: number;
}

const selectNewestAssetUses = defineStatement(
  () => sql`select c.id, c.name, t.handle as type, c.language, c.status, c.newest_version, c.published_version, u.is_public
    from (select content_no, max(case when standing = 'published' then 1 else 0 end) as is_public ${usingAsset}
      group by content_no order by content_no desc limit ${slot('limit')} + 0) as u
    join contents as c on c.no = u.content_no
    join content_types as t on t.no = c.type_no
    order by c.no desc`,
);

/** The newest content comes first. */
export function* selectUsingContents(
  siteNo: number,
  assetId: string,
  limit: number,
): Procedure<readonly AssetUseRow[]> {
  return yield* query<AssetUseRow>(selectNewestAssetUses, { site: siteNo, asset: assetId, limit });
}

export function* countUsingContents(siteNo: number, assetId: string): Procedure<number> {
  return (yield* query<{ total: number }>(countAssetUses, { site: siteNo, asset: assetId }))[0]?.total ?? 0;
}

const countAuthorUses = defineStatement(
  () => sql`select count(distinct content_no) as total from content_versions where author_no = ${slot('author')}`,
);
const selectFirstAuthorUses = defineStatement(
  () => sql`select id, name from contents
    where no in (select content_no from content_versions where author_no = ${slot('author')})
    order by id limit ${slot('limit')} + 0`,
);

/** Includes every version ever saved, because versions can be viewed and restored. */
export function* selectAuthorUses(authorNo: number, limit: number): Procedure<Uses> {
  return yield* selectUses(countAuthorUses, selectFirstAuthorUses, { author: authorNo }, limit);
}

const countInLanguage = defineStatement(
  () => sql`select count(*) as total from contents where site_no = ${slot('site')} and language = ${slot('language')}`,
);
// Archived content is ignored: it cannot be the default record of its group, and does not need a default record.
const withoutTranslation = sql`from contents as c
  where c.site_no = ${slot('site')} and c.language = ${slot('from')} and c.status <> 'archived'
  and not exists (select 1 from contents as t where t.site_no = c.site_no
    and t.translation_group = c.translation_group and t.language = ${slot('to')} and t.status <> 'archived')`;
const countUntranslated = defineStatement(() => sql`select count(*) as total ${withoutTranslation}`);
const selectUntranslated = defineStatement(
  () => sql`select c.id, c.name ${withoutTranslation} order by c.id limit ${slot('limit')} + 0`,
);

/** Counts content in any state. */
export function* countContentIn(siteNo: number, language: string): Procedure<number> {
  return (yield* query<{ total: number }>(countInLanguage, { site: siteNo, language }))[0]?.total ?? 0;
}

/** Content in one language whose group has no record in the other language. Archived content is ignored in both languages. */
export function* selectUntranslatedContent(
  siteNo: number,
  languages: { readonly from: string; readonly to: string },
  limit: number,
): Procedure<Uses> {
  const values = { site: siteNo, from: languages.from, to: languages.to };
  return yield* selectUses(countUntranslated, selectUntranslated, values, limit);
}

// Incoming links: content whose published or newest version links to a content object, including links in blocks. Links in archived
// content do not count, because archived content is not in any read model. Links from content to itself do not count either.

export interface BacklinkRow {
  readonly id: string;
  readonly name: string;
  /** The handle of the linking content's type. */
  readonly type: string;
  readonly language: string;
  readonly status: ContentStatus;
  readonly newest_version: number;
  readonly published_version: number | null;
  /** 1 if the published version has the link, and readers see it; 0 if only a newer draft has it. */
  readonly is_public: number;
}

export interface BacklinkReach {
  /** Excludes links that are only in drafts. */
  readonly isPublishedOnly: boolean;
}

const isHere = sql`site_no = ${slot('site')} and target_id = ${slot('id')}
  and content_no <> (select no from contents where site_no = ${slot('site')} and id = ${slot('id')})`;
const fromPublished = sql`select content_no from published_links where ${isHere}`;
const fromAll = sql`${fromPublished} union select content_no from preview_links where ${isHere}`;

interface ReachStatements {
  readonly select: Statement;
  readonly count: Statement;
}

const STATEMENTS = { published: defineReach(fromPublished), all: defineReach(fromAll) } as const;

function defineReach(sources: RawBuilder<unknown>): ReachStatements {
  return {
    // Both tables are read in descending order of content numbers, because sorting thousands of links to a category would be slow.
    select: defineStatement(
      () => sql`select c.id, c.name, t.handle as type, c.language, c.status, c.newest_version, c.published_version,
          case when exists (select 1 from published_links as p where p.site_no = ${slot('site')}
            and p.target_id = ${slot('id')} and p.content_no = c.no) then 1 else 0 end as is_public
        from (${sources} order by content_no desc limit ${slot('limit')} + 0) as source
        join contents as c on c.no = source.content_no
        join content_types as t on t.no = c.type_no
        order by c.no desc`,
    ),
    count: defineStatement(
      () => sql`select count(*) as total from (${sources} limit cast(${slot('most')} as bigint)) as source`,
    ),
  };
}

/** The newest content comes first. */
export function* selectBacklinks(
  siteNo: number,
  contentId: string,
  { isPublishedOnly, limit }: BacklinkReach & { readonly limit: number },
): Procedure<readonly BacklinkRow[]> {
  const { select } = STATEMENTS[isPublishedOnly ? 'published' : 'all'];
  return yield* query<BacklinkRow>(select, { site: siteNo, id: contentId, limit });
}

/** @param most counting stops at this number, for callers that do not need the exact count */
export function* countBacklinks(
  siteNo: number,
  contentId: string,
  { isPublishedOnly }: BacklinkReach,
  most = Number.MAX_SAFE_INTEGER,
): Procedure<number> {
  const { count } = STATEMENTS[isPublishedOnly ? 'published' : 'all'];
  const [row] = yield* query<{ total: number }>(count, { site: siteNo, id: contentId, most });
  return row?.total ?? 0;
}
