import type { RoleName, UserBody } from '@galley/wire';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { api, readAnswer } from '../api/api.ts';
import { LinkButton } from '../elements/link-button.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { PasswordField } from './password-field.tsx';
import { RoleChoice } from './role-choice.tsx';

interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly password: string;
}

interface NewUserFormProps {
  readonly onCreated: (user: UserBody, password: string) => Promise<void>;
}

export function NewUserForm({ onCreated }: NewUserFormProps) {
  const initial: NewUser = { name: '', email: '', role: 'editor', password: '' };
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial,
    submit: (body) => readAnswer(api.POST('/manage/v1/users', { body })),
    onDone: (user: UserBody, { password }) => onCreated(user, password),
  });
  return (
    <form {...form} autoComplete="off">
      <Stack gap="md">
        <FormMessage message={message} />
        <TextInput
          label={USER_TEXTS.name}
          autoFocus
          value={values.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={errorOf('name')}
        />
        <TextInput
          label={USER_TEXTS.email}
          type="email"
          value={values.email}
          onChange={(event) => set('email', event.currentTarget.value)}
          error={errorOf('email')}
        />
        <RoleChoice value={values.role} onChange={(role) => set('role', role)} error={errorOf('role')} />
        <PasswordField
          label={USER_TEXTS.password}
          value={values.password}
          onChange={(password) => set('password', password)}
          error={errorOf('password')}
        />
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {USER_TEXTS.create}
          </Button>
          <LinkButton to="/account/users" variant="default">
            {SHELL_TEXTS.cancel}
          </LinkButton>
        </Group>
      </Stack>
    </form>
  );
}
