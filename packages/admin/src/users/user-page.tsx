import { Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { useUser } from '../session/use-user.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { DeleteUser } from './delete-user.tsx';
import { Handover } from './handover.tsx';
import { ResetPassword } from './reset-password.tsx';
import { UserAccess } from './user-access.tsx';
import { UserProfile } from './user-profile.tsx';
import { userQuery } from './user-queries.ts';
import { UserState } from './user-state.tsx';

const route = getRouteApi('/signed-in/account/users/$user');

/** A password that was set is known to this component alone, until it is left. */
export function UserPage() {
  const { user: id } = route.useParams();
  const { data: user } = useSuspenseQuery(userQuery(id));
  const [password, setPassword] = useState<string>();
  const isSelf = useUser().id === user.id;
  if (password !== undefined) {
    return (
      <Page title={USER_TEXTS.resetDoneTitle} intro={user.name} isNarrow>
        <Handover email={user.email} password={password} />
      </Page>
    );
  }
  return (
    <Page
      title={user.name}
      intro={user.email}
      actions={
        <Group gap="sm">
          <UserState user={user} />
          <CopyableId id={user.id} what={USER_TEXTS.id} />
        </Group>
      }
      isNarrow
    >
      <Card title={USER_TEXTS.profile}>
        <UserProfile key={user.id} user={user} isSelf={isSelf} />
      </Card>
      {isSelf ? (
        <Card title={USER_TEXTS.resetTitle} intro={USER_TEXTS.ownPasswordIntro}>
          <div>
            <LinkButton to="/account/password" variant="default">
              {USER_TEXTS.changeOwn}
            </LinkButton>
          </div>
        </Card>
      ) : (
        <>
          <Card title={USER_TEXTS.resetTitle} intro={USER_TEXTS.resetIntro}>
            <ResetPassword key={user.id} user={user} onDone={setPassword} />
          </Card>
          <UserAccess user={user} />
        </>
      )}
      <DeleteUser user={user} isSelf={isSelf} />
      <div>
        <LinkButton to="/account/audit" search={{ actor: user.id }} variant="subtle">
          {USER_TEXTS.doings}
        </LinkButton>
      </div>
    </Page>
  );
}
