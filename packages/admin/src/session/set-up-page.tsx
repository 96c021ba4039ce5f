// Creates the first owner. The token is in the fragment of the link that the service printed, and is removed from the URL
// immediately. Visitors without a token are told where to find the link, and can paste it.

import { Button, Code, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { Entrance } from './entrance.tsx';
import { enterSession } from './session-query.ts';
import classes from './set-up-page.module.css';

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
          description={SESSION_TEXTS.accountNameHelp}
          autoComplete="organization"
          {...textOf('account_name', SESSION_TEXTS.accountName)}
        />
        <TextInput autoComplete="name" {...textOf('name', SESSION_TEXTS.name)} />
        <TextInput type="email" autoComplete="username" {...textOf('email', SESSION_TEXTS.email)} />
        <PasswordInput
          description={SESSION_TEXTS.newPasswordHelp}
          autoComplete="new-password"
          {...textOf('password', SESSION_TEXTS.password)}
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
    // If the link is opened in the same tab, only the fragment changes.
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

/** Reads the set-up token from a link or a link's fragment, or accepts the token itself. */
function findSetUpToken(text: string): string | undefined {
  return /(?:^|[#&?]|token=)(gs_[\w-]+)$/.exec(text.trim())?.[1];
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.faults.some(({ path }) => path === 'token');
}

function explainThrottle(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 429) return error;
  return new ApiError(429, { message: SESSION_TEXTS.tooManyLinks });
}

interface SetUpLinkFormProps {
  /** Whether the service has rejected the previous token. */
  readonly isWrong: boolean;
  readonly onToken: (token: string) => void;
}

function SetUpLinkForm({ isWrong, onToken }: SetUpLinkFormProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | undefined>(isWrong ? SESSION_TEXTS.wrongLink : undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWrong) input.current?.focus();
  }, [isWrong]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const token = findSetUpToken(text);
    if (token === undefined) {
      setError(SESSION_TEXTS.noLink);
      input.current?.focus();
    } else {
      onToken(token);
    }
  };

  return (
    <Entrance title={SESSION_TEXTS.setUpTitle} text={SESSION_TEXTS.setUpLinkText}>
      <form className={classes.form} noValidate onSubmit={submit}>
        <TextInput
          ref={input}
          label={SESSION_TEXTS.setUpLink}
          placeholder={SESSION_TEXTS.setUpLinkExample}
          autoComplete="off"
          spellCheck={false}
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(undefined);
          }}
        />
        <Button type="submit" fullWidth>
          {SESSION_TEXTS.goOn}
        </Button>
      </form>
      <p className={classes.lost}>
        {SESSION_TEXTS.lostLink} <Code className={classes.command}>galley setup-link</Code> {SESSION_TEXTS.onServer}
      </p>
    </Entrance>
  );
}
