import type { PreviewSettingsBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

/** Where the site's drafts can be previewed. Only owners get the secret. */
export function previewSettingsQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'preview'],
    queryFn: (): Promise<PreviewSettingsBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/preview', { params: { path: { site } } })),
  });
}

/** Called after a change, with the API's response. */
export function keepPreviewSettings(queryClient: QueryClient, site: string, settings: PreviewSettingsBody): void {
  queryClient.setQueryData(previewSettingsQuery(site).queryKey, settings);
}
