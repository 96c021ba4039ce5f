// The first owner. The token comes with the link that the service printed, in the fragment of the address, and is taken out of
// the address at once. Who comes without one is told where to find the link, and can paste it.

import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { Entrance } from './entrance.tsx';
import { enterSession } from './session-query.ts';
import { SetUpLinkForm } from './set-up-link-form.tsx';
import { findSetUpToken } from './set-up-token.ts';

export function SetUpPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { token, isWrong, use, refuse } = useSetUpToken();
  const form = useApiForm({
    initial: { account_name: '', name: '', email: '', password: '' },
    isSignIn: true,
    submit: ({ account_name, ...person }) =>
      readAnswer(
        api.POST('/manage/v1/setup', {
          body: { ...person, token: token ?? '', account_name: account_name === '' ? null : account_name },
        }),
      ).catch((error: unknown) => {
        if (isTokenRefused(error)) refuse();
        throw explainThrottle(error);
      }),
    onDone: (session) => {
      enterSession(queryClient, session);
      return navigate({ to: '/', replace: true });
    },
  });
  const { textOf } = form;
  if (token === undefined) return <SetUpLinkForm isWrong={isWrong} onToken={use} />;
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

function useSetUpToken() {
  const navigate = useNavigate();
  const fragment = useLocation({ select: ({ hash }) => hash });
  const [token, setToken] = useState(() => findSetUpToken(fragment));
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => {
    if (fragment === '') return;
    // A link that is opened in the same tab brings a fragment later.
    setToken((known) => findSetUpToken(fragment) ?? known);
    navigate({ to: '/set-up', replace: true });
  }, [fragment, navigate]);
  return {
    token,
    isWrong,
    use: (given: string) => {
      setIsWrong(false);
      setToken(given);
    },
    refuse: () => {
      setIsWrong(true);
      setToken(undefined);
    },
  };
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.faults.some(({ path }) => path === 'token');
}

function explainThrottle(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 429) return error;
  return new ApiError(429, { message: SESSION_TEXTS.tooManyLinks });
}
