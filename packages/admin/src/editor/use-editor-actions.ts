// What the status bar and the shortcuts do. Whatever was written is saved first; what stands in the way is shown.

import type { ManagedContentBody } from '@galley/wire';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, isConflict } from '../api/api-error.ts';
import { describeError } from '../forms/describe-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { contentQuery } from './content-queries.ts';
import { doForNewest } from './do-for-newest.ts';
import type { Draft } from './draft/open-draft.ts';
import { keepContent } from './keep-content.ts';
import { deleteContent, duplicateContent, publishContent, restoreContent, restoreVersion } from './lifecycle-calls.ts';
import { saveFirst } from './save-first.ts';

/** Away from the status bar, which must stay within reach. */
const ABOVE = { position: 'top-right' } as const;

export function useEditorActions(site: string, id: string, draft: Draft) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showForm = (): Promise<void> => navigate({ to: '/sites/$site/content/$id', params: { site, id } });
  /** Leads to what keeps the text from being saved. */
  const showFaulty = async (): Promise<void> => {
    const { faults } = draft.read();
    const isSeo = faults.length > 0 && faults.every(({ path }) => path.startsWith('seo.'));
    if (isSeo) return navigate({ to: '/sites/$site/content/$id/seo', params: { site, id } });
    await showForm();
    draft.focusFirstFault();
  };

  const keep = async (content: ManagedContentBody): Promise<void> => {
    draft.adopt(content);
    await keepContent(queryClient, site, content);
  };

  const showError = async (error: Error): Promise<void> => {
    if (error instanceof ApiError && error.status === 422 && error.faults.length > 0) {
      await showForm();
      draft.showFaults(error.faults);
      return;
    }
    notifications.show({ ...ABOVE, color: 'red', message: describeError(error) });
    if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: contentQuery(site, id).queryKey });
  };

  const publish = useMutation({
    mutationFn: async () => {
      if (!(await draft.flush())) return undefined;
      return publishContent(site, id, draft.read().content.version);
    },
    onSuccess: async (content) => {
      if (content === undefined) return showFaulty();
      draft.adopt(content);
      draft.showStored();
      await keepContent(queryClient, site, content);
      notifications.show({ ...ABOVE, message: EDITOR_TEXTS.wasPublished(content.name) });
    },
    onError: showError,
  });

  /** Readers go on seeing what they see: the values come back and are published as they are. */
  const discard = async (): Promise<void> => {
    await draft.flush();
    const { content, status } = draft.read();
    if (status === 'offline' || status === 'failing') throw new Error(EDITOR_TEXTS.notSavedFirst);
    const { published_version: published } = content;
    if (published === null) return;
    const { left_out, version } = await doForNewest(queryClient, site, id, () =>
      restoreVersion(site, id, published, content.version),
    );
    try {
      if (left_out.length === 0) await publishContent(site, id, version);
    } finally {
      const restored = await queryClient.fetchQuery({ ...contentQuery(site, id), staleTime: 0 });
      draft.forget(restored);
      await keepContent(queryClient, site, restored);
    }
    if (left_out.length > 0) draft.tell({ kind: 'left_out', paths: left_out.map(({ path }) => path) });
  };

  const remove = async (): Promise<void> => {
    const { name } = draft.read().content;
    await deleteContent(site, id);
    await navigate({ to: '/sites/$site/content', params: { site } });
    // Not before: the page that is left would ask for it once more.
    queryClient.removeQueries({ queryKey: contentQuery(site, id).queryKey });
    await queryClient.invalidateQueries({ queryKey: ['sites', site] });
    notifications.show({ message: EDITOR_TEXTS.removed(name) });
  };

  const restore = useMutation({ mutationFn: () => restoreContent(site, id), onSuccess: keep, onError: showError });

  const duplicate = useMutation({
    mutationFn: async () => {
      await saveFirst(draft);
      return duplicateContent(site, id);
    },
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: ['sites', site, 'content'] });
      notifications.show({ ...ABOVE, message: EDITOR_TEXTS.wasDuplicated(name) });
    },
    onError: showError,
  });

  return {
    save: async (): Promise<void> => {
      if (!(await draft.flush())) await showFaulty();
    },
    publish: (): void => {
      if (!publish.isPending) publish.mutate();
    },
    isPublishing: publish.isPending,
    discard,
    remove,
    restore: (): void => restore.mutate(),
    duplicate: (): void => {
      if (duplicate.isPending) return;
      // Whoever has gone elsewhere meanwhile stays there.
      duplicate.mutate(undefined, {
        onSuccess: (copy) => navigate({ to: '/sites/$site/content/$id', params: { site, id: copy.id } }),
      });
    },
    keep,
  };
}
