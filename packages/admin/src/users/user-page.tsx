import type { UserBody } from '@galley/wire';
import { Group, TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { dropKeptDrafts } from '../editor/draft/kept-drafts.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/form-values.ts';
import { RoleChoice } from '../forms/role-choice.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { leaveSession, sessionQuery } from '../session/session-query.ts';
import { useUser } from '../session/use-user.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { countTokensOf, tokensQuery } from '../tokens/token-queries.ts';
import { Handover } from './password-field.tsx';
import { ResetPassword, UserAccess, UserState, useSecretAdvice } from './user-access.tsx';
import { keepUser, userQuery, usersQuery } from './user-queries.ts';

const route = getRouteApi('/signed-in/account/users/$user');

/** A newly set password exists only in this component's state, and only while it is shown. */
export function UserPage() {
  const { user: id } = route.useParams();
  const { data: user } = useSuspenseQuery(userQuery(id));
  const [password, setPassword] = useState<string>();
  const isSelf = useUser().id === user.id;
  if (password !== undefined) {
    return (
      <Page title={USER_TEXTS.resetDoneTitle} intro={user.name} isNarrow>
        <Handover email={user.email} password={password} />
      </Page>
    );
  }
  return (
    <Page
      title={user.name}
      intro={user.email}
      actions={
        <Group gap="sm">
          <UserState user={user} />
          <CopyableId id={user.id} what={USER_TEXTS.id} />
        </Group>
      }
      isNarrow
    >
      <Card title={USER_TEXTS.profile}>
        <UserProfile key={user.id} user={user} isSelf={isSelf} />
      </Card>
      {isSelf ? (
        <Card title={USER_TEXTS.resetTitle} intro={USER_TEXTS.ownPasswordIntro}>
          <div>
            <LinkButton to="/account/password" variant="default">
              {USER_TEXTS.changeOwn}
            </LinkButton>
          </div>
        </Card>
      ) : (
        <>
          <Card title={USER_TEXTS.resetTitle} intro={USER_TEXTS.resetIntro}>
            <ResetPassword key={user.id} user={user} onDone={setPassword} />
          </Card>
          <UserAccess user={user} />
        </>
      )}
      <DeleteUser user={user} isSelf={isSelf} />
      <div>
        <LinkButton to="/account/audit" search={{ actor: user.id }} variant="subtle">
          {USER_TEXTS.doings}
        </LinkButton>
      </div>
    </Page>
  );
}

interface UserProfileProps {
  readonly user: UserBody;
  readonly isSelf: boolean;
}

function UserProfile({ user, isSelf }: UserProfileProps) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useApiForm({
    initial: { name: user.name, role: user.role },
    submit: (entered, initial) =>
      readAnswer(
        api.PATCH('/manage/v1/users/{user}', {
          params: { path: { user: user.id } },
          body: pickChanged(entered, initial),
        }),
      ),
    onDone: async (changed: UserBody) => {
      await keepUser(queryClient, changed);
      showToast({ text: SHELL_TEXTS.saved });
      if (!isSelf) return;
      // The sidebar shows who is signed in.
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await router.invalidate();
    },
  });
  const { values, set, textOf, errorOf } = form;
  const { data: tokens } = useSuspenseQuery(tokensQuery);
  const lost = user.role === 'owner' && values.role === 'editor' ? countTokensOf(tokens, user.id, 'owner') : 0;
  return (
    <FormFrame form={form}>
      <TextInput {...textOf('name', USER_TEXTS.name)} />
      <RoleChoice
        value={values.role}
        onChange={(role) => set('role', role)}
        error={errorOf('role', USER_TEXTS.role)}
        {...(isSelf ? { description: USER_TEXTS.ownRole, isDisabled: true } : {})}
        {...(lost > 0 ? { description: USER_TEXTS.demotedTokens(lost) } : {})}
      />
      <SaveButton form={form} />
    </FormFrame>
  );
}

interface DeleteUserProps {
  readonly user: UserBody;
  readonly isSelf: boolean;
}

function DeleteUser({ user, isSelf }: DeleteUserProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const secretAdvice = useSecretAdvice();
  const remove = async (): Promise<void> => {
    const params = { path: { user: user.id }, query: { confirm: user.id } };
    await readAnswer(api.DELETE('/manage/v1/users/{user}', { params }));
    if (isSelf) {
      leaveSession(queryClient);
      dropKeptDrafts(window.localStorage, user.id);
      return navigate({ to: '/sign-in', ignoreBlocker: true });
    }
    await navigate({ to: '/account/users' });
    // The query is removed only after the user has left this page, because the page would otherwise request the deleted
    // user again.
    queryClient.removeQueries({ queryKey: userQuery(user.id).queryKey });
    await queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
    showToast({ text: USER_TEXTS.removed(user.name) });
  };
  return (
    <DeleteCard
      label={USER_TEXTS.remove}
      intro={USER_TEXTS.removeIntro}
      question={USER_TEXTS.removeTitle(user.name)}
      warning={isSelf ? USER_TEXTS.removeOwnText : [USER_TEXTS.removeText, ...secretAdvice].join(' ')}
      typed={user.email}
      onDelete={remove}
    />
  );
}
