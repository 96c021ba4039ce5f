// Lets anyone who has the token from the set-up link create the first owner. Wrong tokens are throttled like wrong passwords.

import type { SetupBody } from '@galley/wire';
import { z } from 'zod';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import { setUp } from '../../authoring/people/set-up.ts';
import { ALWAYS, nameMember, orUnset, strictMembers } from '../../content/schema-members.ts';
import { hasUsers } from '../../storage/accounts/accounts.ts';
import { defineRoute, type Route } from '../route.ts';
import { renderStarted, sessionBody } from './session-routes.ts';
import { checkPassword, emailMember, passwordMember } from './user-routes.ts';

const WRONG_TOKEN = 'is not the token from the set-up link';

const setupBody: z.ZodType<SetupBody> = z.strictObject({ is_needed: z.boolean() }).meta({ id: 'Setup' });

export const SETUP_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getSetup',
    method: 'GET',
    path: '/setup',
    who: 'anyone',
    tag: 'Set-up',
    summary: 'Check whether the first owner still has to be created',
    status: 200,
    answer: setupBody,
    run: async ({ desk }) => ({ is_needed: !(await desk.storage.read(hasUsers())) }),
  }),
  defineRoute({
    operationId: 'createFirstOwner',
    method: 'POST',
    path: '/setup',
    who: 'anyone',
    tag: 'Set-up',
    summary: 'Create the first owner and sign in',
    description:
      'Works only while there are no users. The service prints the token in a link when it starts, and so does ' +
      '`galley setup-link`. The password must be 12 to 200 characters long.',
    body: strictMembers('a set-up', {
      token: z.string({ error: 'must be the token from the set-up link' }),
      email: emailMember,
      name: nameMember,
      password: passwordMember,
      account_name: orUnset(nameMember),
    }).superRefine(checkPassword, ALWAYS),
    status: 201,
    answer: sessionBody,
    refusals: [409, 422, 429],
    run: async (call) => {
      const { desk, client, entrance, setHeader } = call;
      const { account_name: accountName, ...person } = call.body;
      const attempt = { email: person.email, address: client.address, knownBy: undefined, setHeader };
      const session = await entrance.throttle.try(attempt, () =>
        setUp(desk, { ...person, accountName, visitor: client }),
      );
      if (session === undefined) throw refuseFaults([{ path: 'token', message: WRONG_TOKEN }]);
      return renderStarted(session, call);
    },
  }),
];
