// The signed-in user, for all pages that require sign-in.

import type { UserBody } from '@galley/wire';
import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/signed-in');

export function useUser(): UserBody {
  return route.useRouteContext({ select: ({ user }) => user });
}

export function useIsOwner(): boolean {
  return useUser().role === 'owner';
}
