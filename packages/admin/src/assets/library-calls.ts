// Calls of the management API for folders, tags, files and uses of assets.

import type { ManagedAssetBody } from '@galley/wire';
import { ApiError } from '../api/api-error.ts';
import { sendRequest } from '../api/send-request.ts';

export interface AssetFolder {
  /** Names separated by `/`. */
  readonly path: string;
  /** The number of assets in the folder itself. */
  readonly count: number;
}

export interface AssetTag {
  readonly tag: string;
  readonly count: number;
}

export interface AssetFile {
  readonly version: string;
  readonly file_name: string;
  readonly mime_type: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly put_at: string;
  /** Null for the current file. */
  readonly replaced_at: string | null;
  readonly can_restore: boolean;
}

export interface AssetUse {
  readonly id: string;
  readonly name: string;
}

export interface AssetUses {
  readonly items: readonly AssetUse[];
  readonly total: number;
}

export interface AssetBatch {
  readonly ids: readonly string[];
  readonly folder?: string;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly delete?: true;
}

export function readFolders(site: string): Promise<{ readonly items: readonly AssetFolder[] }> {
  return call('GET', `${siteOf(site)}/asset-folders`);
}

export function createFolder(site: string, path: string): Promise<unknown> {
  return call('POST', `${siteOf(site)}/asset-folders`, { path });
}

export function renameFolder(site: string, path: string, newPath: string): Promise<unknown> {
  return call('PATCH', `${siteOf(site)}/asset-folders`, { path, new_path: newPath });
}

export function deleteFolder(site: string, path: string): Promise<unknown> {
  return call('DELETE', `${siteOf(site)}/asset-folders?path=${encodeURIComponent(path)}`);
}

export function readTags(site: string): Promise<{ readonly items: readonly AssetTag[] }> {
  return call('GET', `${siteOf(site)}/asset-tags`);
}

export function changeAssets(site: string, batch: AssetBatch): Promise<unknown> {
  return call('POST', `${siteOf(site)}/assets/batch`, batch);
}

export function readFiles(site: string, asset: string): Promise<{ readonly items: readonly AssetFile[] }> {
  return call('GET', `${assetOf(site, asset)}/files`);
}

export function restoreFile(site: string, asset: string, version: string): Promise<ManagedAssetBody> {
  return call('POST', `${assetOf(site, asset)}/restore`, { version });
}

export function copyIntoLibrary(site: string, asset: string): Promise<ManagedAssetBody> {
  return call('POST', `${assetOf(site, asset)}/copy`);
}

export function readUses(site: string, asset: string): Promise<AssetUses> {
  return call('GET', `${assetOf(site, asset)}/uses`);
}

function siteOf(site: string): string {
  return `/manage/v1/sites/${encodeURIComponent(site)}`;
}

function assetOf(site: string, asset: string): string {
  return `${siteOf(site)}/assets/${encodeURIComponent(asset)}`;
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await sendRequest(
    new Request(new URL(path, window.location.origin), {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }),
  );
  const answer = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}
