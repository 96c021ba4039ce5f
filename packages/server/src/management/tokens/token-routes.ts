// Tokens of the management API, for automation.

import type { NewManagementTokenBody } from '@galley/wire';
import { z } from 'zod';
import { createManagementToken, revokeManagementToken } from '../../authoring/people/management-tokens.ts';
import { nameMember, orNull, strictMembers, timeMember } from '../../content/schema-members.ts';
import { selectManagementTokens } from '../../storage/port.ts';
import { buildPage, pageParameters, pageSchema } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';
import { roleMember } from '../users/user-members.ts';
import { renderToken, TOKEN_SHAPE, tokenBody } from './token-body.ts';

const newTokenBody: z.ZodType<NewManagementTokenBody> = z
  .strictObject({ ...TOKEN_SHAPE, token: z.string() })
  .meta({ id: 'NewManagementToken' });

export const TOKEN_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/tokens',
    who: 'owner',
    tag: 'Tokens',
    summary: 'List the management tokens',
    description:
      'The oldest first, page by page, revoked and expired ones too. Of a token only the beginning is known. A token is ' +
      '`suspended`, and does not work, while the user who created it is suspended or does not have its role. `created_by` ' +
      'is null where nobody knows who created it.',
    query: strictMembers('a list of tokens', pageParameters),
    status: 200,
    answer: pageSchema(tokenBody, 'ManagementTokenPage'),
    refusals: [422],
    run: async ({ desk, actor, query: { limit, cursor } }) => {
      const rows = await desk.storage.read(selectManagementTokens(actor.accountNo, cursor?.key ?? '', limit + 1));
      const now = desk.now();
      return buildPage(
        rows,
        limit,
        (row) => renderToken(row, now),
        ({ id }) => ({ key: id, no: 0 }),
      );
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/tokens',
    repeatGets: 'refusal',
    who: 'owner',
    tag: 'Tokens',
    summary: 'Create a management token',
    description:
      'The token is in this answer and never again: only its hash is kept. ' +
      'A token creates no token that may do more than itself or that lives longer; what it creates counts as created by ' +
      'whoever created the token itself.',
    body: strictMembers('a token', { name: nameMember, role: roleMember, expires_at: orNull(timeMember) }),
    status: 201,
    answer: newTokenBody,
    refusals: [422],
    run: async ({ desk, actor, body: { name, role, expires_at: expiresAt } }) => {
      const { row, token } = await createManagementToken(desk, actor, { name, role, expiresAt });
      return { ...renderToken(row, desk.now()), token };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/tokens/{token}/revoke',
    who: 'owner',
    tag: 'Tokens',
    summary: 'Revoke a management token',
    description: 'It stops working at once, everywhere, and for good. Revoking it twice changes nothing.',
    status: 200,
    answer: tokenBody,
    refusals: [404],
    run: async ({ desk, actor, path: { token: id = '' } }) =>
      renderToken(await revokeManagementToken(desk, actor, id), desk.now()),
  }),
];
