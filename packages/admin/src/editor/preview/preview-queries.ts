// API calls for the preview of one content object.

import type { PreviewUrlBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../../api/api.ts';
import type { DraftValues } from '../draft/draft-values.ts';

/** The URL contains the secret, so it is read whenever a preview is opened, and never cached. */
export function previewUrlQuery(site: string, content: string, address: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'preview-url', content, address],
    queryFn: (): Promise<PreviewUrlBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content/{content}/preview-url', {
          params: { path: { site, content }, query: { address } },
        }),
      ),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The JSON text of the object that a preview would return if these values were saved. */
export function renderDraft(site: string, content: string, values: DraftValues): Promise<string> {
  return readAnswer(
    api.POST('/manage/v1/sites/{site}/content/{content}/render', {
      params: { path: { site, content } },
      body: { ...values, slug: values.slug || null },
      parseAs: 'text',
    }),
  );
}
