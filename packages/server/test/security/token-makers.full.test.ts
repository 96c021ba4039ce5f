// Users who have been suspended, demoted or deleted can no longer use their earlier permissions, either through management tokens they
// created or through requests that were already waiting.

import { setImmediate } from 'node:timers/promises';
import type { ManagementPageBody, ManagementTokenBody, NewManagementTokenBody, UserBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { AuthoringRefusal } from '../../src/authoring/authoring-refusal.ts';
import { createAuthor } from '../../src/authoring/authors.ts';
import type { Desk } from '../../src/authoring/desk.ts';
import { updateUser } from '../../src/authoring/people/users.ts';
import { createSite } from '../../src/authoring/sites/sites.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { deleteSessionsOf, MAIN_ACCOUNT_NO, selectUser } from '../../src/storage/accounts/accounts.ts';
import { type Browser, openBrowser } from '../management/browser.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { ENGINES } from '../support/test-database.ts';

const PASSWORD = 'correct horse battery staple';

let manager: Manager;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    // A second owner, because the last owner cannot be suspended.
    await createOwner('first');
  });

  afterAll(() => manager.close());

  interface Person extends UserBody {
    readonly browser: Browser;
  }

  async function createOwner(name: string): Promise<Person> {
    const body = { email: `${name}@example.com`, name, role: 'owner', password: PASSWORD };
    const user = await manager.expectOk<UserBody>('POST', '/users', body);
    const browser = openBrowser(manager);
    expect((await browser.signIn(user.email, PASSWORD)).status).toBe(200);
    return { ...user, browser };
  }

  async function createToken({ browser }: Person, role: 'owner' | 'editor' = 'owner'): Promise<NewManagementTokenBody> {
    const answer = await browser.call('POST', '/tokens', { name: `Token for an ${role}`, role });
    expect(answer.status).toBe(201);
    return answer.body as NewManagementTokenBody;
  }

  const change = (user: UserBody, body: object, token?: string) =>
    manager.call('PATCH', `/users/${user.id}`, { body, token: token ?? manager.owner });

  const statusWith = async ({ token }: NewManagementTokenBody): Promise<number> =>
    (await manager.call('GET', '/account', { token })).status;

  async function findListed({ id }: NewManagementTokenBody): Promise<ManagementTokenBody | undefined> {
    const { data } = await manager.expectOk<ManagementPageBody<ManagementTokenBody>>('GET', '/tokens?limit=100');
    return data.find((token) => token.id === id);
  }

  describe('a suspended user', () => {
    test('cannot reactivate their own account with a token they created, or with one that was created using that token', async () => {
      const mallory = await createOwner('mallory');
      const token = await createToken(mallory);
      const nested = await manager.expectOk<NewManagementTokenBody>(
        'POST',
        '/tokens',
        { name: 'Nested', role: 'owner' },
        token.token,
      );
      const maker = { kind: 'user', id: mallory.id, name: 'mallory' };
      for (const made of [token, nested]) {
        expect(made).toMatchObject({ state: 'active', created_by: maker });
        expect(await statusWith(made)).toBe(200);
      }
      expect((await change(mallory, { is_suspended: true })).status).toBe(200);
      for (const made of [token, nested]) {
        expect((await change(mallory, { is_suspended: false }, made.token)).status).toBe(401);
        expect(await statusWith(made)).toBe(401);
        expect(await findListed(made)).toMatchObject({ state: 'suspended', revoked_at: null, created_by: maker });
      }
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('can use their tokens again, except revoked ones, after somebody else reactivates the account', async () => {
      const ada = await createOwner('ada');
      const [token, revoked] = [await createToken(ada), await createToken(ada)];
      await manager.expectOk('POST', `/tokens/${revoked.id}/revoke`);
      await change(ada, { is_suspended: true });
      await change(ada, { is_suspended: false });
      expect(await statusWith(token)).toBe(200);
      expect(await findListed(token)).toMatchObject({ state: 'active' });
      expect(await statusWith(revoked)).toBe(401);
    });
  });

  describe('a waiting request whose caller loses their permission', () => {
    const UNCHANGED = { name: undefined, role: undefined, isSuspended: undefined, password: undefined };
    const SITE = { id: null, name: 'Too late', url: null, defaultLanguage: 'en', languages: ['en'] };

    /** The result of a call that waits until a change to the user has finished. */
    async function workAfter(
      userId: string,
      changes: object,
      work: (desk: Desk) => Promise<unknown>,
    ): Promise<unknown> {
      const { storage } = manager.service;
      const desk = createDesk(storage);
      const release = Promise.withResolvers<void>();
      const holding = storage.transaction(() => release.promise);
      const changing = updateUser(desk, COMMAND_ACTOR, userId, { ...UNCHANGED, ...changes });
      await setImmediate();
      const late = work(desk).catch((error: unknown) => error);
      release.resolve();
      await Promise.all([holding, changing]);
      return late;
    }

    test.each([
      ['suspended', { isSuspended: true }, 'This user was suspended.'],
      ['demoted', { role: 'editor' }, 'Your role has changed. Try again.'],
    ])('is rejected if the user was %s', async (what, changes, message) => {
      const { id } = await createOwner(`waiting-${what}`);
      const actor: Actor = { ...COMMAND_ACTOR, kind: 'user', id, name: 'Waiting' };
      const outcome = await workAfter(id, changes, (desk) => createSite(desk, actor, SITE));
      expect(outcome).toBeInstanceOf(AuthoringRefusal);
      expect(outcome).toMatchObject({ reason: 'forbidden', message });
    });

    test.each([
      ['suspended', { isSuspended: true }],
      ['demoted', { role: 'editor' }],
    ])('is rejected if it was sent with a token whose creator was %s', async (what, changes) => {
      const person = await createOwner(`token-${what}`);
      const { id } = await createToken(person);
      const actor: Actor = { ...COMMAND_ACTOR, kind: 'token', id, name: 'Token' };
      const outcome = await workAfter(person.id, changes, (desk) => createSite(desk, actor, SITE));
      const message = 'The user who created this token is suspended or no longer has the token’s role.';
      expect(outcome).toMatchObject({ reason: 'forbidden', message });
    });

    test('is rejected if the session was ended, for example by a new password', async () => {
      const { id, browser } = await createOwner('ended');
      const { storage } = manager.service;
      const { no = 0 } = (await storage.read(selectUser(MAIN_ACCOUNT_NO, id))) ?? {};
      const release = Promise.withResolvers<void>();
      const holding = storage.transaction(() => release.promise);
      const ending = storage.transaction((transaction) => transaction.run(deleteSessionsOf(no)));
      const isQueued = Promise.withResolvers<void>();
      const { transaction } = storage;
      storage.transaction = (...work) => {
        isQueued.resolve();
        return transaction(...work);
      };
      const late = browser.call('POST', '/sites', { id: 's_ended', name: 'Too late' });
      await isQueued.promise;
      storage.transaction = transaction;
      release.resolve();
      await Promise.all([holding, ending]);
      expect((await late).status).toBe(401);
      expect((await manager.call('GET', '/sites/s_ended')).status).toBe(404);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('continues if an editor was promoted to owner', async () => {
      await manager.expectOk('POST', '/sites', { id: 's_promotion', name: 'Promotion' });
      const { id } = await createOwner('promoted');
      await change(await manager.expectOk<UserBody>('GET', `/users/${id}`), { role: 'editor' });
      const actor: Actor = { ...COMMAND_ACTOR, kind: 'user', id, name: 'Promoted', role: 'editor' };
      const author = { id: 'u_late', name: 'Late', email: null, profilePhotoUrl: null };
      const create = (desk: Desk) => createAuthor(desk, actor, 's_promotion', author);
      expect(await workAfter(id, { role: 'owner' }, create)).toBe('u_late');
    });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('a user who was demoted to editor keeps no owner permissions through a token', async () => {
    const eve = await createOwner('eve');
    const [asOwner, asEditor] = [await createToken(eve), await createToken(eve, 'editor')];
    await change(eve, { role: 'editor' });
    expect((await change(eve, { role: 'owner' }, asOwner.token)).status).toBe(401);
    expect(await findListed(asOwner)).toMatchObject({ state: 'suspended' });
    expect(await statusWith(asEditor)).toBe(200);
    await change(eve, { role: 'owner' });
    expect(await statusWith(asOwner)).toBe(200);
  });

  test('a deleted user leaves no working token behind, and is no longer named in the list of tokens', async () => {
    const dan = await createOwner('dan');
    const token = await createToken(dan);
    expect((await manager.call('DELETE', `/users/${dan.id}?confirm=${dan.id}`)).status).toBe(204);
    expect(await statusWith(token)).toBe(401);
    expect(await findListed(token)).toMatchObject({
      state: 'revoked',
      created_by: { kind: 'user', id: dan.id, name: 'Deleted user' },
    });
  });
});
