import type { UserBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { type Credentials, Handover } from './handover.tsx';
import { keepUser } from './keep-user.ts';
import { NewUserForm } from './new-user-form.tsx';

/** The password is known to this component alone, until it is left. */
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
