import type { UserBody } from '@galley/wire';
import { notFound } from '@tanstack/react-router';

/** For `beforeLoad` of what only owners may see; the service refuses the others anyway. */
export function requireOwner({ context: { user } }: { readonly context: { readonly user: UserBody } }): void {
  if (user.role !== 'owner') throw notFound();
}
