import type { ManagedContentBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { useUser } from '../session/use-user.ts';
import { contentQuery } from './content-queries.ts';
import type { DraftValues } from './draft/draft-values.ts';
import { createDraftKeeper } from './draft/kept-drafts.ts';
import { type Draft, openDraft } from './draft/open-draft.ts';
import { keepContent } from './keep-content.ts';

interface Save {
  readonly version: number;
  readonly values: DraftValues;
}

/** The draft of one content object, open as long as the editor is. */
export function useOpenDraft(site: string, content: ManagedContentBody): Draft {
  const queryClient = useQueryClient();
  const user = useUser();
  const { id } = content;
  const [draft] = useState(() =>
    openDraft({
      content,
      keeper: createDraftKeeper(window.localStorage, user.id, site, id),
      // As a mutation, so that the end of a session is noticed here as everywhere.
      save: (version, values) =>
        queryClient
          .getMutationCache()
          .build(queryClient, {
            mutationFn: (save: Save): Promise<ManagedContentBody> =>
              readAnswer(
                api.PUT('/manage/v1/sites/{site}/content/{content}', {
                  params: { path: { site, content: id } },
                  body: { version: save.version, ...save.values },
                }),
              ),
          })
          .execute({ version, values }),
      read: () => queryClient.fetchQuery({ ...contentQuery(site, id), staleTime: 0 }),
      onSaved: (saved) => void keepContent(queryClient, site, saved),
    }),
  );
  useEffect(() => draft.start(), [draft]);
  useEffect(() => draft.adopt(content), [draft, content]);
  return draft;
}
