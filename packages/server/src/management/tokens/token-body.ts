import type { ManagementTokenBody } from '@galley/wire';
import { z } from 'zod';
import { ROLES } from '../../content/role.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import type { ManagementTokenRow } from '../../storage/port.ts';

export const TOKEN_SHAPE = {
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  prefix: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
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
    state: findState(row, now),
    created_at: formatTimestamp(row.created_at),
    expires_at: formatOptionalTimestamp(row.expires_at),
    revoked_at: formatOptionalTimestamp(row.revoked_at),
    last_used_at: formatOptionalTimestamp(row.last_used_at),
  };
}

function findState({ revoked_at, expires_at }: ManagementTokenRow, now: number): ManagementTokenBody['state'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}
