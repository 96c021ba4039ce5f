import '@mantine/dates/styles.css';
import type { NewManagementTokenBody, RoleName } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { Card, SecretCard } from '../elements/card.tsx';
import { CodeBlock } from '../elements/copyable.tsx';
import { CancelLink, LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { readTimeZone } from '../elements/time-text.tsx';
import { encodeMoment } from '../forms/encode-moment.ts';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { RoleChoice } from '../forms/role-choice.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';
import { tokensQuery } from './token-queries.ts';

/** The token exists only in this component's state, and only while it is shown. */
export function NewTokenPage() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewManagementTokenBody>();
  if (created !== undefined) {
    return (
      <Page title={TOKEN_TEXTS.createdTitle} intro={created.name} isNarrow>
        <CreatedToken token={created.token} />
      </Page>
    );
  }
  return (
    <Page title={TOKEN_TEXTS.newTitle} isNarrow>
      <Card>
        <NewTokenForm
          onCreated={async (token) => {
            setCreated(token);
            await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
          }}
        />
      </Card>
    </Page>
  );
}

interface NewToken {
  readonly name: string;
  readonly role: RoleName;
  /** In local time, in the date picker's format: `2030-01-31 12:00:00`. */
  readonly expires_at: string | null;
}

interface NewTokenFormProps {
  readonly onCreated: (token: NewManagementTokenBody) => Promise<void>;
}

function NewTokenForm({ onCreated }: NewTokenFormProps) {
  const initial: NewToken = { name: '', role: 'editor', expires_at: null };
  const form = useApiForm({
    initial,
    submit: ({ name, role, expires_at: expires }) =>
      readAnswer(
        api.POST('/manage/v1/tokens', {
          body: { name, role, expires_at: expires === null ? null : encodeMoment(expires) },
        }),
      ),
    onDone: onCreated,
  });
  const { values, set, textOf, errorOf } = form;
  return (
    <FormFrame form={form}>
      <TextInput description={TOKEN_TEXTS.nameHelp} autoFocus {...textOf('name', TOKEN_TEXTS.name)} />
      <RoleChoice
        value={values.role}
        onChange={(role) => set('role', role)}
        error={errorOf('role', TOKEN_TEXTS.role)}
      />
      <DateTimePicker
        label={TOKEN_TEXTS.expires}
        description={TOKEN_TEXTS.expiresHelp(readTimeZone())}
        clearable
        value={values.expires_at}
        onChange={(moment) => set('expires_at', moment)}
        error={errorOf('expires_at', TOKEN_TEXTS.expires)}
      />
      <FormButtons form={form} label={TOKEN_TEXTS.create}>
        <CancelLink to="/account/tokens" />
      </FormButtons>
    </FormFrame>
  );
}

/** Shows the new token once, with a command that uses it. */
function CreatedToken({ token }: { readonly token: string }) {
  const command = `curl '${window.location.origin}/manage/v1/sites' \\\n  -H 'Authorization: Bearer ${token}'`;
  return (
    <SecretCard warning={TOKEN_TEXTS.tokenOnce} done={<LinkButton to="/account/tokens">{TOKEN_TEXTS.done}</LinkButton>}>
      <CodeBlock label={TOKEN_TEXTS.token} what={TOKEN_TEXTS.token} code={token} />
      <CodeBlock label={TOKEN_TEXTS.tryIt} what={TOKEN_TEXTS.command} code={command} />
    </SecretCard>
  );
}
