import type { ManagementTokenBody } from '@galley/wire';
import { z } from 'zod';
import { COMMAND_ACTOR } from '../../authoring/actor.ts';
import { ROLES } from '../../content/role.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { DELETED_USER, findTokenState, type ManagementTokenRow } from '../../storage/port.ts';

export const TOKEN_SHAPE = {
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  prefix: z.string(),
  state: z.enum(['active', 'suspended', 'expired', 'revoked']),
  created_by: z
    .strictObject({ kind: z.enum(['user', 'command']), id: z.string().nullable(), name: z.string() })
    .nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
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
