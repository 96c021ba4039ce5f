// Permanently deleting authors and users removes their names but keeps the record of what they did.

import type { AuditLogBody, ManagedContentBody, NewManagementTokenBody, UserBody, VersionListBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createContent } from '../../src/authoring/contents/create-content.ts';
import { createManagementToken } from '../../src/authoring/people/management-tokens.ts';
import { deleteUser } from '../../src/authoring/people/users.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { selectConsistency } from '../../src/storage/inspection.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Browser, openBrowser } from './browser.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

const PASSWORD = 'correct horse battery staple';

let manager: Manager;
let desk: ContentDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    desk = await openContentDesk(manager);
  });
  afterAll(() => manager.close());

  const findTables = (word: string) => findTablesWith(manager.service.storage, word);

  describe('permanently deleting an author', () => {
    const createAuthor = (id: string, name: string) =>
      manager.expectOk('POST', `/sites/${SITE}/authors`, { id, name, email: `${id}@desk.example` });
    const remove = (id: string, query = `?confirm=${id}`, token = manager.owner) =>
      manager.call('DELETE', `/sites/${SITE}/authors/${id}${query}`, { token });

    /** Creates content that was published with this author. It has a newer draft, and an older version with a different author. */
    async function createPost(author: string): Promise<ManagedContentBody> {
      const post = await desk.create({ author: 'u_ada' });
      const saved = await desk.save(post, { author });
      await desk.act(saved, 'publish', {});
      return desk.save(await desk.get(post.id), { name: 'Changed' });
    }

    test('removes the author from content, including old versions, and the name from every table', async () => {
      await createAuthor('u_okapi', 'Okapi Person');
      await manager.expectOk('PATCH', `/sites/${SITE}/authors/u_okapi`, { email: 'okapi.person@desk.example' });
      const { id } = await createPost('u_okapi');
      expect(await manager.read(SITE, `/${id}`)).toMatchObject({ body: { author: { name: 'Okapi Person' } } });
      const etag = (await manager.read(SITE, `/${id}`)).headers.get('etag');
      expect(await findTables('okapi')).toEqual(['audit_entries', 'authors']);

      expect((await remove('u_okapi')).status).toBe(204);
      expect(await findTables('okapi person')).toEqual([]);
      expect(await findTables('okapi.person')).toEqual([]);
      const read = await manager.read(SITE, `/${id}`);
      expect(read).toMatchObject({ status: 200, body: { id, author: null } });
      expect(read.headers.get('etag')).not.toBe(etag);
      const preview = await manager.read(SITE, `/${id}`, { 'x-service-preview': 'true' });
      expect(preview).toMatchObject({ body: { name: 'Changed', author: null } });
      const old = await desk.call('GET', `/${id}/versions/2`);
      expect(old).toMatchObject({ body: { author: null } });
      expect(await desk.call('GET', `/${id}/versions/1`)).toMatchObject({ body: { author: 'u_ada' } });
      const { data } = await manager.expectOk<AuditLogBody>('GET', `/audit?site=${SITE}&limit=3`);
      expect(data[0]).toMatchObject({
        action: 'author.delete',
        subject: { id: 'u_okapi', name: null },
        details: { contents: 1, replaced_by: null },
      });
      // A new author may get the deleted author's row number, but must not become the author of this content.
      await createAuthor('u_next', 'Next');
      expect(await manager.read(SITE, `/${id}`)).toMatchObject({ body: { author: null } });
    });

    test('can replace the author with another one for readers, in filters and in the history', async () => {
      await createAuthor('u_gone', 'Gone');
      await createAuthor('u_stays', 'Stays');
      const { id } = await createPost('u_gone');
      expect((await remove('u_gone', '?confirm=u_gone&replace_with=u_stays')).status).toBe(204);
      expect(await manager.read(SITE, `/${id}`)).toMatchObject({ body: { author: { id: 'u_stays', name: 'Stays' } } });
      expect(await manager.read(SITE, '?author=u_stays')).toMatchObject({ status: 200, body: { id } });
      expect(await desk.get(id)).toMatchObject({ author: 'u_stays' });
      expect(await desk.call('GET', `/${id}/versions/2`)).toMatchObject({ body: { author: 'u_stays' } });
      expect((await desk.save(await desk.get(id), { name: 'Saved again' })).author).toBe('u_stays');
      expect(await manager.service.storage.read(selectConsistency(Date.now(), 0))).toMatchObject({
        published_extra: 0,
        preview_wrong: 0,
      });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('requires a confirmation and the owner role while content refers to the author', async () => {
      await createAuthor('u_used', 'Used');
      await createPost('u_used');
      const unconfirmed = await remove('u_used', '');
      expect(unconfirmed).toMatchObject({ status: 409, body: { details: { total: 1 } } });
      expect(await remove('u_used', '?confirm=yes')).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'query.confirm' }] },
      });
      expect((await remove('u_used', '?confirm=u_used', manager.editor)).status).toBe(403);
      const self = await remove('u_used', '?confirm=u_used&replace_with=u_used');
      expect(self).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'query.replace_with', message: 'must be a different author' }] },
      });
      expect((await remove('u_used', '?confirm=u_used&replace_with=u_none')).status).toBe(422);
      expect(await manager.call('GET', `/sites/${SITE}/authors/u_used`)).toMatchObject({ body: { name: 'Used' } });
      await createAuthor('u_unused', 'Unused');
      expect((await remove('u_unused', '', manager.editor)).status).toBe(204);
    });
  });

  describe('permanently deleting a user', () => {
    const remove = (id: string, confirm = id) => manager.call('DELETE', `/users/${id}?confirm=${confirm}`);

    const createUser = (email: string, role = 'owner', name = 'Somebody'): Promise<UserBody> =>
      manager.expectOk('POST', '/users', { email, name, role, password: PASSWORD });

    async function createSignedIn(...person: Parameters<typeof createUser>): Promise<UserBody & { browser: Browser }> {
      const user = await createUser(...person);
      const browser = openBrowser(manager);
      expect((await browser.signIn(user.email, PASSWORD)).status).toBe(200);
      return { ...user, browser };
    }

    test('ends their sessions and tokens, and removes their name and email from versions and the audit log', async () => {
      await createUser('first@desk.example');
      const { id, browser } = await createSignedIn('axolotl@desk.example', 'owner', 'Axolotl Person');
      await manager.expectOk('PATCH', `/users/${id}`, { name: 'Axolotl Renamed' });
      const post = (await browser.call('POST', `/sites/${SITE}/content`, { content_type: 'post', name: 'By them' }))
        .body;
      const { id: postId } = post as ManagedContentBody;
      const newToken = { name: 'Theirs', role: 'owner' };
      const { id: tokenId, token } = (await browser.call('POST', '/tokens', newToken)).body as NewManagementTokenBody;
      const { id: nestedId, token: nested } = await manager.expectOk<NewManagementTokenBody>(
        'POST',
        '/tokens',
        newToken,
        token,
      );
      await manager.expectOk('POST', '/sites', { id: 's_nested', name: 'Nested' }, nested);
      const other = await manager.expectOk<NewManagementTokenBody>('POST', '/tokens', newToken);
      await openBrowser(manager).signIn('axolotl@desk.example', 'wrong');
      expect(await findTables('axolotl')).toEqual(['audit_entries', 'content_versions', 'users']);

      expect((await remove(id)).status).toBe(204);
      expect(await findTables('axolotl')).toEqual([]);
      expect((await browser.call('GET', '/account')).status).toBe(401);
      for (const each of [token, nested])
        expect((await manager.call('GET', '/account', { token: each })).status).toBe(401);
      expect((await manager.call('GET', '/account', { token: other.token })).status).toBe(200);
      expect((await openBrowser(manager).signIn('axolotl@desk.example', PASSWORD)).status).toBe(401);
      const { data: versions } = await manager.expectOk<VersionListBody>(
        'GET',
        `/sites/${SITE}/content/${postId}/versions`,
      );
      expect(versions).toMatchObject([{ saved_by: { id, name: 'Deleted user' } }]);

      const { data: done } = await manager.expectOk<AuditLogBody>('GET', `/audit?actor=${id}`);
      expect(done.length).toBeGreaterThan(3);
      for (const entry of done) expect(entry).toMatchObject({ actor: { name: 'Deleted user', address: null } });
      for (const actor of [tokenId, nestedId]) {
        const { data } = await manager.expectOk<AuditLogBody>('GET', `/audit?actor=${actor}`);
        expect(data).toMatchObject([{ actor: { name: 'Theirs', address: null } }]);
      }
      const { data: all } = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=100');
      const about = all.filter(({ subject }) => subject?.id === id);
      expect(about[0]).toMatchObject({ action: 'user.delete', actor: { name: 'Test owner' } });
      for (const entry of about) expect(entry).toMatchObject({ subject: { name: null }, details: null });

      await createUser('axolotl@desk.example', 'editor', 'Another');
    });

    test('keeps one owner when the last two delete each other at the same time', async () => {
      const one = await createSignedIn('one@desk.example');
      const two = await createSignedIn('two@desk.example');
      const { data } = await manager.expectOk<{ data: readonly UserBody[] }>('GET', '/users');
      for (const { id, role } of data) if (role === 'owner' && id !== one.id && id !== two.id) await remove(id);
      const answers = await Promise.all([
        one.browser.call('DELETE', `/users/${two.id}?confirm=${two.id}`),
        two.browser.call('DELETE', `/users/${one.id}?confirm=${one.id}`),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(204);
      expect([401, 403]).toContain(statuses[1]);
      const left = await manager.expectOk<{ data: readonly UserBody[] }>('GET', '/users');
      expect(left.data.filter(({ role }) => role === 'owner')).toHaveLength(1);
    });

    test("causes the user's pending calls to be rejected", async () => {
      const { id } = await createUser('late@desk.example', 'editor', 'Latecomer');
      const actor: Actor = { ...COMMAND_ACTOR, kind: 'user', id, name: 'Latecomer', role: 'editor' };
      const work = createDesk(manager.service.storage);
      const deletion = deleteUser(work, COMMAND_ACTOR, id, id);
      const input = { content_type: 'post', name: 'Too late', language: undefined, translation_of: undefined };
      const late = createContent(work, actor, SITE, input).catch((error: unknown) => error);
      await deletion;
      expect(await late).toMatchObject({ reason: 'forbidden', message: 'This user was deleted.' });
      expect(await findTables('latecomer')).toEqual([]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('lets users delete themselves, but never deletes the last active owner', async () => {
      const { data } = await manager.expectOk<{ data: readonly UserBody[] }>('GET', '/users');
      const owners = data.filter(({ role }) => role === 'owner');
      const { id, browser } = await createSignedIn('self@desk.example', 'owner', 'Capybara');
      expect((await browser.call('DELETE', `/users/${id}?confirm=${id}`)).status).toBe(204);
      expect(await findTables('capybara')).toEqual([]);
      const [last, ...others] = owners;
      for (const owner of others) expect((await remove(owner.id)).status).toBe(204);
      const suspended = await createUser('suspended@desk.example');
      await manager.expectOk('PATCH', `/users/${suspended.id}`, { is_suspended: true });
      expect(await remove(last?.id ?? '')).toMatchObject({
        status: 409,
        body: { message: 'This is the last active owner of the account. Make somebody else an owner first.' },
      });
      expect((await remove(suspended.id)).status).toBe(204);
      expect((await remove(last?.id ?? '', 'me')).status).toBe(422);
      expect((await manager.call('DELETE', '/users/m_none?confirm=m_none')).status).toBe(404);
    });

    test('keeps one owner when other callers delete the last two at the same time', async () => {
      const { id } = await createUser('three@desk.example');
      const { data } = await manager.expectOk<{ data: readonly UserBody[] }>('GET', '/users');
      const owners = data.filter(({ role }) => role === 'owner').map((owner) => owner.id);
      expect(owners).toHaveLength(2);
      const answers = await Promise.all(owners.map((owner) => remove(owner)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
      expect(owners).toContain(id);
    });

    test("causes pending calls that use the user's tokens to be rejected", async () => {
      const { id, browser } = await createSignedIn('queued@desk.example');
      const newToken = { name: 'Queued', role: 'owner' } as const;
      const token = (await browser.call('POST', '/tokens', newToken)).body as NewManagementTokenBody;
      const actor: Actor = { ...COMMAND_ACTOR, ...newToken, kind: 'token', id: token.id };
      const work = createDesk(manager.service.storage);
      const deletion = deleteUser(work, COMMAND_ACTOR, id, id);
      const request = { name: 'Okapi token', role: 'owner', expiresAt: null } as const;
      const late = createManagementToken(work, actor, request).catch((error: unknown) => error);
      await deletion;
      expect(await late).toMatchObject({ reason: 'forbidden', message: 'This token was revoked or has expired.' });
      expect(await findTables('okapi token')).toEqual([]);
    });
  });
});
