// What the status bar and the shortcuts do. Whatever was written is saved first; what stands in the way is shown.

import type { ManagedContentBody } from '@galley/wire';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, isConflict } from '../api/api-error.ts';
import { describeError } from '../forms/describe-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { contentQuery } from './content-queries.ts';
import type { Draft } from './draft/open-draft.ts';
import { keepContent } from './keep-content.ts';
import { publishContent, restoreContent, restoreVersion } from './lifecycle-calls.ts';

/** Away from the status bar, which must stay within reach. */
const ABOVE = { position: 'top-right' } as const;

export function useEditorActions(site: string, id: string, draft: Draft) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showForm = (): Promise<void> => navigate({ to: '/sites/$site/content/$id', params: { site, id } });

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
      if (content === undefined) return showForm();
      await keep(content);
      draft.forget();
      notifications.show({ ...ABOVE, message: EDITOR_TEXTS.wasPublished(content.name) });
    },
    onError: showError,
  });

  /** Readers go on seeing what they see: the values come back and are published as they are. */
  const discard = async (): Promise<void> => {
    const { content } = draft.read();
    if (content.published_version === null) return;
    draft.forget();
    const restored = await restoreVersion(site, id, content.published_version, content.version);
    if (restored.left_out.length === 0) await keep(await publishContent(site, id, restored.version));
    await queryClient.invalidateQueries({ queryKey: contentQuery(site, id).queryKey });
    draft.forget();
  };

  const restore = useMutation({ mutationFn: () => restoreContent(site, id), onSuccess: keep, onError: showError });

  return {
    save: async (): Promise<void> => {
      if (!(await draft.flush())) await showForm();
    },
    publish: (): void => {
      if (!publish.isPending) publish.mutate();
    },
    isPublishing: publish.isPending,
    discard,
    restore: (): void => restore.mutate(),
    keep,
  };
}
