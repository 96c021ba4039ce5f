// API calls for the preview of one content object.

import type { NewShareLinkBody, PreviewUrlBody, ShareLinkListBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../../api/api.ts';
import type { DraftValues } from '../draft/draft-values.ts';

/** The URL contains the secret, so it is read whenever a preview is opened, and never cached. */
export function previewUrlQuery(site: string, content: string, address: string) {
  return queryOptions({
    // Has a different prefix from the keys of queries about content, because those queries are repeated after each save.
    queryKey: ['sites', site, 'preview-url', content, address],
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
export function renderDraft(site: string, content: string, values: DraftValues, marks: boolean): Promise<string> {
  return readAnswer(
    api.POST('/manage/v1/sites/{site}/content/{content}/render', {
      params: { path: { site, content }, query: { marks: marks ? 'true' : 'false' } },
      body: { ...values, slug: values.slug || null },
      parseAs: 'text',
    }),
  );
}

/** The links to this content that are still valid. */
export function shareLinksQuery(site: string, content: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'share-links', content],
    queryFn: (): Promise<ShareLinkListBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content/{content}/share-links', { params: { path: { site, content } } }),
      ),
    select: ({ data }) => data,
  });
}

/** The response contains the link, which is shown only once. */
export function createShareLink(
  site: string,
  content: string,
  body: { readonly address: string; readonly hours: number },
): Promise<NewShareLinkBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/share-links', { params, body }));
}

export async function revokeShareLink(site: string, content: string, link: string): Promise<void> {
  const params = { path: { site, content, link } };
  await readAnswer(api.DELETE('/manage/v1/sites/{site}/content/{content}/share-links/{link}', { params }));
}
