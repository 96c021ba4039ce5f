// Signing out. What was written is saved first, while there is a session to save it in; what cannot be saved is asked about.
// Afterwards nothing of it is left in the browser, which others may use.

import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { isUnauthenticated } from '../api/api-error.ts';
import { dropKeptDrafts, hasKeptDrafts } from '../editor/draft/kept-drafts.ts';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { leaveSession } from './session-query.ts';
import { saveUnsavedWork } from './unsaved-work.ts';
import { useUser } from './use-user.ts';

export function useSignOut() {
  const user = useUser();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, { open: ask, close: stay }] = useDisclosure(false);

  const end = async (): Promise<void> => {
    await readAnswer(api.DELETE('/manage/v1/session'));
    leaveSession(queryClient);
    dropKeptDrafts(window.localStorage, user.id);
    await navigate({ to: '/sign-in', ignoreBlocker: true });
  };

  const work = useMutation({
    mutationFn: async () => {
      const isSaved = await saveUnsavedWork();
      if (isSaved && !hasKeptDrafts(window.localStorage, user.id)) await end();
      else ask();
    },
    onError: (error) => {
      if (!isUnauthenticated(error)) showToast({ isError: true, text: describeError(error) });
    },
  });

  return { signOut: (): void => work.mutate(), isAsking, signOutUnsaved: end, stay };
}
