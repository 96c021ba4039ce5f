import type { UserBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { dropKeptDrafts } from '../editor/draft/kept-drafts.ts';
import { DeleteCard } from '../elements/delete-card.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { leaveSession } from '../session/session-query.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { userQuery, usersQuery } from './user-queries.ts';

interface DeleteUserProps {
  readonly user: UserBody;
  readonly isSelf: boolean;
}

export function DeleteUser({ user, isSelf }: DeleteUserProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    const params = { path: { user: user.id }, query: { confirm: user.id } };
    await readAnswer(api.DELETE('/manage/v1/users/{user}', { params }));
    if (isSelf) {
      leaveSession(queryClient);
      dropKeptDrafts(window.localStorage, user.id);
      return navigate({ to: '/sign-in', ignoreBlocker: true });
    }
    await navigate({ to: '/account/users' });
    // Not before: the page that is left would ask for it once more.
    queryClient.removeQueries({ queryKey: userQuery(user.id).queryKey });
    await queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
    showToast({ text: USER_TEXTS.removed(user.name) });
  };
  return (
    <DeleteCard
      label={USER_TEXTS.remove}
      intro={USER_TEXTS.removeIntro}
      question={USER_TEXTS.removeTitle(user.name)}
      warning={isSelf ? USER_TEXTS.removeOwnText : USER_TEXTS.removeText}
      typed={user.email}
      onDelete={remove}
    />
  );
}
