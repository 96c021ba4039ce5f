import type { ApiKeyBody, NewApiKeyBody } from '@galley/wire';
import { z } from 'zod';
import type { ApiKeyRights } from '../../authoring/api-keys.ts';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Fault } from '../../content/fault.ts';
import { MOST_REQUESTS_A_MINUTE } from '../../content/key-limit.ts';
import { idMember, nameMember, strictMembers, switchMember, timeMember } from '../../content/schema-members.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import type { KeyRecord } from '../../storage/port.ts';

const MOST_SITES = 1000;
const RATE_RULE = `must be a whole number from 0 to ${MOST_REQUESTS_A_MINUTE}`;

const keyShape = {
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  sites: z.array(z.string()),
  all_sites: z.boolean(),
  preview: z.boolean(),
  expires_at: z.string().nullable(),
  rate_limit: z.int().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
};

export const keyBody: z.ZodType<ApiKeyBody> = z.strictObject(keyShape).meta({ id: 'ApiKey' });

export const newKeyAnswer: z.ZodType<NewApiKeyBody> = z
  .strictObject({ ...keyShape, token: z.string() })
  .meta({ id: 'NewApiKey' });

export function renderKey(key: KeyRecord): ApiKeyBody {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    sites: key.siteIds ?? [],
    all_sites: key.siteIds === null,
    preview: key.mayPreview,
    expires_at: formatOptionalTimestamp(key.expiresAt),
    rate_limit: key.rateLimit,
    last_used_at: formatOptionalTimestamp(key.lastUsedAt),
    created_at: formatTimestamp(key.createdAt),
    revoked_at: formatOptionalTimestamp(key.revokedAt),
  };
}

const changeable = {
  sites: z
    .array(idMember, { error: 'must be an array of site ids' })
    .max(MOST_SITES, { error: `must name at most ${MOST_SITES} sites` })
    .optional(),
  all_sites: switchMember.optional(),
  preview: switchMember.optional(),
  expires_at: timeMember.nullable().optional(),
  rate_limit: z
    .int({ error: RATE_RULE })
    .min(0, { error: RATE_RULE })
    .max(MOST_REQUESTS_A_MINUTE, { error: RATE_RULE })
    .nullable()
    .optional(),
};

export const newKeyBody = strictMembers('an API key', { name: nameMember, ...changeable });
export const keyChangeBody = strictMembers('a change of an API key', { name: nameMember.optional(), ...changeable });

/** The rights of a key that has none yet: those that are not given are the least. */
const NO_RIGHTS = { siteIds: [], mayPreview: false, expiresAt: null, rateLimit: null } as const;

export function buildNewRights(body: z.output<typeof newKeyBody>, now: number): ApiKeyRights {
  return mergeRights({ name: body.name, ...NO_RIGHTS }, body, now);
}

/** What is not given stays as it is. */
export function mergeRights(known: ApiKeyRights, body: z.output<typeof keyChangeBody>, now: number): ApiKeyRights {
  const rights = {
    name: body.name ?? known.name,
    siteIds: mergeSites(known.siteIds, body),
    mayPreview: body.preview ?? known.mayPreview,
    expiresAt: body.expires_at === undefined ? known.expiresAt : body.expires_at,
    rateLimit: body.rate_limit === undefined ? known.rateLimit : body.rate_limit,
  };
  const faults = findFaults(rights, body, now);
  if (faults.length > 0) throw refuseFaults(faults);
  return rights;
}

function mergeSites(
  known: ApiKeyRights['siteIds'],
  { sites, all_sites }: z.output<typeof keyChangeBody>,
): ApiKeyRights['siteIds'] {
  if (all_sites === true) return null;
  if (sites !== undefined) return [...new Set(sites)];
  return all_sites === false ? (known ?? []) : known;
}

function findFaults(
  { siteIds }: ApiKeyRights,
  { sites = [], all_sites, expires_at }: z.output<typeof keyChangeBody>,
  now: number,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (all_sites === true && sites.length > 0) {
    faults.push({ path: 'sites', message: 'must be left out where all_sites is true' });
  }
  if (siteIds?.length === 0) {
    faults.push({ path: 'sites', message: 'must name at least one site, unless all_sites is true' });
  }
  if (typeof expires_at === 'number' && expires_at <= now) {
    faults.push({ path: 'expires_at', message: `must lie in the future, got ${formatTimestamp(expires_at)}` });
  }
  return faults;
}
