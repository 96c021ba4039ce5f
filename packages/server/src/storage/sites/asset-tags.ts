// The tags of a site's assets. Tags that differ only in case or accents are the same tag. Readers never see tags.

import { sql } from 'kysely';
import { buildTextKey } from '../../content/text-key.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { checkTime, defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectTags = defineBatchStatement(
  (list) => sql`select asset_no, tag from asset_tags where asset_no in (${list}) order by asset_no, tag_key`,
);
const insertTag = defineStatement(
  () => sql`insert into asset_tags (site_no, asset_no, tag_key, tag)
    values (${slot('site')}, ${slot('asset')}, ${slot('key')}, ${slot('tag')})
    on conflict (asset_no, tag_key) do update set tag = excluded.tag`,
);
const deleteTag = defineStatement(
  () => sql`delete from asset_tags where asset_no = ${slot('asset')} and tag_key = ${slot('key')}`,
);

/** The tags of each asset, sorted. Assets without tags are left out. */
export function* selectTagsOf(assetNos: readonly number[]): Procedure<ReadonlyMap<number, readonly string[]>> {
  const rows = yield* queryBatch<{ asset_no: number; tag: string }>(selectTags, assetNos);
  const byAsset = Map.groupBy(rows, (row) => row.asset_no);
  return new Map([...byAsset].map(([no, own]) => [no, own.map(({ tag }) => tag)]));
}

/**
 * Gives the asset exactly these tags.
 * @param tags without duplicates (see `uniteTags`)
 * @returns whether anything changed
 */
export function* writeAssetTags(siteNo: number, assetNo: number, tags: readonly string[]): Procedure<boolean> {
  const known = (yield* selectTagsOf([assetNo])).get(assetNo) ?? [];
  const keys = new Set(tags.map(buildTextKey));
  const removed = known.map(buildTextKey).filter((key) => !keys.has(key));
  const written = tags.filter((tag) => !known.includes(tag));
  for (const key of removed) yield* query(deleteTag, { asset: assetNo, key });
  for (const tag of written) yield* query(insertTag, { site: siteNo, asset: assetNo, key: buildTextKey(tag), tag });
  return removed.length + written.length > 0;
}

export interface TagCount {
  readonly tag: string;
  readonly total: number;
}

const countTags = defineStatement(
  (traits) => sql`select min(tag) as tag, count(*) as total from asset_tags
    where ${sql.join([...checkTime(sql.ref('asset_no'), traits), sql`site_no = ${slot('site')}`], sql` and `)}
    group by tag_key order by tag_key limit ${slot('limit')} + 0`,
  { mayTakeLong: true },
);

/** A site's tags, sorted, with the number of assets that have each tag. */
export function* selectTagCounts(siteNo: number, limit: number): Procedure<readonly TagCount[]> {
  return yield* query<TagCount>(countTags, { site: siteNo, limit });
}
