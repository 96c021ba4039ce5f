// A service for the authorization tests: a site with one record of each kind in the main account, a second account, and callers of every
// kind. After a call that changes data, the database is restored from a copy.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createApiKey } from '../../src/authoring/api-keys.ts';
import { createShareLink } from '../../src/authoring/contents/share-links.ts';
import type { Desk } from '../../src/authoring/desk.ts';
import { hashPassword, SALT_BYTES } from '../../src/authoring/people/passwords.ts';
import { updatePreviewAddresses } from '../../src/authoring/sites/preview-settings.ts';
import { createWebhook, DEFAULT_SETTINGS, sendTestCall, updateWebhook } from '../../src/authoring/webhooks.ts';
import { importBundle } from '../../src/bundle/import-bundle.ts';
import { buildToken, hashToken, shortenToken, TOKEN_BYTES, type TokenKind } from '../../src/content/api-token.ts';
import { buildId } from '../../src/content/ids.ts';
import type { Role } from '../../src/content/role.ts';
import { createDrainState } from '../../src/http/drain.ts';
import { readSettings } from '../../src/settings.ts';
import { insertAccount, insertSession, insertUser, MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { insertManagementToken, revokeManagementToken } from '../../src/storage/accounts/management-tokens.ts';
import { createFolder } from '../../src/storage/sites/asset-folders.ts';
import { writeImagePreset } from '../../src/storage/sites/asset-settings.ts';
import { selectSite } from '../../src/storage/sites/select-catalog.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

export type Headers = Readonly<Record<string, string>>;

export const PASSWORD = 'correct horse battery staple';
const HOUR_MS = 3_600_000;

/** The credentials of each caller in the table, and credentials that are always rejected. */
export interface Callers {
  readonly anonymous: Headers;
  readonly editor: Headers;
  readonly owner: Headers;
  readonly stranger: Headers;
  readonly key: Headers;
  readonly token: Headers;
  readonly revokedToken: Headers;
  readonly expiredSession: Headers;
  readonly sessionWithoutCsrf: Headers;
}

export interface AuthorizationSite {
  readonly callers: Callers;
  /** An id from the main account for each path parameter. */
  readonly ids: Readonly<Record<string, string>>;
  readonly url: string;
  /** Undoes all changes to the database. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const RECORDS = [
  siteRecord(),
  { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada', email: null, profile_photo_url: null },
  {
    kind: 'asset',
    id: 'a_photo',
    site: 's_small',
    name: 'Photo',
    description: null,
    path: 'assets/a_photo/photo.jpg',
    url: 'https://small.example/photo.jpg',
    extension: 'jpg',
    size: 10,
    mime_type: 'image/jpeg',
    width: 8,
    height: 6,
  },
  { kind: 'asset', id: 'a_local', site: 's_small', name: 'Local', url: '/local.jpg' },
  typeRecord(),
  {
    kind: 'content_type',
    id: 't_unused',
    site: 's_small',
    handle: 'unused',
    name: 'Unused',
    object_type: 'entry',
    fields: [],
  },
  postRecord('c_published', { fields: { title: { text: 'Now' } }, draft: { fields: { title: { text: 'Soon' } } } }),
  postRecord('c_scheduled', { status: 'draft', publish_at: '2099-01-01T00:00:00+00:00' }),
  postRecord('c_archived', { status: 'archived' }),
];

export async function buildAuthorizationSite(): Promise<AuthorizationSite> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-rights-'));
  const template = join(folder, 'template.db');
  const bundle = join(folder, 'site.ndjson');
  await writeFile(bundle, toLines(RECORDS));
  const storage = await openSqlite(template, Date.now());
  await importBundle(storage, bundle, { now: Date.now(), newUuid: randomUUIDv7, onProgress: () => {} });
  const desk = { storage, now: Date.now, newUuid: randomUUIDv7, randomBytes };
  const key = await createApiKey(desk, COMMAND_ACTOR, {
    name: 'Everything',
    siteIds: null,
    mayPreview: true,
    expiresAt: null,
    rateLimit: null,
  });
  const webhook = await createEndedCall(desk);
  await updatePreviewAddresses(desk, COMMAND_ACTOR, 's_small', () => [
    { name: 'Website', address: 'https://small.example', pattern: null },
  ]);
  const place = { siteId: 's_small', contentId: 'c_published', addressId: undefined };
  const link = await createShareLink(desk, COMMAND_ACTOR, place, 1);
  const passwordHash = await hashPassword(PASSWORD, randomBytes(SALT_BYTES));
  const run = <Outcome>(procedure: Procedure<Outcome>): Promise<Outcome> =>
    storage.transaction((transaction) => transaction.run(procedure));

  async function addUser(name: string, role: Role, accountNo: number): Promise<number> {
    const email = `${name}@small.example`;
    return run(
      insertUser({ accountNo, id: `m_${name}`, email, emailKey: email, name, role, passwordHash, now: Date.now() }),
    );
  }

  async function addSession(userNo: number, expiresAt = Date.now() + HOUR_MS): Promise<Headers> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const csrfToken = randomBytes(TOKEN_BYTES).toString('base64url');
    const createdAt = Date.now() - HOUR_MS;
    const tokenHash = hashToken(token);
    await run(insertSession({ tokenHash, userNo, csrfToken, createdAt, expiresAt, address: null, agent: null }));
    return { cookie: `galley_session=${token}`, 'x-csrf-token': csrfToken };
  }

  async function addToken(id: string, isRevoked = false): Promise<Headers> {
    const token = newToken('management');
    const row = { id, name: id, role: 'owner', tokenHash: hashToken(token), prefix: shortenToken(token) } as const;
    const maker = { makerKind: 'command', makerId: null } as const;
    await run(
      insertManagementToken({ ...row, ...maker, accountNo: MAIN_ACCOUNT_NO, createdAt: Date.now(), expiresAt: null }),
    );
    if (isRevoked) await run(revokeManagementToken(id, Date.now()));
    return { authorization: `Bearer ${token}` };
  }

  const siteNo = (await run(selectSite('s_small')))?.no ?? 0;
  await run(createFolder(siteNo, 'kept'));
  await run(writeImagePreset(siteNo, { name: 'card', parameters: 'w=300' }));
  const other = await run(insertAccount(buildId('account', randomUUIDv7()), 'Another account', Date.now()));
  const owner = await addUser('owner', 'owner', MAIN_ACCOUNT_NO);
  await addUser('second', 'owner', MAIN_ACCOUNT_NO);
  const ownerSession = await addSession(owner);
  const { cookie = '' } = ownerSession;
  await addToken('n_spare');
  const callers: Callers = {
    anonymous: {},
    editor: await addSession(await addUser('editor', 'editor', MAIN_ACCOUNT_NO)),
    owner: ownerSession,
    stranger: await addSession(await addUser('stranger', 'owner', other)),
    key: { authorization: `Bearer ${key.token}` },
    token: await addToken('n_owner'),
    revokedToken: await addToken('n_revoked', true),
    expiredSession: await addSession(owner, Date.now() - 1),
    sessionWithoutCsrf: { cookie },
  };
  await storage.close();
  const path = join(folder, 'galley.db');
  await copyFile(template, path);
  const service = await openService(path);
  const original = new DatabaseSync(template);

  return {
    callers,
    url: service.url,
    ids: {
      site: 's_small',
      author: 'u_ada',
      asset: 'a_photo',
      type: 't_post',
      field: 'title',
      content: 'c_published',
      number: '1',
      from: '1',
      to: '2',
      language: 'fr',
      name: 'card',
      key: key.id,
      token: 'n_spare',
      user: 'm_second',
      webhook: webhook.webhookId,
      call: webhook.callId,
      link: link.id,
    },
    restore: async () => void (await backup(original, path)),
    async close() {
      original.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Creates a webhook and a call, which ends when the webhook is switched off. */
async function createEndedCall(desk: Desk): Promise<{ readonly webhookId: string; readonly callId: string }> {
  const settings = { ...DEFAULT_SETTINGS, name: 'Hook', url: 'https://small.example/hook' };
  const { id: webhookId } = await createWebhook(desk, COMMAND_ACTOR, 's_small', settings);
  const address = { siteId: 's_small', webhookId };
  const callId = await sendTestCall(desk, COMMAND_ACTOR, address);
  for (const isOn of [false, true]) await updateWebhook(desk, COMMAND_ACTOR, address, (known) => ({ ...known, isOn }));
  return { webhookId, callId };
}

function newToken(kind: TokenKind): string {
  return buildToken(kind, randomBytes(TOKEN_BYTES));
}

async function openService(path: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const settings = readSettings({ GALLEY_ASSETS_URL: `file:${path}.assets` }, () => '');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  const storage = await openSqlite(path, Date.now());
  const server = createApp({
    settings: settings.value,
    storage,
    log: pino({ level: 'silent' }),
    drain: createDrainState(),
    now: Date.now,
    version: '0.0.0-test',
    demoAccess: undefined,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      await server.close();
      await storage.close();
    },
  };
}
