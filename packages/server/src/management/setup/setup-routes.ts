// The first owner, created by whoever comes first.

import type { SetupBody } from '@galley/wire';
import { z } from 'zod';
import { setUp } from '../../authoring/people/set-up.ts';
import { ALWAYS, nameMember, orUnset, strictMembers } from '../../content/schema-members.ts';
import { hasUsers } from '../../storage/port.ts';
import { defineRoute, type Route } from '../route.ts';
import { renderStarted, sessionBody } from '../session/session-body.ts';
import { checkPassword, emailMember, passwordMember } from '../users/user-members.ts';

const setupBody: z.ZodType<SetupBody> = z.strictObject({ is_needed: z.boolean() }).meta({ id: 'Setup' });

export const SETUP_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/setup',
    who: 'anyone',
    tag: 'Set-up',
    summary: 'See whether the first owner is still to be created',
    status: 200,
    answer: setupBody,
    run: async ({ desk }) => ({ is_needed: !(await desk.storage.read(hasUsers())) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/setup',
    who: 'anyone',
    tag: 'Set-up',
    summary: 'Create the first owner and sign in',
    description: 'Works only as long as there is no user at all. The password has 12 to 200 characters.',
    body: strictMembers('a set-up', {
      email: emailMember,
      name: nameMember,
      password: passwordMember,
      account_name: orUnset(nameMember),
    }).superRefine(checkPassword, ALWAYS),
    status: 201,
    answer: sessionBody,
    refusals: [409, 422],
    run: async ({ desk, body, client, entrance, setHeader }) => {
      const { email, name, password, account_name: accountName } = body;
      const session = await setUp(desk, { email, name, password, accountName, visitor: client });
      return renderStarted(session, { client, entrance, setHeader });
    },
  }),
];
