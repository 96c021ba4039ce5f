// The query for a list of assets. A cursor is valid only for the sort order that it was created for.

import type { z } from 'zod';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import { oneOfMember, strictMembers, textMember } from '../../content/schema-members.ts';
import { FOLDER_RULE, isFolderPath, tagMember } from '../../content/site-definition.ts';
import type { AssetFilter, AssetOrder, AssetPageRow, AssetPosition } from '../../storage/sites/asset-list.ts';
import { type PagePosition, pageParameters, searchParameter } from '../parameters.ts';

const SORTS = ['name', '-name', 'created_at', '-created_at', 'size', '-size'] as const;

type Sort = (typeof SORTS)[number];

const ORDERS: Readonly<Record<Sort, AssetOrder>> = {
  name: { sort: 'name', isDescending: false },
  '-name': { sort: 'name', isDescending: true },
  created_at: { sort: 'created_at', isDescending: false },
  '-created_at': { sort: 'created_at', isDescending: true },
  size: { sort: 'size', isDescending: false },
  '-size': { sort: 'size', isDescending: true },
};

const KIND_PATTERN = /^[a-z0-9][a-z0-9.+_-]{0,126}\/[a-z0-9.+_-]{0,127}$/i;

/** The start of a media type. */
const kindParameter = textMember('a media type or the beginning of one, like image/', (text) => KIND_PATTERN.test(text))
  .transform((text) => text.toLowerCase())
  .optional();

export const assetListQuery = strictMembers('the query', {
  ...pageParameters,
  search: searchParameter,
  kind: kindParameter,
  /** The path is not converted to composed form, because the path of an old folder may be stored in decomposed form. */
  folder: textMember(FOLDER_RULE, isFolderPath).optional(),
  tag: tagMember.optional(),
  sort: oneOfMember(SORTS).default('name'),
});

export interface AssetListPlan {
  readonly filter: AssetFilter;
  readonly order: AssetOrder;
  readonly after: AssetPosition | undefined;
}

export function buildAssetListPlan(query: z.output<typeof assetListQuery>): AssetListPlan {
  const { search, kind, folder, tag, sort, cursor } = query;
  const filter = { search: search === '' ? undefined : search, kind, folder, tag };
  return { filter, order: ORDERS[sort], after: cursor && parsePosition(cursor, sort) };
}

export function buildAssetPosition({ key, no }: AssetPageRow, sort: Sort): PagePosition {
  return { key: `${sort} ${key}`, no };
}

function parsePosition({ key, no }: PagePosition, sort: Sort): AssetPosition {
  const own = key.startsWith(`${sort} `) ? key.slice(sort.length + 1) : undefined;
  const isText = ORDERS[sort].sort === 'name';
  if (own === undefined || (!isText && !/^\d{1,15}$/.test(own))) {
    throw refuseFaults([{ path: 'query.cursor', message: 'must be a next_cursor from this list' }]);
  }
  return { key: isText ? own : Number(own), no };
}
