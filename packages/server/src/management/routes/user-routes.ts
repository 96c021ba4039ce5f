// An account's users. Only owners can manage them.

import type { UserBody } from '@galley/wire';
import { z } from 'zod';
import { findPasswordFaults } from '../../authoring/people/passwords.ts';
import { createUser, deleteUser, findUser, updateUser } from '../../authoring/people/users.ts';
import { ROLES } from '../../content/role.ts';
import {
  ALWAYS,
  addFoundFaults,
  nameMember,
  oneOfMember,
  orUnset,
  strictMembers,
  switchMember,
  textMember,
} from '../../content/schema-members.ts';
import { buildEmailKey, EMAIL_RULE, isEmail } from '../../content/text-rules.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { selectUsers, type UserRow } from '../../storage/accounts/accounts.ts';
import { buildPage, confirmation, inQuery, pageParameters, pageSchema } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

export const emailMember = textMember(EMAIL_RULE, isEmail, 'email_invalid');

export const roleMember = oneOfMember(ROLES);

/** Accepts any text: a schema fault would quote the given value, and passwords must not be shown. */
export const passwordMember = z.string({ error: 'must be text' });

/** This check runs even if other properties are invalid. */
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
    is_suspended: z.boolean().describe('A suspended user cannot sign in.'),
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

export const USER_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listUsers',
    method: 'GET',
    path: '/users',
    who: 'owner',
    tag: 'Users',
    summary: 'List the users',
    description: 'The list is paginated and sorted by email.',
    query: strictMembers('the query', pageParameters),
    status: 200,
    answer: pageSchema(userBody, 'UserPage'),
    refusals: [422],
    run: async ({ desk, actor, query: { limit, cursor } }) => {
      const rows = await desk.storage.read(selectUsers(actor.accountNo, cursor?.key ?? '', limit + 1));
      return buildPage(rows, limit, renderUser, ({ email, no }) => ({ key: buildEmailKey(email), no }));
    },
  }),
  defineRoute({
    operationId: 'createUser',
    method: 'POST',
    path: '/users',
    who: 'owner',
    tag: 'Users',
    summary: 'Create a user',
    description: 'The password must be 12 to 200 characters long. Emails are unique across the whole installation.',
    body: strictMembers('a user', {
      email: emailMember,
      name: nameMember,
      role: roleMember,
      password: passwordMember,
    }).superRefine(checkPassword, ALWAYS),
    status: 201,
    answer: userBody,
    refusals: [409, 422],
    run: ({ desk, actor, body }) => createUser(desk, actor, body),
    render: renderUser,
  }),
  defineRoute({
    operationId: 'getUser',
    method: 'GET',
    path: '/users/{user}',
    who: 'owner',
    tag: 'Users',
    summary: 'Read a user',
    status: 200,
    answer: userBody,
    // Signing in does not change the state, but a new password does. Only the hash shows that the password is new.
    state: ({ last_sign_in_at: _, ...user }) => user,
    refusals: [404],
    run: ({ desk, actor, path: { user: id = '' } }) => desk.storage.read(findUser(actor, id)),
    render: renderUser,
  }),
  defineRoute({
    operationId: 'updateUser',
    method: 'PATCH',
    path: '/users/{user}',
    who: 'owner',
    tag: 'Users',
    summary: 'Change a user',
    description:
      'Omitted properties stay as they are. Suspending a user or setting a new password ends all of their sessions. The ' +
      'management tokens that they created do not work while they are suspended, and their owner tokens do not work ' +
      'while they are an editor. An account must always have at least one active owner, and nobody can change their own role.',
    body: strictMembers('a user change', {
      name: orUnset(nameMember),
      role: orUnset(roleMember),
      is_suspended: orUnset(switchMember),
      password: orUnset(passwordMember),
    }),
    status: 200,
    answer: userBody,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path: { user: id = '' }, body }) => {
      const { name, role, is_suspended: isSuspended, password } = body;
      return updateUser(desk, actor, id, { name, role, isSuspended, password });
    },
    render: renderUser,
  }),
  defineRoute({
    operationId: 'deleteUser',
    method: 'DELETE',
    path: '/users/{user}',
    who: 'owner',
    tag: 'Users',
    summary: 'Delete a user for good',
    description:
      '`confirm` must be the id of the user. Their sessions and the management tokens that they created stop working ' +
      'immediately. Versions and audit entries are kept, with `Deleted user` in place of the name. Their network ' +
      'addresses are removed from the audit log. The last active owner of an account cannot be deleted.',
    query: confirmation,
    status: 204,
    answer: null,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path: { user: id = '' }, query }) => inQuery(deleteUser(desk, actor, id, query.confirm)),
  }),
];
