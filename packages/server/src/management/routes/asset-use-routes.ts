// The content that uses an asset. Editors can check it before they replace or delete the asset.

import type { AssetUseBody, AssetUseListBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { findAsset } from '../../authoring/assets.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { CONTENT_STATES, findState } from '../../content/lifecycle.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { type AssetUseRow, countUsingContents, selectUsingContents } from '../../storage/contents/content-uses.ts';
import type { Procedure } from '../../storage/statement.ts';
import { pageParameters } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

const assetUseBody = z.strictObject({
  id: z.string(),
  name: z.string(),
  content_type: z.string().describe('The handle of its content type.'),
  state: z.enum(CONTENT_STATES),
  language: z.string(),
  is_public: z
    .boolean()
    .describe('Whether the published version uses the asset. If false, only the newest saved version does.'),
});

const assetUseListBody: z.ZodType<AssetUseListBody> = z
  .strictObject({
    data: z.array(assetUseBody.meta({ id: 'AssetUse' })).describe('Newest content first, up to the limit.'),
    total: z.int().describe('The total number of content objects that use the asset.'),
  })
  .meta({ id: 'AssetUseList' });

function renderUse({ id, name, type, language, status, is_public, ...row }: AssetUseRow): AssetUseBody {
  const state = findState({ status, newestVersion: row.newest_version, publishedVersion: row.published_version });
  return { id, name, content_type: type, state, language, is_public: is_public === 1 };
}

/** Reads the list and the total from a single snapshot. */
function* selectUses(actor: Actor, siteId: string, assetId: string, limit: number): Procedure<AssetUseListBody> {
  const site = yield* selectOwnSite(actor, siteId);
  const { id } = yield* findAsset(site.no, assetId);
  const rows = yield* selectUsingContents(site.no, id, limit);
  const total = yield* countUsingContents(site.no, id);
  return { data: rows.map(renderUse), total };
}

export const ASSET_USE_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listAssetUses',
    method: 'GET',
    path: '/sites/{site}/assets/{asset}/uses',
    who: 'member',
    tag: 'Assets',
    summary: 'List the content that uses an asset',
    description:
      'The site’s content whose published or newest version uses the asset, even in a block. Archived content is included.',
    query: strictMembers('the query', { limit: pageParameters.limit }),
    status: 200,
    answer: assetUseListBody,
    refusals: [404, 422],
    run: ({ desk, actor, path, query }) =>
      desk.storage.read(selectUses(actor, path.site ?? '', path.asset ?? '', query.limit)),
  }),
];
