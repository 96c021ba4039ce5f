import type { UserBody } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { SaveButton } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/pick-changed.ts';
import { RoleChoice } from '../forms/role-choice.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { sessionQuery } from '../session/session-query.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { countTokensOf, tokensQuery } from '../tokens/token-queries.ts';
import { keepUser } from './keep-user.ts';

interface UserProfileProps {
  readonly user: UserBody;
  readonly isSelf: boolean;
}

export function UserProfile({ user, isSelf }: UserProfileProps) {
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
      // The frame shows who is signed in.
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await router.invalidate();
    },
  });
  const { values, set, textOf, errorOf } = form;
  const { data: tokens } = useSuspenseQuery(tokensQuery);
  const lost = user.role === 'owner' && values.role === 'editor' ? countTokensOf(tokens, user.id, 'owner') : 0;
  return (
    <FormFrame form={form}>
      <TextInput label={USER_TEXTS.name} {...textOf('name')} />
      <RoleChoice
        value={values.role}
        onChange={(role) => set('role', role)}
        error={errorOf('role')}
        {...(isSelf ? { description: USER_TEXTS.ownRole, isDisabled: true } : {})}
        {...(lost > 0 ? { description: USER_TEXTS.demotedTokens(lost) } : {})}
      />
      <SaveButton form={form} />
    </FormFrame>
  );
}
