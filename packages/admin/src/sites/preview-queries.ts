import type { PreviewSettingsBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readTagged, type Tagged } from '../api/api.ts';
import type { buildAddresses } from './preview-values.ts';

export type PreviewSettings = Tagged<PreviewSettingsBody>;

/** The addresses at which the site's drafts can be previewed. Only owners get the secret. */
export function previewSettingsQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'preview'],
    queryFn: (): Promise<PreviewSettings> =>
      readTagged(api.GET('/manage/v1/sites/{site}/preview', { params: { path: { site } } })),
  });
}

/** @param etag the ETag of the settings that the change is based on */
export function savePreviewAddresses(
  site: string,
  addresses: ReturnType<typeof buildAddresses>,
  etag: string,
): Promise<PreviewSettings> {
  const params = { path: { site }, header: { 'If-Match': etag } };
  return readTagged(api.PUT('/manage/v1/sites/{site}/preview', { params, body: { addresses } }));
}

export function rotatePreviewSecret(site: string): Promise<PreviewSettings> {
  return readTagged(api.POST('/manage/v1/sites/{site}/preview/rotate-secret', { params: { path: { site } } }));
}

/** Called after a change, with the API's response. */
export function keepPreviewSettings(queryClient: QueryClient, site: string, settings: PreviewSettings): void {
  queryClient.setQueryData(previewSettingsQuery(site).queryKey, settings);
}
