import type { UserBody } from '@galley/wire';
import { Badge, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { TimeOrNever, TimeText } from '../elements/time-text.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { useUser } from '../session/use-user.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { UserState } from './user-access.tsx';
import { usersQuery } from './user-queries.ts';

export function UsersPage() {
  const { data: users } = useSuspenseQuery(usersQuery);
  const navigate = useNavigate();
  const { id: ownId } = useUser();
  useShortcuts([{ keys: 'N', label: USER_TEXTS.toCreate, run: () => void navigate({ to: '/account/users/new' }) }]);
  return (
    <Page
      title={USER_TEXTS.listTitle}
      intro={USER_TEXTS.listText}
      actions={
        <LinkButton to="/account/users/new" leftSection={<IconPlus size={16} aria-hidden />}>
          {USER_TEXTS.newTitle}
        </LinkButton>
      }
    >
      <DataTable label={USER_TEXTS.listTitle} columns={listColumns(ownId)} rows={users} keyOf={({ id }) => id} />
    </Page>
  );
}

function listColumns(ownId: string): readonly Column<UserBody>[] {
  return [
    {
      header: USER_TEXTS.name,
      isName: true,
      cell: ({ id, name }) => (
        <Group gap="xs">
          <TextLink to="/account/users/$user" params={{ user: id }}>
            {name}
          </TextLink>
          {id === ownId && (
            <Badge variant="default" size="sm">
              {USER_TEXTS.you}
            </Badge>
          )}
        </Group>
      ),
    },
    { header: USER_TEXTS.email, cell: ({ email }) => email },
    { header: USER_TEXTS.role, cell: ({ role }) => SHELL_TEXTS.roles[role] },
    { header: USER_TEXTS.state, cell: (user) => <UserState user={user} /> },
    { header: USER_TEXTS.lastSignIn, cell: (user) => <TimeOrNever value={user.last_sign_in_at} /> },
    { header: USER_TEXTS.createdAt, cell: ({ created_at: at }) => <TimeText value={at} /> },
  ];
}
