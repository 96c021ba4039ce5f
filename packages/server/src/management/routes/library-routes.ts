// The library of a site's assets: its folders and tags, and changes to many assets at once.

import type { AssetBatchBody, AssetFolderBody, AssetFolderListBody, AssetTagListBody } from '@galley/wire';
import { z } from 'zod';
import { type Actor, nameCaller } from '../../authoring/actor.ts';
import { createFolder, deleteFolder, MOST_FOLDERS, renameFolder } from '../../authoring/asset-folders.ts';
import { changeAssets, deleteAssets } from '../../authoring/change-assets.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { idMember, strictMembers, textMember } from '../../content/schema-members.ts';
import { assetMembers, FOLDER_RULE, isFolderPath } from '../../content/site-definition.ts';
import { composeText } from '../../content/text-rules.ts';
import { type FolderCount, selectFolderCounts } from '../../storage/sites/asset-folders.ts';
import { selectTagCounts, type TagCount } from '../../storage/sites/asset-tags.ts';
import type { Procedure } from '../../storage/statement.ts';
import { defineRoute, type Route } from '../route.ts';

const MOST_ASSETS = 100;
const MOST_TAGS_LISTED = 5000;

const folderBody: z.ZodType<AssetFolderBody> = z
  .strictObject({
    path: z.string().describe('Names separated by `/`, like `press/2026`.'),
    count: z.int().describe('The number of assets in the folder, excluding its subfolders.'),
  })
  .meta({ id: 'AssetFolder' });

const folderListBody: z.ZodType<AssetFolderListBody> = z
  .strictObject({ data: z.array(folderBody) })
  .meta({ id: 'AssetFolderList' });

const tagListBody: z.ZodType<AssetTagListBody> = z
  .strictObject({
    data: z.array(
      z
        .strictObject({ tag: z.string(), count: z.int().describe('The number of assets with the tag.') })
        .meta({ id: 'AssetTag' }),
    ),
  })
  .meta({ id: 'AssetTagList' });

/** Not converted to composed form, because the path of an old folder may be stored in decomposed form. */
const folderPath = textMember(FOLDER_RULE, (text) => text !== '' && isFolderPath(text));
const newFolderPath = folderPath.transform(composeText);
const newFolderBody = strictMembers('a folder', { path: newFolderPath });
const folderChangeBody = strictMembers('a folder change', { path: folderPath, new_path: newFolderPath });
const folderQuery = strictMembers('the query', { path: folderPath });

const IDS_RULE = `must be an array of 1 to ${MOST_ASSETS} asset ids`;
const batchBody = strictMembers('a batch', {
  ids: z.array(idMember, { error: IDS_RULE }).min(1, { error: IDS_RULE }).max(MOST_ASSETS, { error: IDS_RULE }),
  folder: assetMembers.folder.optional(),
  add_tags: assetMembers.tags.optional(),
  remove_tags: assetMembers.tags.optional(),
  delete: z.literal(true, { error: 'must be true or omitted' }).optional(),
}).superRefine(({ folder, add_tags, remove_tags, delete: isDeletion }, context) => {
  const hasChange = [folder, add_tags, remove_tags].some((member) => member !== undefined);
  if (isDeletion && hasChange) {
    context.addIssue({ code: 'custom', path: ['delete'], message: 'must not be combined with other changes' });
  } else if (!isDeletion && !hasChange) {
    context.addIssue({ code: 'custom', path: [], message: 'must contain folder, add_tags, remove_tags or delete' });
  }
});

const batchAnswer: z.ZodType<AssetBatchBody> = z
  .strictObject({ changed: z.int().describe('The number of assets that were changed or deleted.') })
  .meta({ id: 'AssetBatch' });

const tag = 'Assets';

function* selectFolders(actor: Actor, siteId: string): Procedure<readonly FolderCount[]> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectFolderCounts(site.no, MOST_FOLDERS);
}

function* selectTags(actor: Actor, siteId: string): Procedure<readonly TagCount[]> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectTagCounts(site.no, MOST_TAGS_LISTED);
}

export const LIBRARY_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'changeAssets',
    method: 'POST',
    path: '/sites/{site}/assets/batch',
    who: 'member',
    tag,
    summary: 'Change or delete many assets',
    description:
      'Changes all of the assets or none. `add_tags` and `remove_tags` leave each asset’s other tags as they are. ' +
      '`delete` cannot be combined with other changes. If content uses some of the assets, nothing will be deleted: the ' +
      'response is 409, `details.assets` lists the assets in use, each with the first content objects that use it, and ' +
      '`details.total` is how many assets are in use.',
    body: batchBody,
    status: 200,
    answer: batchAnswer,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      const { ids, folder, add_tags: addedTags = [], remove_tags: removedTags = [] } = body;
      const siteId = path.site ?? '';
      if (body.delete !== true)
        return { changed: await changeAssets(desk, actor, siteId, ids, { folder, addedTags, removedTags }) };
      await deleteAssets(desk, actor, siteId, ids);
      return { changed: new Set(ids).size };
    },
  }),
  defineRoute({
    operationId: 'listAssetFolders',
    method: 'GET',
    path: '/sites/{site}/asset-folders',
    who: 'member',
    tag,
    summary: 'List a site’s asset folders',
    description: `Each folder comes before its subfolders. The list includes folders that were never created explicitly but contain assets or other folders. It contains at most ${MOST_FOLDERS} folders.`,
    status: 200,
    answer: folderListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const rows = await desk.storage.readList(() => selectFolders(actor, path.site ?? ''), nameCaller(actor));
      return { data: rows.map(({ path: folder, total }) => ({ path: folder, count: total })) };
    },
  }),
  defineRoute({
    operationId: 'createAssetFolder',
    method: 'POST',
    path: '/sites/{site}/asset-folders',
    who: 'member',
    tag,
    summary: 'Create an asset folder',
    description:
      'Missing parent folders are created too. You can put an asset into a folder without creating the folder first.',
    body: newFolderBody,
    status: 201,
    answer: folderBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      return { path: await createFolder(desk, actor, path.site ?? '', body.path), count: 0 };
    },
  }),
  defineRoute({
    operationId: 'renameAssetFolder',
    method: 'PATCH',
    path: '/sites/{site}/asset-folders',
    who: 'member',
    tag,
    summary: 'Rename or move a folder',
    description: 'Its assets and subfolders move with it. Returns 409 if there is already a folder at `new_path`.',
    body: folderChangeBody,
    status: 204,
    answer: null,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => renameFolder(desk, actor, path.site ?? '', body.path, body.new_path),
  }),
  defineRoute({
    operationId: 'deleteAssetFolder',
    method: 'DELETE',
    path: '/sites/{site}/asset-folders',
    who: 'member',
    tag,
    summary: 'Delete an empty folder',
    description: 'Returns 409 if the folder contains assets or other folders.',
    query: folderQuery,
    status: 204,
    answer: null,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, query }) => deleteFolder(desk, actor, path.site ?? '', query.path),
  }),
  defineRoute({
    operationId: 'listAssetTags',
    method: 'GET',
    path: '/sites/{site}/asset-tags',
    who: 'member',
    tag,
    summary: 'List a site’s asset tags',
    description: `Sorted, ignoring case and accents. The list contains at most ${MOST_TAGS_LISTED} tags.`,
    status: 200,
    answer: tagListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const rows = await desk.storage.readList(() => selectTags(actor, path.site ?? ''), nameCaller(actor));
      return { data: rows.map(({ tag: name, total }) => ({ tag: name, count: total })) };
    },
  }),
];
