// Asset files: replacing, listing and restoring them, and copying a file from a web address.

import type { ManagedAssetBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { adoptCopy, replaceFile, restoreFile } from '../../authoring/asset-files.ts';
import { findAsset } from '../../authoring/assets.ts';
import { AuthoringRefusal } from '../../authoring/authoring-refusal.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { isFileVersion } from '../../content/asset-path.ts';
import { strictMembers, textMember } from '../../content/schema-members.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { type AssetFileRow, selectAssetFiles } from '../../storage/sites/asset-files.ts';
import type { ListedAssetRow } from '../../storage/sites/assets.ts';
import type { Procedure } from '../../storage/statement.ts';
import { refuseUpload } from '../refuse-upload.ts';
import { defineRoute, type Route } from '../route.ts';
import { findUploadRules } from '../upload-rules.ts';
import { assetBody, readAsset, refuseNoUpload, uploadMember } from './asset-routes.ts';

const fileBody = z
  .strictObject({
    version: z.string().describe('Part of the file’s URL.'),
    file_name: z.string(),
    mime_type: z.string(),
    size: z.int().describe('In bytes.'),
    width: z.int().nullable(),
    height: z.int().nullable(),
    put_at: z.string().describe('When the file became the asset’s current file.'),
    replaced_at: z.string().nullable().describe('Null for the current file.'),
    can_restore: z.boolean(),
  })
  .meta({ id: 'AssetFile' });

const fileListBody = z.strictObject({ data: z.array(fileBody) }).meta({ id: 'AssetFileList' });

function renderFile(file: AssetFileRow): z.infer<typeof fileBody> {
  const { version, file_name, mime_type, size, width, height, put_at, replaced_at, is_removed } = file;
  return {
    ...{ version, file_name, mime_type, size, width, height },
    put_at: formatTimestamp(put_at),
    replaced_at: replaced_at === null ? null : formatTimestamp(replaced_at),
    can_restore: replaced_at !== null && is_removed === 0,
  };
}

function* selectOwnFiles(actor: Actor, siteId: string, assetId: string): Procedure<readonly AssetFileRow[]> {
  const site = yield* selectOwnSite(actor, siteId);
  const asset = yield* findAsset(site.no, assetId);
  return yield* selectAssetFiles(asset.no);
}

function* selectWebAddress(actor: Actor, siteId: string, assetId: string): Procedure<ListedAssetRow> {
  const site = yield* selectOwnSite(actor, siteId);
  const asset = yield* findAsset(site.no, assetId);
  if (asset.sha256 === null) return asset;
  throw new AuthoringRefusal('This asset already has a file in the library.', { reason: 'conflict' });
}

const versionMember = textMember('a version from the list of files', isFileVersion);

const tag = 'Assets';

export const ASSET_FILE_ROUTES: readonly Route[] = [
  defineRoute<undefined, undefined, 'member', ManagedAssetBody, object>({
    operationId: 'replaceAssetFile',
    method: 'PUT',
    path: '/sites/{site}/assets/{asset}/file',
    who: 'member',
    tag,
    summary: 'Replace an asset’s file',
    description:
      'The body is a form with exactly one file, or JSON with the `upload` of a complete resumable upload. The asset keeps its id, name and description, and gets a new `url`; content that uses it shows the new file immediately. The focal point is kept if the new picture has the same proportions. The earlier file can be restored until the service removes it.',
    form: {
      fields: strictMembers('the form', {}),
      lists: [],
      mostFiles: 1,
      resumed: strictMembers('the body', { upload: uploadMember }),
      admit: findUploadRules,
      run: async (call) => {
        const { desk, actor, path, files } = call;
        const [file] = files;
        if (file === undefined) throw refuseNoUpload();
        await replaceFile(desk, actor, path.site ?? '', path.asset ?? '', file);
        return readAsset(call);
      },
    },
    usesUploads: true,
    status: 200,
    answer: assetBody,
    refusals: [404, 422],
    run: async (): Promise<ManagedAssetBody> => {
      throw new AuthoringRefusal('Send the file as multipart/form-data, or the id of an upload as JSON.');
    },
  }),
  defineRoute({
    operationId: 'listAssetFiles',
    method: 'GET',
    path: '/sites/{site}/assets/{asset}/files',
    who: 'member',
    tag,
    summary: 'List all files that an asset has had, starting with the current one',
    status: 200,
    answer: fileListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const files = await desk.storage.read(selectOwnFiles(actor, path.site ?? '', path.asset ?? ''));
      return { data: files.map(renderFile) };
    },
  }),
  defineRoute({
    operationId: 'restoreAssetFile',
    method: 'POST',
    path: '/sites/{site}/assets/{asset}/restore',
    who: 'member',
    tag,
    summary: 'Restore one of an asset’s earlier files',
    description: 'Returns 409 (`file_removed`) if the service has already removed the file.',
    body: strictMembers('the body', { version: versionMember }),
    usesUploads: true,
    status: 200,
    answer: assetBody,
    refusals: [404, 409, 422],
    run: async (call) => {
      const { desk, actor, path, uploads, body } = call;
      const { store } = await uploads.open();
      const isStored = (sha256: string): Promise<boolean> => store.has(sha256);
      await restoreFile(desk, actor, path.site ?? '', path.asset ?? '', body.version, isStored);
      return readAsset(call);
    },
  }),
  defineRoute({
    operationId: 'copyAssetFile',
    method: 'POST',
    path: '/sites/{site}/assets/{asset}/copy',
    who: 'member',
    tag,
    summary: 'Copy an asset’s file from its web address into the library',
    description:
      'Galley fetches the file from the asset’s `url`, which must be a public http(s) address. After that, the asset is like one that was uploaded: its `url` points to this service. Returns 409 if its file is already in the library, or if somebody else changes its `url` in the meantime.',
    usesUploads: true,
    takesFile: true,
    // With an `Idempotency-Key`, the whole call would be one transaction, and no other change could be made while the file is being
    // fetched.
    repeatGets: 'nothing',
    status: 200,
    answer: assetBody,
    refusals: [404, 409, 422],
    run: async (call) => {
      const { desk, actor, path, uploads } = call;
      const asset = await desk.storage.read(selectWebAddress(actor, path.site ?? '', path.asset ?? ''));
      const uploader = await uploads.open();
      const taken = await uploader.takeRemote(asset.url, await findUploadRules(call));
      if (!taken.ok) throw refuseUpload(taken.problem, asset.name);
      await using file = taken.value;
      await adoptCopy(desk, actor, path.site ?? '', asset.id, asset.url, file);
      return await readAsset(call);
    },
  }),
];
