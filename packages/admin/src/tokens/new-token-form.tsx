import type { NewManagementTokenBody, RoleName } from '@galley/wire';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { api, readAnswer } from '../api/api.ts';
import { LinkButton } from '../elements/link-button.tsx';
import { readTimeZone } from '../elements/time-text.tsx';
import { encodeMoment } from '../forms/encode-moment.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';
import { RoleChoice } from '../users/role-choice.tsx';

interface NewToken {
  readonly name: string;
  readonly role: RoleName;
  /** In local time, as the picker has it: `2030-01-31 12:00:00`. */
  readonly expires_at: string | null;
}

interface NewTokenFormProps {
  readonly onCreated: (token: NewManagementTokenBody) => Promise<void>;
}

export function NewTokenForm({ onCreated }: NewTokenFormProps) {
  const initial: NewToken = { name: '', role: 'editor', expires_at: null };
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial,
    submit: ({ name, role, expires_at: expires }) =>
      readAnswer(
        api.POST('/manage/v1/tokens', {
          body: { name, role, expires_at: expires === null ? null : encodeMoment(expires) },
        }),
      ),
    onDone: onCreated,
  });
  return (
    <form {...form}>
      <Stack gap="md">
        <FormMessage message={message} />
        <TextInput
          label={TOKEN_TEXTS.name}
          description={TOKEN_TEXTS.nameHelp}
          autoFocus
          value={values.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={errorOf('name')}
        />
        <RoleChoice value={values.role} onChange={(role) => set('role', role)} error={errorOf('role')} />
        <DateTimePicker
          label={TOKEN_TEXTS.expires}
          description={TOKEN_TEXTS.expiresHelp(readTimeZone())}
          clearable
          value={values.expires_at}
          onChange={(moment) => set('expires_at', moment)}
          error={errorOf('expires_at')}
        />
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {TOKEN_TEXTS.create}
          </Button>
          <LinkButton to="/account/tokens" variant="default">
            {SHELL_TEXTS.cancel}
          </LinkButton>
        </Group>
      </Stack>
    </form>
  );
}
