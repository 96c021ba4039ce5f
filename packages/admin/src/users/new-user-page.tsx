import type { RoleName, UserBody } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CancelLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { RoleChoice } from '../forms/role-choice.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { type Credentials, Handover, PasswordField } from './password-field.tsx';
import { keepUser } from './user-queries.ts';

/** The password exists only in this component's state, and only while it is shown. */
export function NewUserPage() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<Credentials & Pick<UserBody, 'name'>>();
  if (created !== undefined) {
    return (
      <Page title={USER_TEXTS.createdTitle} intro={created.name} isNarrow>
        <Handover email={created.email} password={created.password} />
      </Page>
    );
  }
  return (
    <Page title={USER_TEXTS.newTitle} intro={USER_TEXTS.newText} isNarrow>
      <Card>
        <NewUserForm
          onCreated={async (user, password) => {
            setCreated({ name: user.name, email: user.email, password });
            await keepUser(queryClient, user);
          }}
        />
      </Card>
    </Page>
  );
}

interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly password: string;
}

interface NewUserFormProps {
  readonly onCreated: (user: UserBody, password: string) => Promise<void>;
}

function NewUserForm({ onCreated }: NewUserFormProps) {
  const initial: NewUser = { name: '', email: '', role: 'editor', password: '' };
  const form = useApiForm({
    initial,
    submit: (body) => readAnswer(api.POST('/manage/v1/users', { body })),
    onDone: (user: UserBody, { password }) => onCreated(user, password),
  });
  const { values, set, textOf, errorOf } = form;
  return (
    <FormFrame form={form} autoComplete="off">
      <TextInput autoFocus {...textOf('name', USER_TEXTS.name)} />
      <TextInput type="email" {...textOf('email', USER_TEXTS.email)} />
      <RoleChoice value={values.role} onChange={(role) => set('role', role)} error={errorOf('role', USER_TEXTS.role)} />
      <PasswordField
        label={USER_TEXTS.password}
        value={values.password}
        onChange={(password) => set('password', password)}
        error={errorOf('password', USER_TEXTS.password)}
      />
      <FormButtons form={form} label={USER_TEXTS.create}>
        <CancelLink to="/account/users" />
      </FormButtons>
    </FormFrame>
  );
}
