import type { UserBody } from '@galley/wire';
import { Badge } from '@mantine/core';
import { USER_TEXTS } from '../texts/user-texts.ts';

export function UserState({ user }: { readonly user: UserBody }) {
  return (
    <Badge variant="light" size="sm" color={user.is_suspended ? 'red' : 'pine'}>
      {user.is_suspended ? USER_TEXTS.states.suspended : USER_TEXTS.states.active}
    </Badge>
  );
}
