import { Button, Code, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { Entrance } from './entrance.tsx';
import classes from './set-up-link-form.module.css';
import { findSetUpToken } from './set-up-token.ts';

interface SetUpLinkFormProps {
  /** Whether the service has refused the token that was used before. */
  readonly isWrong: boolean;
  readonly onToken: (token: string) => void;
}

/** For whoever comes without the set-up link: where it is, and a field for it. */
export function SetUpLinkForm({ isWrong, onToken }: SetUpLinkFormProps) {
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
