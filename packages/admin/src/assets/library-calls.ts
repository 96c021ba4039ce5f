// Management API calls for asset folders, tags, files and uses.

import type {
  AssetFileListBody,
  AssetFolderListBody,
  AssetTagListBody,
  AssetUseListBody,
  ManagedAssetBody,
} from '@galley/wire';
import { api, readAnswer } from '../api/api.ts';

export interface AssetBatch {
  readonly ids: string[];
  readonly folder?: string;
  readonly add_tags?: string[];
  readonly remove_tags?: string[];
  readonly delete?: true;
}

export function readFolders(site: string): Promise<AssetFolderListBody> {
  return readAnswer(api.GET('/manage/v1/sites/{site}/asset-folders', { params: { path: { site } } }));
}

export function createFolder(site: string, path: string): Promise<unknown> {
  return readAnswer(api.POST('/manage/v1/sites/{site}/asset-folders', { params: { path: { site } }, body: { path } }));
}

export function renameFolder(site: string, path: string, newPath: string): Promise<unknown> {
  return readAnswer(
    api.PATCH('/manage/v1/sites/{site}/asset-folders', {
      params: { path: { site } },
      body: { path, new_path: newPath },
    }),
  );
}

export function deleteFolder(site: string, path: string): Promise<unknown> {
  return readAnswer(
    api.DELETE('/manage/v1/sites/{site}/asset-folders', { params: { path: { site }, query: { path } } }),
  );
}

export function readTags(site: string): Promise<AssetTagListBody> {
  return readAnswer(api.GET('/manage/v1/sites/{site}/asset-tags', { params: { path: { site } } }));
}

export function changeAssets(site: string, batch: AssetBatch): Promise<unknown> {
  return readAnswer(api.POST('/manage/v1/sites/{site}/assets/batch', { params: { path: { site } }, body: batch }));
}

export function readFiles(site: string, asset: string): Promise<AssetFileListBody> {
  return readAnswer(api.GET('/manage/v1/sites/{site}/assets/{asset}/files', { params: { path: { site, asset } } }));
}

export function restoreFile(site: string, asset: string, version: string): Promise<ManagedAssetBody> {
  return readAnswer(
    api.POST('/manage/v1/sites/{site}/assets/{asset}/restore', {
      params: { path: { site, asset } },
      body: { version },
    }),
  );
}

export function copyIntoLibrary(site: string, asset: string): Promise<ManagedAssetBody> {
  return readAnswer(api.POST('/manage/v1/sites/{site}/assets/{asset}/copy', { params: { path: { site, asset } } }));
}

export function readUses(site: string, asset: string): Promise<AssetUseListBody> {
  return readAnswer(api.GET('/manage/v1/sites/{site}/assets/{asset}/uses', { params: { path: { site, asset } } }));
}
