// The draft that is open in the editor, shared by all tabs. Every tab changes the draft's values here, so its changes are kept, saved and
// compared like changes in the form.

import type { ManagedContentBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { runMutation } from '../api/query-client.ts';
import { typesQuery } from '../content/type-queries.ts';
import { useUser } from '../session/use-user.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { contentQuery, keepContent, publishContent } from './content-calls.ts';
import type { ShownDraft } from './draft/draft-state.ts';
import { type Draft, openDraft } from './draft/open-draft.ts';
import { findDraft } from './draft/open-drafts.ts';
import { fitToType } from './fields/field-values.ts';

export const DraftContext = createContext<Draft | undefined>(undefined);

export function useDraft(): Draft {
  const draft = use(DraftContext);
  if (draft === undefined) throw new Error('useDraft works only inside the editor');
  return draft;
}

/**
 * A part of the draft's state. The component is rendered again only when that part changes, not for each keystroke in another field.
 * @param pick must return the same object as long as the part has not changed
 */
export function useDraftState<Part>(pick: (state: ShownDraft) => Part): Part {
  const draft = useDraft();
  return useSyncExternalStore(draft.watch, () => pick(draft.read()));
}

/** Opens the draft of one content object. It stays open until the editor is closed and everything is saved. */
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
                // If the slug is null, the server derives a draft's slug from its name, but keeps the current slug of a live page.
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

/** Saves everything before an action that needs the saved text. Throws if something cannot be saved. */
export async function saveFirst(draft: Draft): Promise<void> {
  if (!(await draft.flush())) throw new Error(EDITOR_TEXTS.notSavedFirst);
}
