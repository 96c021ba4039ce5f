// A site's assets: uploaded files, and the URLs of files elsewhere.

import type { ManagedAssetBody } from '@galley/wire';
import { z } from 'zod';
import { type Actor, nameCaller } from '../../authoring/actor.ts';
import { createAssetsFromFiles } from '../../authoring/asset-files.ts';
import { createAsset, deleteAsset, findAsset, updateAsset } from '../../authoring/assets.ts';
import { type AuthoringRefusal, refuseAbsent } from '../../authoring/authoring-refusal.ts';
import { buildPictureUrls } from '../../authoring/picture-urls.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { buildFocalPoint } from '../../content/render-content.ts';
import { idMember, oneOfMember, orNull, strictMembers, textMember } from '../../content/schema-members.ts';
import { assetMembers } from '../../content/site-definition.ts';
import { hasAtMostCharacters, isPlainText } from '../../content/text-rules.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { selectFolderPath } from '../../storage/sites/asset-folders.ts';
import { type AssetPageRow, selectAssetPage } from '../../storage/sites/asset-list.ts';
import { selectTagsOf } from '../../storage/sites/asset-tags.ts';
import type { ListedAssetRow } from '../../storage/sites/assets.ts';
import type { Procedure } from '../../storage/statement.ts';
import { buildPage, pageSchema } from '../parameters.ts';
import { type Call, defineRoute, type FormCall, type Route } from '../route.ts';
import { findUploadRules } from '../upload-rules.ts';
import { type AssetListPlan, assetListQuery, buildAssetListPlan, buildAssetPosition } from './asset-list-query.ts';

const MOST_DESCRIPTION = 5000;
const MOST_PATH = 1024;

export const assetBody: z.ZodType<ManagedAssetBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    path: z.string(),
    url: z.string(),
    extension: z.string(),
    size: z.int().describe('In bytes; 0 if unknown.'),
    mime_type: z.string(),
    is_image: z.boolean(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    focal_point: z
      .strictObject({ x: z.number(), y: z.number() })
      .nullable()
      .describe('The most important point in an image, as percentages from the left and from the top.'),
    placeholder: z
      .string()
      .nullable()
      .describe('A ThumbHash in Base64; null if the file was not uploaded or is not an image.'),
    colour: z.string().nullable().describe('The dominant colour of an uploaded image, like `#a1b2c3`.'),
    file_name: z.string().nullable().describe('Null if the file was not uploaded.'),
    folder: z.string().describe('Names separated by `/`; empty for the top level.'),
    tags: z.array(z.string()).describe('Sorted, ignoring case and accents.'),
    created_at: z.string().nullable().describe('Null for assets created before Galley started recording this.'),
    thumbnail_url: z
      .string()
      .nullable()
      .describe(
        'A signed URL for a picture of 320 × 240 pixels; null if the file was not uploaded or is not an image.',
      ),
    preview_url: z
      .string()
      .nullable()
      .describe(
        'A signed URL for the picture, at most 1280 pixels wide and high; null in the same cases as `thumbnail_url`.',
      ),
  })
  .meta({ id: 'ManagedAsset' });

interface TaggedAsset<Row extends ListedAssetRow = ListedAssetRow> {
  readonly asset: Row;
  readonly tags: readonly string[];
}

interface UrlContext {
  /** The base of the URLs of uploaded files. */
  readonly baseUrl: string;
  /** Signs the URLs of smaller pictures. */
  readonly imageKey: string;
}

function findUrlContext({ desk, path, client }: Pick<Call<unknown, unknown>, 'desk' | 'path' | 'client'>): UrlContext {
  return { baseUrl: client.baseUrl, imageKey: desk.storage.imageKey(path.site ?? '') };
}

function renderAsset({ asset, tags }: TaggedAsset, { baseUrl, imageKey }: UrlContext): ManagedAssetBody {
  const isImage = asset.mime_type.startsWith('image/');
  const focalPoint = buildFocalPoint(asset);
  const pictures = isImage && asset.sha256 !== null ? buildPictureUrls(imageKey, asset.url, focalPoint) : null;
  return {
    id: asset.id,
    name: asset.name,
    description: asset.description,
    path: asset.path,
    url: asset.sha256 === null ? asset.url : `${baseUrl}${asset.url}`,
    extension: asset.extension,
    size: asset.size,
    mime_type: asset.mime_type,
    is_image: isImage,
    width: asset.width,
    height: asset.height,
    focal_point: focalPoint,
    placeholder: asset.placeholder,
    colour: asset.colour,
    file_name: asset.file_name,
    folder: asset.folder,
    tags,
    created_at: asset.created_at === 0 ? null : formatTimestamp(asset.created_at),
    thumbnail_url: pictures && `${baseUrl}${pictures.thumbnail}`,
    preview_url: pictures && `${baseUrl}${pictures.preview}`,
  };
}

