// Assets of a site: what is known of files, and the addresses that they are found at. The files themselves are elsewhere.

import type { ManagedAssetBody } from '@galley/wire';
import { type Actor, nameCaller } from '../../authoring/actor.ts';
import { createAsset, deleteAsset, findAsset, updateAsset } from '../../authoring/assets.ts';
import type { Desk } from '../../authoring/desk.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { strictMembers } from '../../content/schema-members.ts';
import {
  type AssetSearch,
  FIRST_POSITION,
  type ListedAssetRow,
  type NamePosition,
  type Procedure,
  selectAssets,
} from '../../storage/port.ts';
import { buildPage, pageParameters, pageSchema, searchParameter } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';
import { assetBody, assetChangeBody, kindParameter, newAssetBody, renderAsset } from './asset-bodies.ts';

const tag = 'Assets';

async function readAsset(desk: Desk, actor: Actor, siteId: string, assetId: string): Promise<ManagedAssetBody> {
  return renderAsset(await desk.storage.read(selectOwnAsset(actor, siteId, assetId)));
}

function* selectOwnAsset(actor: Actor, siteId: string, assetId: string): Procedure<ListedAssetRow> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* findAsset(site.no, assetId);
}

function* selectOwnAssets(
  actor: Actor,
  siteId: string,
  search: AssetSearch,
  after: NamePosition,
  limit: number,
): Procedure<readonly ListedAssetRow[]> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectAssets(site.no, search, after, limit);
}

export const ASSET_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/sites/{site}/assets',
    who: 'member',
    tag,
    summary: 'List the assets of a site, by name',
    description:
      '`search` finds a part of a name, without regard to case and accents; `kind` the beginning of a media type, like `image/`.',
    query: strictMembers('the query', { ...pageParameters, search: searchParameter, kind: kindParameter }),
    status: 200,
    answer: pageSchema(assetBody, 'ManagedAssetPage'),
    refusals: [404, 422],
    run: async ({ desk, actor, path, query: { limit, cursor = FIRST_POSITION, search: name, kind = '' } }) => {
      const select = () => selectOwnAssets(actor, path.site ?? '', { name, kind }, cursor, limit + 1);
      const rows = await desk.storage.readList(select, nameCaller(actor));
      return buildPage(rows, limit, renderAsset, ({ name_key, no }) => ({ key: name_key, no }));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/sites/{site}/assets',
    who: 'member',
    tag,
    summary: 'Create an asset',
    description:
      'Its `url` is an http(s) address, a path from `/`, or a `data:` address with a picture of at most 16 KB. An SVG picture in a `data:` address must not hold code or refer to anything outside of itself. What is left out follows from the rest: the extension, the media type, the path.',
    body: newAssetBody,
    status: 201,
    answer: assetBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      const siteId = path.site ?? '';
      return readAsset(desk, actor, siteId, await createAsset(desk, actor, siteId, body));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/sites/{site}/assets/{asset}',
    who: 'member',
    tag,
    summary: 'Read an asset',
    status: 200,
    answer: assetBody,
    state: (asset) => asset,
    refusals: [404],
    run: ({ desk, actor, path }) => readAsset(desk, actor, path.site ?? '', path.asset ?? ''),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/sites/{site}/assets/{asset}',
    who: 'member',
    tag,
    summary: 'Change an asset',
    description:
      'What is left out stays, and null asks for what follows from the rest. Another `url` is another file: of the old one only the name and the description stay. The change shows at once in all content.',
    body: assetChangeBody,
    status: 200,
    answer: assetBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }) => {
      const [siteId = '', assetId = ''] = [path.site, path.asset];
      await updateAsset(desk, actor, siteId, assetId, body);
      return readAsset(desk, actor, siteId, assetId);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/sites/{site}/assets/{asset}',
    who: 'member',
    tag,
    summary: 'Delete an asset',
    description:
      'Refused with 409 while the newest or the published version of any content shows it: `details.contents` lists the first 100, `details.total` counts all.',
    status: 204,
    answer: null,
    refusals: [404, 409],
    run: ({ desk, actor, path }) => deleteAsset(desk, actor, path.site ?? '', path.asset ?? ''),
  }),
];
