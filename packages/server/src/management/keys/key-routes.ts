// API keys of the delivery API. A change holds from the very next request on.

import type { ApiKeyBody } from '@galley/wire';
import type { Actor } from '../../authoring/actor.ts';
import { createApiKey, findKey, revokeApiKey, updateApiKey } from '../../authoring/api-keys.ts';
import type { Desk } from '../../authoring/desk.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { FIRST_KEY, selectKeys } from '../../storage/port.ts';
import { buildPage, pageParameters, pageSchema } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';
import {
  buildNewRights,
  keyBody,
  keyChangeBody,
  mergeRights,
  newKeyAnswer,
  newKeyBody,
  renderKey,
} from './key-bodies.ts';

const tag = 'API keys';

async function readKey(desk: Desk, actor: Actor, keyId: string): Promise<ApiKeyBody> {
  return renderKey(await desk.storage.read(findKey(actor, keyId)));
}

/** Using a key is no change of it. */
function readKeyState({ last_used_at: _, ...key }: ApiKeyBody): object {
  return key;
}

export const KEY_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/keys',
    who: 'owner',
    tag,
    summary: 'List the API keys, the oldest first',
    description: 'Revoked and expired keys stay in the list. Of a token only the beginning is known.',
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
    method: 'POST',
    path: '/keys',
    repeatGets: 'refusal',
    who: 'owner',
    tag,
    summary: 'Create an API key',
    description: 'The answer holds the token, this once: only its hash is kept.',
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
    method: 'PATCH',
    path: '/keys/{key}',
    who: 'owner',
    tag,
    summary: 'Change an API key',
    description:
      'What is left out stays. `sites` replaces the list and takes `all_sites` away; `all_sites: true` replaces the list. A revoked key cannot be changed.',
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
    method: 'POST',
    path: '/keys/{key}/revoke',
    who: 'owner',
    tag,
    summary: 'Revoke an API key',
    description:
      'From then on every request with it is refused. This cannot be undone; doing it twice changes nothing.',
    status: 200,
    answer: keyBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      await revokeApiKey(desk, actor, path.key ?? '');
      return readKey(desk, actor, path.key ?? '');
    },
  }),
];