/** Converts empty text to null. */
function boundedText(most: number) {
  return textMember(
    `text of at most ${most} characters`,
    (text) => isPlainText(text) && hasAtMostCharacters(text, most),
  ).transform((text) => (text === '' ? null : text));
}

const description = boundedText(MOST_DESCRIPTION);
const path = boundedText(MOST_PATH);

const newAssetBody = strictMembers('an asset', {
  id: orNull(idMember),
  name: assetMembers.name,
  description: orNull(description),
  path: orNull(path),
  url: assetMembers.url,
  extension: orNull(assetMembers.extension),
  size: orNull(assetMembers.size),
  mime_type: orNull(assetMembers.mime_type),
  width: orNull(assetMembers.width),
  height: orNull(assetMembers.height),
  focal_point: orNull(assetMembers.focal_point),
  folder: assetMembers.folder.default(''),
  tags: assetMembers.tags.default([]),
});

const assetChangeBody = strictMembers('an asset change', {
  name: assetMembers.name.optional(),
  description: description.nullable().optional(),
  path: path.nullable().optional(),
  url: assetMembers.url.optional(),
  extension: assetMembers.extension.nullable().optional(),
  size: assetMembers.size.nullable().optional(),
  mime_type: assetMembers.mime_type.nullable().optional(),
  width: assetMembers.width.nullable().optional(),
  height: assetMembers.height.nullable().optional(),
  focal_point: assetMembers.focal_point.nullable().optional(),
  folder: assetMembers.folder.optional(),
  tags: assetMembers.tags.optional(),
});

const uploadFields = strictMembers('the form', {
  name: orNull(assetMembers.name),
  description: orNull(description),
  folder: assetMembers.folder.default(''),
  tags: assetMembers.tags.default([]),
});

export const uploadMember = textMember('the id of a resumable upload', (text) => isPlainText(text) && text !== '');

const uploadBody = strictMembers('an uploaded asset', {
  upload: uploadMember,
  name: orNull(assetMembers.name),
  description: orNull(description),
  folder: assetMembers.folder.default(''),
  tags: assetMembers.tags.default([]),
});

const duplicatesParameter = oneOfMember(['keep', 'refuse'])
  .default('keep')
  .describe('For uploaded files: `refuse` returns 409 if the site already has a file with the same bytes.');

const MOST_FILES = 100;

const tag = 'Assets';

export async function readAsset(
  call: Pick<Call<unknown, unknown>, 'desk' | 'actor' | 'path' | 'client'>,
  assetId = call.path.asset ?? '',
): Promise<ManagedAssetBody> {
  const { desk, actor, path } = call;
  return renderAsset(await desk.storage.read(selectOwnAsset(actor, path.site ?? '', assetId)), findUrlContext(call));
}

function* selectOwnAsset(actor: Actor, siteId: string, assetId: string): Procedure<TaggedAsset> {
  const site = yield* selectOwnSite(actor, siteId);
  const asset = yield* findAsset(site.no, assetId);
  return { asset, tags: (yield* selectTagsOf([asset.no])).get(asset.no) ?? [] };
}

function* selectOwnAssets(
  actor: Actor,
  siteId: string,
  { filter, order, after }: AssetListPlan,
  limit: number,
): Procedure<readonly TaggedAsset<AssetPageRow>[]> {
  const site = yield* selectOwnSite(actor, siteId);
  const folder = filter.folder && (yield* selectFolderPath(site.no, filter.folder));
  const rows = yield* selectAssetPage(site.no, { ...filter, folder }, order, after, limit);
  const tags = yield* selectTagsOf(rows.map(({ no }) => no));
  return rows.map((asset) => ({ asset, tags: tags.get(asset.no) ?? [] }));
}

type UploadCall = FormCall<{ readonly duplicates: 'keep' | 'refuse' }, z.output<typeof uploadFields>>;

async function uploadAssets(call: UploadCall): Promise<ManagedAssetBody | readonly ManagedAssetBody[]> {
  const { desk, actor, path, query, body, files } = call;
  if (files.length === 0) throw refuseNoUpload();
  const details = { ...body, refusesDuplicates: query.duplicates === 'refuse' };
  const stored = files.map((file) => [file, details] as const);
  const ids = await createAssetsFromFiles(desk, actor, path.site ?? '', stored);
  const assets: ManagedAssetBody[] = [];
  for (const id of ids) assets.push(await readAsset(call, id));
  const [first, ...others] = assets;
  return first !== undefined && others.length === 0 ? first : assets;
}

