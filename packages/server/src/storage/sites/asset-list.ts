// The editors' list of assets, one page at a time. Each sort order has one index for the whole site and one for single folders. Other
// filters are applied while the index is read. The assets with a rare tag are gathered and sorted instead.

import { type RawBuilder, sql } from 'kysely';
import { buildTextKey } from '../../content/text-key.ts';
import { buildContainsPattern, buildStartsPattern } from '../named-rows.ts';
import {
  checkTime,
  defineStatement,
  type Procedure,
  query,
  type SqlTraits,
  type SqlValue,
  type Statement,
  slot,
} from '../statement.ts';
import { assetColumns, type ListedAssetRow } from './assets.ts';

export interface AssetFilter {
  /** Part of the name, description, media type or folder; case and accents are ignored. */
  readonly search: string | undefined;
  /** The beginning of a media type, such as `image/`. */
  readonly kind: string | undefined;
  /** Only assets directly in this folder match, not those in its subfolders. */
  readonly folder: string | undefined;
  readonly tag: string | undefined;
}

export interface AssetOrder {
  readonly sort: 'name' | 'created_at' | 'size';
  readonly isDescending: boolean;
}

export interface AssetPosition {
  readonly key: string | number;
  readonly no: number;
}

export interface AssetPageRow extends ListedAssetRow {
  /** The value that the list is sorted by. */
  readonly key: string | number;
}

const KEY_COLUMNS: Readonly<Record<AssetOrder['sort'], string>> = {
  name: 'a.name_key',
  created_at: 'a.created_at',
  size: 'a.size',
};

/** If more assets than this have the tag, a walk through a site with 100,000 assets fills a page in at most 10,000 steps on average. */
const MOST_GATHERED = 1000;

const countTagged = defineStatement(
  () => sql`select count(*) as total from (select t.asset_no from asset_tags as t
    where t.site_no = ${slot('site')} and t.tag_key = ${slot('tag')} limit ${slot('most')} + 0) as tagged`,
);

export function* selectAssetPage(
  siteNo: number,
  { search, kind, folder, tag }: AssetFilter,
  order: AssetOrder,
  after: AssetPosition | undefined,
  limit: number,
): Procedure<readonly AssetPageRow[]> {
  const values: Record<string, SqlValue> = { site: siteNo, limit };
  const conditions: RawBuilder<unknown>[] = [];
  const take = (name: string, value: SqlValue | undefined, condition: RawBuilder<unknown>): void => {
    if (value === undefined) return;
    values[name] = value;
    conditions.push(condition);
  };
  take('folder', folder, sql`a.folder = ${slot('folder')}`);
  take('kind', kind === undefined ? kind : buildStartsPattern(kind), sql`a.mime_type like ${slot('kind')} escape '\\'`);
  take('pattern', search === undefined ? search : buildContainsPattern(buildTextKey(search)), CONTAINS);
  if (after !== undefined) {
    const { key, no } = after;
    Object.assign(values, { key, no });
    conditions.push(buildPositionCondition(order));
  }
  let isGathered = false;
  if (tag !== undefined) {
    values.tag = buildTextKey(tag);
    const [row] = yield* query<{ total: number }>(countTagged, {
      site: siteNo,
      tag: values.tag,
      most: MOST_GATHERED + 1,
    });
    isGathered = (row?.total ?? 0) <= MOST_GATHERED;
    if (!isGathered) conditions.push(HAS_TAG);
  }
  const shape = `${order.sort} ${order.isDescending} ${isGathered} ${Object.keys(values).join()}`;
  return yield* query<AssetPageRow>(findStatement(shape, conditions, order, isGathered), values);
}

const CONTAINS = sql`(coalesce(a.search_key, a.name_key) like ${slot('pattern')} escape '\\'
  or a.folder_key like ${slot('pattern')} escape '\\')`;

/** A scalar subquery, because PostgreSQL turns `exists` into a join and may then sort all assets with the tag. */
const HAS_TAG = sql`(select t.no from asset_tags as t where t.asset_no = a.no and t.tag_key = ${slot('tag')}) is not null`;

function buildPositionCondition({ sort, isDescending }: AssetOrder): RawBuilder<unknown> {
  const direction = sql.raw(isDescending ? '<' : '>');
  return sql`(${sql.ref(KEY_COLUMNS[sort])}, a.no) ${direction} (${slot('key')}, ${slot('no')})`;
}

/** Keyed by a list's filters and order, not by the filter values, so the map has a few hundred statements at most. */
const statements = new Map<string, Statement>();

function findStatement(
  shape: string,
  conditions: readonly RawBuilder<unknown>[],
  order: AssetOrder,
  isGathered: boolean,
): Statement {
  const build = isGathered ? buildGathering : buildWalk;
  const statement =
    statements.get(shape) ?? defineStatement((traits) => build(conditions, order, traits), { mayTakeLong: true });
  statements.set(shape, statement);
  return statement;
}

function buildWalk(conditions: readonly RawBuilder<unknown>[], order: AssetOrder, traits: SqlTraits) {
  const key = sql.ref(KEY_COLUMNS[order.sort]);
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  const all = [...checkTime(sql.ref('a.no'), traits), sql`a.site_no = ${slot('site')}`, ...conditions];
  return sql`select ${assetColumns}, ${key} as key from assets as a where ${sql.join(all, sql` and `)}
    order by ${key} ${direction}, a.no ${direction} limit ${slot('limit')} + 0`;
}

/**
 * The assets are read by their numbers before they are filtered and sorted. Otherwise a planner might prefer to walk through a whole
 * folder, or through all assets in order.
 */
function buildGathering(conditions: readonly RawBuilder<unknown>[], order: AssetOrder, traits: SqlTraits) {
  const key = sql.ref(KEY_COLUMNS[order.sort]);
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  const isTagged = sql`t.site_no = ${slot('site')} and t.tag_key = ${slot('tag')} and a.no = t.asset_no`;
  return sql`with tagged as materialized (
      select a.* from asset_tags as t cross join assets as a
      where ${sql.join([...checkTime(sql.ref('a.no'), traits), isTagged], sql` and `)})
    select ${assetColumns}, ${key} as key from tagged as a
    ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
    order by ${key} ${direction}, a.no ${direction} limit ${slot('limit')} + 0`;
}
