// What is said about people in calls, and how they are shown.

import type { UserBody } from '@galley/wire';
import { z } from 'zod';
import { findPasswordFaults } from '../../authoring/people/passwords.ts';
import { EMAIL_RULE, isEmail } from '../../content/email.ts';
import { ROLES } from '../../content/role.ts';
import { addFoundFaults, oneOfMember, textMember } from '../../content/schema-members.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import type { UserRow } from '../../storage/port.ts';

export const emailMember = textMember(EMAIL_RULE, isEmail);

export const roleMember = oneOfMember(ROLES);

/** Any text: a fault of a schema shows what was given, and a password must not be shown. */
export const passwordMember = z.string({ error: 'must be text' });

/** To be run always: what is given besides the password may be wrong. */
export function checkPassword(
  { password, email, name }: { readonly password?: unknown; readonly email?: unknown; readonly name?: unknown },
  context: z.RefinementCtx,
): void {
  if (typeof password !== 'string') return;
  const owner = { email: typeof email === 'string' ? email : '', name: typeof name === 'string' ? name : '' };
  addFoundFaults(context, findPasswordFaults('password', password, owner));
}

export const userBody: z.ZodType<UserBody> = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    is_suspended: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    last_sign_in_at: z.string().nullable(),
  })
  .meta({ id: 'User' });

export function renderUser(user: UserRow): UserBody {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    is_suspended: user.suspended_at !== null,
    created_at: formatTimestamp(user.created_at),
    updated_at: formatTimestamp(user.updated_at),
    last_sign_in_at: formatOptionalTimestamp(user.last_sign_in_at),
  };
}
