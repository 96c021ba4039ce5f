import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { Entrance } from './entrance.tsx';
import { enterSession } from './session-query.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { back, ended } = route.useSearch();
  const form = useApiForm({
    initial: { email: '', password: '' },
    isSignIn: true,
    submit: (body) => readAnswer(api.POST('/manage/v1/session', { body })).catch(explainThrottle),
    onDone: (session) => {
      enterSession(queryClient, session);
      return back === undefined
        ? router.navigate({ to: '/', replace: true })
        : router.navigate({ href: back, replace: true });
    },
  });
  const { textOf } = form;
  return (
    <Entrance title={SESSION_TEXTS.signInTitle} text={ended && SESSION_TEXTS.sessionEnded}>
      <FormFrame form={form}>
        <TextInput type="email" autoComplete="username" autoFocus {...textOf('email', SESSION_TEXTS.email)} />
        <PasswordInput autoComplete="current-password" {...textOf('password', SESSION_TEXTS.password)} />
        <Button type="submit" fullWidth loading={form.isPending}>
          {SESSION_TEXTS.signIn}
        </Button>
      </FormFrame>
    </Entrance>
  );
}

function explainThrottle(error: unknown): never {
  if (error instanceof ApiError && error.status === 429) {
    throw new ApiError(429, { message: SESSION_TEXTS.tooManyTries });
  }
  throw error;
}
