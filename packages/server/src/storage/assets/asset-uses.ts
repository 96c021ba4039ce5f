// Which content shows an asset, in its newest or its published version: kept with every save, for content of any status,
// archived too. Older versions are not looked at: they show an asset that is gone no longer.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import type { Uses, UsingContent } from '../uses.ts';

/** What a version is to its content; the newest one is called so only where it is not the published one. */
export type Standing = 'published' | 'newest';

const deleteUses = defineStatement(
  () => sql`delete from content_assets where content_no = ${slot('content')} and standing = ${slot('standing')}`,
);
const insertUse = defineStatement(
  () => sql`insert into content_assets (site_no, asset_id, content_no, standing)
    values (${slot('site')}, ${slot('asset')}, ${slot('content')}, ${slot('standing')})`,
);
const using = sql`from content_assets where site_no = ${slot('site')} and asset_id = ${slot('asset')}`;
const selectCount = defineStatement(() => sql`select count(distinct content_no) as total ${using}`);
const selectFirst = defineStatement(
  () =>
    sql`select id, name from contents where no in (select content_no ${using}) order by id limit ${slot('limit')} + 0`,
);

interface UsingRecord {
  readonly no: number;
  readonly siteNo: number;
}

/** @param assets the ids of all that the version shows, none of them twice; none where the content has no such version */
export function* keepAssetUses(content: UsingRecord, standing: Standing, assets: readonly string[]): Procedure<void> {
  yield* query(deleteUses, { content: content.no, standing });
  yield* insertAssetUses(content, standing, assets);
}

/** For a version that had no uses before. */
export function* insertAssetUses(
  { no: content, siteNo: site }: UsingRecord,
  standing: Standing,
  assets: readonly string[],
): Procedure<void> {
  for (const asset of assets) yield* query(insertUse, { site, asset, content, standing });
}

export function* selectAssetUses(siteNo: number, assetId: string, limit: number): Procedure<Uses> {
  const values = { site: siteNo, asset: assetId };
  const [row] = yield* query<{ total: number }>(selectCount, values);
  const total = row?.total ?? 0;
  const contents = total === 0 ? [] : yield* query<UsingContent>(selectFirst, { ...values, limit });
  return { total, contents };
}
