// The account that all sites, users and keys belong to.

import type { AccountBody } from '@galley/wire';
import { z } from 'zod';
import { renameAccount } from '../../authoring/people/accounts.ts';
import { nameMember, strictMembers } from '../../content/schema-members.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { type AccountRow, selectAccount } from '../../storage/accounts/accounts.ts';
import { defineRoute, type Route } from '../route.ts';

const accountBody: z.ZodType<AccountBody> = z
  .strictObject({ id: z.string(), name: z.string(), created_at: z.string() })
  .meta({ id: 'Account' });

function renderAccount(account: AccountRow): AccountBody {
  return { id: account.id, name: account.name, created_at: formatTimestamp(account.created_at) };
}

export const ACCOUNT_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getAccount',
    method: 'GET',
    path: '/account',
    who: 'member',
    tag: 'Account',
    summary: 'Read the account',
    status: 200,
    answer: accountBody,
    state: (account) => account,
    run: async ({ desk, actor }) => {
      const account = await desk.storage.read(selectAccount(actor.accountNo));
      if (account === undefined) throw new Error('The actor has no account');
      return renderAccount(account);
    },
  }),
  defineRoute({
    operationId: 'updateAccount',
    method: 'PATCH',
    path: '/account',
    who: 'owner',
    tag: 'Account',
    summary: 'Rename the account',
    body: strictMembers('an account', { name: nameMember }),
    status: 200,
    answer: accountBody,
    refusals: [422],
    run: async ({ desk, actor, body }) => renderAccount(await renameAccount(desk, actor, body.name)),
  }),
];
