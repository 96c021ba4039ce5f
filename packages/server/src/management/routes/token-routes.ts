// Management API tokens for automation.

import type { ManagementTokenBody, NewManagementTokenBody } from '@galley/wire';
import { z } from 'zod';
import { COMMAND_ACTOR } from '../../authoring/actor.ts';
import { createManagementToken, revokeManagementToken } from '../../authoring/people/management-tokens.ts';
import { ROLES } from '../../content/role.ts';
import { nameMember, orNull, strictMembers, timeMember } from '../../content/schema-members.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { DELETED_USER } from '../../storage/accounts/audit-entries.ts';
import {
  findTokenState,
  type ManagementTokenRow,
  selectManagementTokens,
} from '../../storage/accounts/management-tokens.ts';
import { buildPage, pageParameters, pageSchema } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';
import { roleMember } from './user-routes.ts';

const TOKEN_SHAPE = {
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  prefix: z.string().describe('The start of the token.'),
  state: z
    .enum(['active', 'suspended', 'expired', 'revoked'])
    .describe(
      'A token is suspended while the user who created it is suspended or does not have the token’s role. It works again once the user is reactivated or has the role again.',
    ),
  created_by: z
    .strictObject({
      kind: z.enum(['user', 'command']),
      id: z.string().nullable().describe('The id of the user.'),
      name: z.string(),
    })
    .nullable()
    .describe('The user, or the command line. Null if unknown, which happens only for tokens from older releases.'),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable().describe('Accurate to within a minute.'),
} as const;

export const tokenBody: z.ZodType<ManagementTokenBody> = z.strictObject(TOKEN_SHAPE).meta({ id: 'ManagementToken' });

export function renderToken(row: ManagementTokenRow, now: number): ManagementTokenBody {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    prefix: row.prefix,
    state: findTokenState(row, now),
    created_by: renderMaker(row),
    created_at: formatTimestamp(row.created_at),
    expires_at: formatOptionalTimestamp(row.expires_at),
    revoked_at: formatOptionalTimestamp(row.revoked_at),
    last_used_at: formatOptionalTimestamp(row.last_used_at),
  };
}

function renderMaker({ maker_kind, maker_id, maker_name }: ManagementTokenRow): ManagementTokenBody['created_by'] {
  if (maker_kind === null) return null;
  const name = maker_kind === 'command' ? COMMAND_ACTOR.name : (maker_name ?? DELETED_USER);
  return { kind: maker_kind, id: maker_id, name };
}

const newTokenBody: z.ZodType<NewManagementTokenBody> = z
  .strictObject({ ...TOKEN_SHAPE, token: z.string() })
  .meta({ id: 'NewManagementToken' });

export const TOKEN_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listTokens',
    method: 'GET',
    path: '/tokens',
    who: 'owner',
    tag: 'Tokens',
    summary: 'List the management tokens',
    description:
      'Oldest first, page by page, including revoked and expired ones. Only the start of each token is shown. A token ' +
      'is `suspended`, and does not work, while the user who created it is suspended or does not have its role. ' +
      '`created_by` is null if the creator is unknown.',
    query: strictMembers('the query', pageParameters),
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
    operationId: 'createToken',
    method: 'POST',
    path: '/tokens',
    repeatGets: 'refusal',
    who: 'owner',
    tag: 'Tokens',
    summary: 'Create a management token',
    description:
      'The response contains the token, which is never shown again: only its hash is stored. ' +
      'A token cannot create a token with more rights or a later expiry time than its own. The new token has the same creator.',
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
    operationId: 'revokeToken',
    method: 'POST',
    path: '/tokens/{token}/revoke',
    who: 'owner',
    tag: 'Tokens',
    summary: 'Revoke a management token',
    description: 'The token stops working immediately. Revoking it again changes nothing.',
    status: 200,
    answer: tokenBody,
    refusals: [404],
    run: async ({ desk, actor, path: { token: id = '' } }) =>
      renderToken(await revokeManagementToken(desk, actor, id), desk.now()),
  }),
];
