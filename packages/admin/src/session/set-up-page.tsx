import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { Entrance } from './entrance.tsx';
import { enterSession } from './session-query.ts';

export function SetUpPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    initial: { account_name: '', name: '', email: '', password: '' },
    isSignIn: true,
    submit: ({ account_name, ...person }) =>
      readAnswer(api.POST('/manage/v1/setup', { body: account_name === '' ? person : { ...person, account_name } })),
    onDone: (session) => {
      enterSession(queryClient, session);
      return navigate({ to: '/', replace: true });
    },
  });
  const { textOf } = form;
  return (
    <Entrance title={SESSION_TEXTS.setUpTitle} text={SESSION_TEXTS.setUpText}>
      <FormFrame form={form}>
        <TextInput
          label={SESSION_TEXTS.accountName}
          description={SESSION_TEXTS.accountNameHelp}
          autoComplete="organization"
          {...textOf('account_name')}
        />
        <TextInput label={SESSION_TEXTS.name} autoComplete="name" {...textOf('name')} />
        <TextInput label={SESSION_TEXTS.email} type="email" autoComplete="username" {...textOf('email')} />
        <PasswordInput
          label={SESSION_TEXTS.password}
          description={SESSION_TEXTS.newPasswordHelp}
          autoComplete="new-password"
          {...textOf('password')}
        />
        <Button type="submit" fullWidth loading={form.isPending}>
          {SESSION_TEXTS.setUp}
        </Button>
      </FormFrame>
    </Entrance>
  );
}
