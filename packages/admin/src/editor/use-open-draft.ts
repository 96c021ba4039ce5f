import type { ManagedContentBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { runMutation } from '../api/query-client.ts';
import { typesQuery } from '../content/type-queries.ts';
import { useUser } from '../session/use-user.ts';
import { contentQuery } from './content-queries.ts';
import { fitToType } from './draft/fit-to-type.ts';
import { type Draft, openDraft } from './draft/open-draft.ts';
import { findDraft } from './draft/open-drafts.ts';
import { keepContent } from './keep-content.ts';
import { publishContent } from './lifecycle-calls.ts';

/** The draft of one content object, open as long as the editor is, and until everything is saved. */
export function useOpenDraft(site: string, content: ManagedContentBody): Draft {
  const queryClient = useQueryClient();
  const user = useUser();
  const { id } = content;
  const [draft] = useState(() =>
    findDraft({ user: user.id, site, content: id }, ({ keeper, kept }, onClosed) =>
      openDraft({
        content,
        keeper,
        kept,
        save: (version, values) =>
          runMutation(queryClient, () =>
            readAnswer(
              api.PUT('/manage/v1/sites/{site}/content/{content}', {
                params: { path: { site, content: id } },
                // The server makes the slug of a draft from its name, and leaves the slug of a live page as it is.
                body: { version, ...values, slug: values.slug || null },
              }),
            ),
          ),
        publish: (version) => publishContent(site, id, version),
        read: () => queryClient.fetchQuery({ ...contentQuery(site, id), staleTime: 0 }),
        readFit: async () => {
          const { data: types } = await queryClient.fetchQuery({ ...typesQuery(site), staleTime: 0 });
          const type = types.find(({ handle }) => handle === content.content_type);
          return (values) =>
            type === undefined ? values : { ...values, fields: fitToType(values.fields, type, types) };
        },
        onSaved: (saved) => void keepContent(queryClient, site, saved),
        onClosed,
      }),
    ),
  );
  useEffect(() => draft.start(), [draft]);
  useEffect(() => draft.adopt(content), [draft, content]);
  return draft;
}
