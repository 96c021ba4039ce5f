import type { NewManagementTokenBody, RoleName } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { api, readAnswer } from '../api/api.ts';
import { CancelLink } from '../elements/link-button.tsx';
import { readTimeZone } from '../elements/time-text.tsx';
import { encodeMoment } from '../forms/encode-moment.ts';
import { FormButtons } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { RoleChoice } from '../forms/role-choice.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';

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
      <TextInput label={TOKEN_TEXTS.name} description={TOKEN_TEXTS.nameHelp} autoFocus {...textOf('name')} />
      <RoleChoice value={values.role} onChange={(role) => set('role', role)} error={errorOf('role')} />
      <DateTimePicker
        label={TOKEN_TEXTS.expires}
        description={TOKEN_TEXTS.expiresHelp(readTimeZone())}
        clearable
        value={values.expires_at}
        onChange={(moment) => set('expires_at', moment)}
        error={errorOf('expires_at')}
      />
      <FormButtons form={form} label={TOKEN_TEXTS.create}>
        <CancelLink to="/account/tokens" />
      </FormButtons>
    </FormFrame>
  );
}
