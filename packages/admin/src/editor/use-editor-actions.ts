// The actions for the status bar and the keyboard shortcuts. They save the text first, and show the reason if that fails.

import type { ManagedContentBody } from '@galley/wire';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, ConnectionError, isConflict } from '../api/api-error.ts';
import { readTakenUrl } from '../content/refusals.ts';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import {
  contentQuery,
  deleteContent,
  discardChanges,
  doForNewest,
  duplicateContent,
  keepContent,
  restoreContent,
} from './content-calls.ts';
import { showContest } from './contest-panel.tsx';
import type { Draft } from './draft/open-draft.ts';
import { saveFirst } from './use-draft.ts';

export function useEditorActions(site: string, id: string, draft: Draft) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showForm = (): Promise<void> => navigate({ to: '/sites/$site/content/$id', params: { site, id } });
  /** Shows why the text could not be saved. @param notDone a sentence that says which action was not carried out */
  const showUnsaved = async (notDone: string): Promise<void> => {
    const { faults, status } = draft.read();
    if (status === 'offline' || status === 'failing') {
      const text = status === 'offline' ? EDITOR_TEXTS.whileOffline : EDITOR_TEXTS.whileFailing;
      showToast({ isError: true, text: `${notDone} ${text}` });
      return;
    }
    if (status === 'contested') return showContest();
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
    const taken = readTakenUrl(error);
    if (error instanceof ApiError && error.faults.length > 0 && (error.status === 422 || taken !== undefined)) {
      await showForm();
      draft.showFaults(error.faults);
      if (taken !== undefined) draft.tell({ kind: 'url_taken', ...taken });
      return;
    }
    const text = error instanceof ConnectionError ? EDITOR_TEXTS.unreachable : describeError(error);
    showToast({ isError: true, text });
    if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: contentQuery(site, id).queryKey });
  };

  const publish = useMutation({
    mutationFn: () => draft.publish(),
    onSuccess: async (content) => {
      if (content === undefined) return showUnsaved(EDITOR_TEXTS.notPublished);
      await keepContent(queryClient, site, content);
      const { name, url } = content;
      showToast({
        text: EDITOR_TEXTS.wasPublished(name),
        ...(url === null ? {} : { action: { label: EDITOR_TEXTS.viewPage, href: url } }),
      });
    },
    onError: showError,
  });

  const discard = async (): Promise<void> => {
    await draft.flush();
    const { content, status } = draft.read();
    if (status === 'offline' || status === 'failing') throw new Error(EDITOR_TEXTS.notSavedFirst);
    const kept = await doForNewest(queryClient, site, id, () => discardChanges(site, id, content.version));
    draft.forget(kept);
    await keepContent(queryClient, site, kept);
    showToast({ text: EDITOR_TEXTS.wasDiscarded });
  };

  const remove = async (): Promise<void> => {
    const { name } = draft.read().content;
    await deleteContent(site, id);
    await navigate({ to: '/sites/$site/content', params: { site } });
    // The query is removed only after the user has left this page, because the page would otherwise request the deleted
    // content again.
    queryClient.removeQueries({ queryKey: contentQuery(site, id).queryKey });
    await queryClient.invalidateQueries({ queryKey: ['sites', site] });
    showToast({ text: EDITOR_TEXTS.removed(name) });
  };

  const restore = useMutation({ mutationFn: () => restoreContent(site, id), onSuccess: keep, onError: showError });

  const duplicate = useMutation({
    mutationFn: async () => {
      await saveFirst(draft);
      return duplicateContent(site, id);
    },
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: ['sites', site, 'content'] });
      showToast({ text: EDITOR_TEXTS.wasDuplicated(name) });
    },
    onError: showError,
  });

  return {
    save: async (): Promise<void> => {
      if (!(await draft.flush())) await showUnsaved(EDITOR_TEXTS.notSaved);
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
      // Opens the copy only if the editor is still on this page.
      duplicate.mutate(undefined, {
        onSuccess: (copy) => navigate({ to: '/sites/$site/content/$id', params: { site, id: copy.id } }),
      });
    },
    keep,
  };
}
