import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { Entrance } from './entrance.tsx';
import { enterSession } from './session-query.ts';

export function SetUpPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial: { account_name: '', name: '', email: '', password: '' },
    isSignIn: true,
    submit: ({ account_name, ...person }) =>
      readAnswer(api.POST('/manage/v1/setup', { body: account_name === '' ? person : { ...person, account_name } })),
    onDone: (session) => {
      enterSession(queryClient, session);
      return navigate({ to: '/', replace: true });
    },
  });
  return (
    <Entrance title={SESSION_TEXTS.setUpTitle} text={SESSION_TEXTS.setUpText}>
      <form {...form}>
        <Stack gap="md">
          <FormMessage message={message} />
          <TextInput
            label={SESSION_TEXTS.accountName}
            description={SESSION_TEXTS.accountNameHelp}
            autoComplete="organization"
            value={values.account_name}
            onChange={(event) => set('account_name', event.currentTarget.value)}
            error={errorOf('account_name')}
          />
          <TextInput
            label={SESSION_TEXTS.name}
            autoComplete="name"
            value={values.name}
            onChange={(event) => set('name', event.currentTarget.value)}
            error={errorOf('name')}
          />
          <TextInput
            label={SESSION_TEXTS.email}
            type="email"
            autoComplete="username"
            value={values.email}
            onChange={(event) => set('email', event.currentTarget.value)}
            error={errorOf('email')}
          />
          <PasswordInput
            label={SESSION_TEXTS.password}
            description={SESSION_TEXTS.newPasswordHelp}
            autoComplete="new-password"
            value={values.password}
            onChange={(event) => set('password', event.currentTarget.value)}
            error={errorOf('password')}
          />
          <Button type="submit" fullWidth loading={isPending}>
            {SESSION_TEXTS.setUp}
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
