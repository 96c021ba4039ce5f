import type { AssetSettingsBody, ImageKeyBody, ImagePresetBody, ImagePresetListBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

export function assetSettingsQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'asset-settings'],
    queryFn: (): Promise<AssetSettingsBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/asset-settings', { params: { path: { site } } })),
  });
}

interface AssetSettingsChange extends Partial<Omit<AssetSettingsBody, 'upload_types'>> {
  readonly upload_types?: string[] | null;
}

export function changeAssetSettings(site: string, body: AssetSettingsChange): Promise<AssetSettingsBody> {
  return readAnswer(api.PATCH('/manage/v1/sites/{site}/asset-settings', { params: { path: { site } }, body }));
}

export function presetsQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'image-presets'],
    queryFn: (): Promise<ImagePresetListBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/image-presets', { params: { path: { site } } })),
    select: ({ data }) => data,
  });
}

export function putPreset(site: string, { name, parameters }: ImagePresetBody): Promise<ImagePresetBody> {
  return readAnswer(
    api.PUT('/manage/v1/sites/{site}/image-presets/{name}', { params: { path: { site, name } }, body: { parameters } }),
  );
}

export function deletePreset(site: string, name: string): Promise<unknown> {
  return readAnswer(api.DELETE('/manage/v1/sites/{site}/image-presets/{name}', { params: { path: { site, name } } }));
}

export function readImageKey(site: string): Promise<ImageKeyBody> {
  return readAnswer(api.GET('/manage/v1/sites/{site}/image-key', { params: { path: { site } } }));
}
