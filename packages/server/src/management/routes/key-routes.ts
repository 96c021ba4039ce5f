// API keys for the delivery API. Changes take effect on the next request.

import type { ApiKeyBody, NewApiKeyBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { type ApiKeyRights, createApiKey, findKey, revokeApiKey, updateApiKey } from '../../authoring/api-keys.ts';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Desk } from '../../authoring/desk.ts';
import { MOST_REQUESTS_A_MINUTE } from '../../content/api-token.ts';
import type { Fault } from '../../content/fault.ts';
import { idMember, nameMember, strictMembers, switchMember, timeMember } from '../../content/schema-members.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { FIRST_KEY, type KeyRecord, selectKeys } from '../../storage/keys/api-keys.ts';
import { buildPage, pageParameters, pageSchema } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

const MOST_SITES = 1000;
const RATE_RULE = `must be a whole number from 0 to ${MOST_REQUESTS_A_MINUTE}`;

const keyShape = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The start of the token, so that people can recognise it.'),
  sites: z.array(z.string()).describe('The sites that the key can read; empty if it can read all sites.'),
  all_sites: z.boolean().describe('Whether the key can read every site in the account, including future ones.'),
  preview: z.boolean().describe('Whether the key can read unpublished content.'),
  expires_at: z.string().nullable(),
  rate_limit: z.int().nullable().describe('Requests per minute; 0 for no limit, null for the server’s default.'),
  last_used_at: z.string().nullable().describe('Accurate to about half a minute.'),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
};

const keyBody: z.ZodType<ApiKeyBody> = z.strictObject(keyShape).meta({ id: 'ApiKey' });

const newKeyAnswer: z.ZodType<NewApiKeyBody> = z
  .strictObject({ ...keyShape, token: z.string() })
  .meta({ id: 'NewApiKey' });

function renderKey(key: KeyRecord): ApiKeyBody {
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

const newKeyBody = strictMembers('an API key', { name: nameMember, ...changeable });
const keyChangeBody = strictMembers('an API key change', { name: nameMember.optional(), ...changeable });

/** The default rights of a new key: as few as possible. */
const NO_RIGHTS = { siteIds: [], mayPreview: false, expiresAt: null, rateLimit: null } as const;

function buildNewRights(body: z.output<typeof newKeyBody>, now: number): ApiKeyRights {
  return mergeRights({ name: body.name, ...NO_RIGHTS }, body, now);
}

/** Omitted properties stay as they are. */
function mergeRights(known: ApiKeyRights, body: z.output<typeof keyChangeBody>, now: number): ApiKeyRights {
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
    faults.push({ path: 'sites', message: 'must be left out if all_sites is true' });
  }
  if (siteIds?.length === 0) {
    faults.push({ path: 'sites', message: 'must list at least one site, unless all_sites is true', code: 'required' });
  }
  if (typeof expires_at === 'number' && expires_at <= now) {
    const message = `must be in the future, got ${formatTimestamp(expires_at)}`;
    faults.push({ path: 'expires_at', message, code: 'in_past' });
  }
  return faults;
}

const tag = 'API keys';

async function readKey(desk: Desk, actor: Actor, keyId: string): Promise<ApiKeyBody> {
  return renderKey(await desk.storage.read(findKey(actor, keyId)));
}

/** Using a key does not change its ETag. */
function readKeyState({ last_used_at: _, ...key }: ApiKeyBody): object {
  return key;
}

export const KEY_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/keys',
    who: 'owner',
    tag,
    summary: 'List the API keys, oldest first',
    description: 'Revoked and expired keys stay in the list. Only the start of each token is shown.',
    query: strictMembers('the query', pageParameters),
    status: 200,
    answer: pageSchema(keyBody, 'ApiKeyPage'),
    refusals: [422],
    run: async ({ desk, actor, query: { limit, cursor } }) => {
      const after = cursor === undefined ? FIRST_KEY : { createdAt: cursor.no, id: cursor.key };
      const rows = await desk.storage.read(selectKeys(actor.accountNo, after, limit + 1));
      return buildPage(rows, limit, renderKey, ({ id, createdAt }) => ({ key: id, no: createdAt }));
    },
  }),
  defineRoute({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/keys',
    repeatGets: 'refusal',
    who: 'owner',
    tag,
    summary: 'Create an API key',
    description: 'The response contains the token, which is never shown again: only its hash is stored.',
    body: newKeyBody,
    status: 201,
    answer: newKeyAnswer,
    state: ({ token: _, ...key }) => readKeyState(key),
    refusals: [422],
    run: async ({ desk, actor, body }) => {
      const { id, token } = await createApiKey(desk, actor, buildNewRights(body, desk.now()));
      return { ...(await readKey(desk, actor, id)), token };
    },
  }),
  defineRoute({
    operationId: 'getApiKey',
    method: 'GET',
    path: '/keys/{key}',
    who: 'owner',
    tag,
    summary: 'Read an API key',
    status: 200,
    answer: keyBody,
    state: readKeyState,
    refusals: [404],
    run: ({ desk, actor, path }) => readKey(desk, actor, path.key ?? ''),
  }),
  defineRoute({
    operationId: 'updateApiKey',
    method: 'PATCH',
    path: '/keys/{key}',
    who: 'owner',
    tag,
    summary: 'Change an API key',
    description:
      'Omitted properties stay as they are. `sites` replaces the list and turns off `all_sites`; `all_sites: true` empties the list. A revoked key cannot be changed.',
    body: keyChangeBody,
    status: 200,
    answer: keyBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      const keyId = path.key ?? '';
      await updateApiKey(desk, actor, keyId, (key) => mergeRights(key, body, desk.now()));
      return readKey(desk, actor, keyId);
    },
  }),
  defineRoute({
    operationId: 'revokeApiKey',
    method: 'POST',
    path: '/keys/{key}/revoke',
    who: 'owner',
    tag,
    summary: 'Revoke an API key',
    description:
      'All later requests that use the key are rejected. This cannot be undone. Revoking a key again changes nothing.',
    status: 200,
    answer: keyBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      await revokeApiKey(desk, actor, path.key ?? '');
      return readKey(desk, actor, path.key ?? '');
    },
  }),
];
