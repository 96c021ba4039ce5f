// The first stranger to reach a fresh installation must not be able to take ownership of it.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildSetUpLink } from '../../src/cli/announce.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { startService } from '../support/service.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

const EVE = { email: 'eve@evil.example', name: 'Eve', password: 'correct horse battery' };
const WRONG = { status: 422, body: { errors: [{ path: 'token', message: 'is not the token from the set-up link' }] } };

describe.each(ENGINES)('on %s', (engine) => {
  describe('a stranger who finds a new installation', () => {
    let database: TestDatabase;
    let manager: Manager;
    let token: string;
    let visitors = 0;
    let visits = 0;
    let address: string;

    beforeAll(async () => {
      database = await createTestDatabase(engine);
      const createDatabase = async (): Promise<TestDatabase> => ({ ...database, remove: async () => {} });
      manager = await startManager({ GALLEY_TRUST_PROXY: 'true' }, { createDatabase });
      const link = await buildSetUpLink(manager.service.storage, 'http://127.0.0.1:3000');
      token = /^http:\/\/127\.0\.0\.1:3000\/admin\/set-up#token=(gs_[\w-]{27})$/.exec(link ?? '')?.[1] ?? '';
    });

    afterAll(async () => {
      await manager.close();
      await database.remove();
    });

    beforeEach(() => {
      visitors += 1;
      address = `203.0.113.${visitors}`;
    });

    /** Uses a different email each time, so only the limit for the address applies. */
    const setUp = (body: object, forwardedFor = address) => {
      visits += 1;
      return manager.call('POST', '/setup', {
        token: undefined,
        body: { ...EVE, email: `eve${visits}@evil.example`, ...body },
        headers: { 'x-forwarded-for': forwardedFor },
      });
    };

    const isNeeded = async (): Promise<unknown> => (await manager.call('GET', '/setup', { token: undefined })).body;

    test('cannot become its owner without the token', async () => {
      expect(await setUp({})).toMatchObject({ status: 422, body: { errors: [{ path: 'token' }] } });
      for (const guess of [
        '',
        'gs_',
        token.slice(0, -1),
        `${token}a`,
        token.toLowerCase(),
        ` ${token}`,
        'x'.repeat(2e5),
      ]) {
        expect(await setUp({ token: guess }), guess.slice(0, 40)).toMatchObject(WRONG);
      }
      for (const guess of [null, 7, [token], { token }]) {
        expect(await setUp({ token: guess })).toMatchObject({ status: 422, body: { errors: [{ path: 'token' }] } });
      }
      expect(await setUp({ token: 'x'.repeat(1e6) })).toMatchObject({ status: 413 });
      expect(await isNeeded()).toEqual({ is_needed: true });
    });

    test('cannot guess the token with many attempts or forged addresses', async () => {
      const guess = (index: number) => setUp({ token: `gs_${index}` }, `198.51.100.${index}, ${address}`);
      // A PostgreSQL service refuses requests that wait too long for a connection, as many concurrent ones do on a busy machine.
      const atOnce = engine === 'sqlite' ? 60 : 4;
      const answers = await Promise.all(Array.from({ length: atOnce }, (_, index) => guess(index)));
      for (let index = atOnce; index < 100; index += 1) answers.push(await guess(index));
      for (const answer of answers) expect(answer).toMatchObject(WRONG);
      const late = await guess(100);
      expect(late).toMatchObject({ status: 429, body: { message: 'Too many requests.' } });
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
      // A request with the right token from that address has to wait too, but a request from another address does not.
      expect(await setUp({ token })).toMatchObject({ status: 429 });
      expect(await setUp({ token: 'gs_no' }, '192.0.2.1')).toMatchObject(WRONG);
      expect(await isNeeded()).toEqual({ is_needed: true });
    });

    test('learns nothing about the token from the API', async () => {
      const { body, headers } = await manager.call('GET', '/setup', { token: undefined });
      expect(body).toEqual({ is_needed: true });
      expect(JSON.stringify([...headers])).not.toContain('gs_');
      expect(JSON.stringify(await setUp({ token: 'gs_guess' }))).not.toContain(token);
    });

    test('cannot use the token on any node once somebody else has used it', async () => {
      const createDatabase = async (): Promise<TestDatabase> => ({ ...database, remove: async () => {} });
      const other = await startService({}, { createDatabase });
      expect(await buildSetUpLink(other.storage, 'https://x')).toBe(`https://x/admin/set-up#token=${token}`);
      const send = async (url: string, email: string): Promise<number> => {
        const body = JSON.stringify({ ...EVE, email, token });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${url}/manage/v1/setup`, { method: 'POST', headers, body })).status;
      };
      expect(await send(other.url, 'owner@example.com')).toBe(201);
      expect(await send(other.url, 'eve@evil.example')).toBe(409);
      expect(await send(manager.service.url, 'eve@evil.example')).toBe(409);
      expect(await buildSetUpLink(other.storage, 'https://x')).toBeUndefined();
      await other.close();
      expect(await manager.expectOk('GET', '/users')).toMatchObject({ data: [{ email: 'owner@example.com' }] });
    });
  });
});