export function refuseNoUpload(): AuthoringRefusal {
  return refuseAbsent('There is no such upload. It may have expired.');
}

export const ASSET_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listAssets',
    method: 'GET',
    path: '/sites/{site}/assets',
    who: 'member',
    tag,
    summary: 'List a site’s assets',
    description:
      '`search` matches any part of the name, the description, the media type or the folder, ignoring case and accents. ' +
      '`kind` is the start of a media type, like `image/`. `folder` lists the assets in one folder, without its ' +
      'subfolders; an empty `folder` lists those at the top level. `tag` ignores case and accents. A `cursor` is ' +
      'valid only for the `sort` that it was created for.',
    query: assetListQuery,
    status: 200,
    answer: pageSchema(assetBody, 'ManagedAssetPage'),
    refusals: [404, 422],
    run: async (call) => {
      const { desk, actor, path, query } = call;
      const { limit, sort } = query;
      const plan = buildAssetListPlan(query);
      const select = () => selectOwnAssets(actor, path.site ?? '', plan, limit + 1);
      const rows = await desk.storage.readList(select, nameCaller(actor));
      const context = findUrlContext(call);
      const render = (row: TaggedAsset): ManagedAssetBody => renderAsset(row, context);
      return buildPage(rows, limit, render, ({ asset }) => buildAssetPosition(asset, sort));
    },
  }),
  defineRoute({
    operationId: 'createAsset',
    method: 'POST',
    path: '/sites/{site}/assets',
    who: 'member',
    tag,
    summary: 'Create an asset, or upload files',
    description:
      'A form (`multipart/form-data`) uploads files: each part with a file name is a file and becomes an asset. The fields come before the files and apply to all of them. If one file is refused, none is kept. If there are several files, the response is an array.\n\nJSON with an `upload` creates the asset from a complete resumable upload. Other JSON creates an asset for a file elsewhere. The `url` is an http(s) URL, a path that starts with `/`, or a `data:` URL with an image of at most 16 KB. An SVG image in a `data:` URL must not contain code or refer to external resources. If omitted, the extension, the media type and the path are filled in from the other properties.',
    query: strictMembers('the query', { duplicates: duplicatesParameter }),
    body: newAssetBody,
    form: {
      fields: uploadFields,
      lists: ['tags'],
      mostFiles: MOST_FILES,
      resumed: uploadBody,
      answer: z.array(assetBody),
      admit: findUploadRules,
      run: uploadAssets,
    },
    usesUploads: true,
    status: 201,
    answer: assetBody,
    refusals: [404, 409, 422],
    run: async (call) => readAsset(call, await createAsset(call.desk, call.actor, call.path.site ?? '', call.body)),
  }),
  defineRoute({
    operationId: 'getAsset',
    method: 'GET',
    path: '/sites/{site}/assets/{asset}',
    who: 'member',
    tag,
    summary: 'Read an asset',
    status: 200,
    answer: assetBody,
    state: (asset) => asset,
    refusals: [404],
    run: (call) => readAsset(call),
  }),
  defineRoute({
    operationId: 'updateAsset',
    method: 'PATCH',
    path: '/sites/{site}/assets/{asset}',
    who: 'member',
    tag,
    summary: 'Change an asset',
    description:
      'Omitted properties stay as they are; null properties are filled in from the others. A new `url` means a new file: only the name and the description of the old one are kept. The change takes effect in all content immediately.',
    body: assetChangeBody,
    status: 200,
    answer: assetBody,
    refusals: [404, 422],
    run: async (call) => {
      const { desk, actor, path, body } = call;
      await updateAsset(desk, actor, path.site ?? '', path.asset ?? '', body);
      return readAsset(call);
    },
  }),
  defineRoute({
    operationId: 'deleteAsset',
    method: 'DELETE',
    path: '/sites/{site}/assets/{asset}',
    who: 'member',
    tag,
    summary: 'Delete an asset',
    description:
      'Returns 409 while the newest or published version of any content uses the asset: `details.contents` lists the first 100 such content objects, and `details.total` is how many there are.',
    status: 204,
    answer: null,
    refusals: [404, 409],
    run: ({ desk, actor, path }) => deleteAsset(desk, actor, path.site ?? '', path.asset ?? ''),
  }),
];
