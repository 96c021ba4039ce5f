// A worker thread handles large calls. Responses are the same as for small calls, and readers see the changes immediately.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeManagementToken } from '../../src/storage/accounts/management-tokens.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Answer, type Manager, startManager } from './manager.ts';

const SITE = '/sites/s_large';
const LARGE = `${SITE}/content/c_large`;
/** Used only to compare the responses. */
const COMPARED = { large: `${SITE}/content/c_compared`, small: `${SITE}/content/c_small` };
/** Two fields of this length make a body or a version count as large. */
const LENGTH = 150_000;

let manager: Manager;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    await manager.expectOk('POST', '/sites', { id: 's_large', name: 'Large', languages: ['en', 'fr'] });
    const fields = ['one', 'two'].map((handle) => ({ handle, name: handle, type: 'text', format: 'html' }));
    await manager.expectOk('POST', `${SITE}/types`, { handle: 'page', name: 'Page', object_type: 'page', fields });
    for (const [id, length] of [
      ['c_large', LENGTH],
      ['c_compared', LENGTH],
      ['c_small', 100],
    ] as const) {
      const body = { id, content_type: 'page', name: 'Page', fields: fill('a', length) };
      await manager.expectOk('POST', `${SITE}/content`, body);
    }
  });

  afterAll(() => manager.close());

  function fill(letter: string, length = LENGTH): object {
    const text = `<p>${letter.repeat(length)}</p>`;
    return { one: { text }, two: { text } };
  }

  /** Makes the same call with a large body and with a small one. */
  async function callBoth(
    method: string,
    path: string,
    body: (length: number) => object | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly [large: Answer, small: Answer]> {
    return [
      await manager.call(method, `${COMPARED.large}${path}`, { body: body(LENGTH), headers }),
      await manager.call(method, `${COMPARED.small}${path}`, { body: body(100), headers }),
    ];
  }

  /** A response without the parts that are expected to differ: ids, slugs, times and text lengths. */
  function compare({ status, headers, body }: Answer): unknown {
    const names = [...headers.keys()].filter((name) => name !== 'content-length' && name !== 'transfer-encoding');
    const text = JSON.stringify(body)
      .replaceAll(/\bc_\w+/g, 'c_')
      .replaceAll(/\bpage-\d"/g, 'page"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'a time')
      .replaceAll(/([a-z])\1{50,}/g, '$1');
    return { status, names: names.toSorted(), type: headers.get('content-type'), text };
  }

  test('a large save is rejected unless its If-Match is the current ETag', async () => {
    const { headers, body } = await manager.call('GET', LARGE);
    const etag = headers.get('etag') ?? '';
    const { version } = body as { readonly version: number };
    const save = (letter: string): Promise<Answer> =>
      manager.call('PUT', LARGE, { body: { version, fields: fill(letter) }, headers: { 'if-match': etag } });
    const saved = await save('f');
    expect([saved.status, saved.headers.get('etag')]).toEqual([
      200,
      (await manager.call('GET', LARGE)).headers.get('etag'),
    ]);
    expect((await save('g')).status).toBe(412);
  });

  test('readers see a large change as soon as the call has returned', async () => {
    for (const letter of ['i', 'j']) {
      const { version } = await manager.expectOk<{ version: number }>('GET', LARGE);
      await manager.expectOk('PUT', LARGE, { version, fields: fill(letter) });
      await manager.expectOk('POST', `${LARGE}/publish`, {});
      const { body } = await manager.read('s_large', '/c_large');
      expect(JSON.stringify(body).includes(letter.repeat(LENGTH))).toBe(true);
    }
  });

  /** Waits until the service has started a call. The reads are sent after the call and return while the call waits for the lock. */
  async function begin(call: Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> {
    for (let round = 0; round < 20; round += 1) await manager.call('GET', '/account');
    return { answer: call };
  }

  test('a waiting call is rejected if its caller loses the right to make it', async () => {
    const { id, token } = await manager.expectOk<{ id: string; token: string }>('POST', '/tokens', {
      name: 'Short-lived',
      role: 'editor',
    });
    const { version } = await manager.expectOk<{ version: number }>('GET', LARGE);
    const { first, second } = await manager.service.storage.transaction(async (transaction) => {
      // The first save uses the only thread for saves and waits for the lock.
      const first = await begin(manager.call('PUT', LARGE, { body: { version, fields: fill('p') } }));
      const second = await begin(manager.call('PUT', LARGE, { body: { version, fields: fill('q') }, token }));
      await transaction.run(revokeManagementToken(id, Date.now()));
      return { first, second };
    });
    expect((await first.answer).status).toBe(200);
    expect((await second.answer).status).toBe(401);
  });

  test('large reads and renderings are handled while the thread for large saves is busy', async () => {
    const { version } = await manager.expectOk<{ version: number }>('GET', LARGE);
    const saving = await manager.service.storage.transaction(async () => {
      const waiting = await begin(manager.call('PUT', LARGE, { body: { version, fields: fill('r') } }));
      await manager.expectOk('GET', LARGE);
      await manager.expectOk('POST', `${LARGE}/render`, { fields: fill('s') });
      await manager.expectOk('POST', `${LARGE}/validate`, { fields: fill('s') });
      return waiting;
    });
    expect((await saving.answer).status).toBe(200);
  });

  test('concurrent large saves by several editors are all kept', async () => {
    const create = (no: number): Promise<Answer> =>
      manager.call('POST', `${SITE}/content`, {
        body: { id: `c_many_${no}`, content_type: 'page', name: 'Many', fields: fill('o') },
        token: no % 2 === 0 ? manager.owner : manager.editor,
      });
    const answers = await Promise.all(Array.from({ length: 4 }, (_, no) => create(no)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test.each([
    ['a read', 'GET', '', () => undefined],
    ['a save', 'PUT', '', (length: number) => ({ version: 1, fields: fill('b', length) })],
    ['the same save again', 'PUT', '', (length: number) => ({ version: 1, fields: fill('b', length) })],
    ['a validation', 'POST', '/validate', (length: number) => ({ fields: fill('c', length) })],
    ['a rendering', 'POST', '/render', (length: number) => ({ fields: fill('c', length) })],
    ['publishing', 'POST', '/publish', () => ({})],
    ['a request for the delivered content', 'GET', '/delivered', () => undefined],
    ['a comparison', 'GET', '/versions/1/compare/2', () => undefined],
    ['a request for an older version', 'GET', '/versions/1', () => undefined],
    ['a request for an unknown version', 'GET', '/versions/99', () => undefined],
    ['a save without a version', 'PUT', '', (length: number) => ({ fields: fill('d', length) })],
    [
      'a save with unknown fields',
      'PUT',
      '',
      (length: number) => ({ version: 2, fields: { ...fill('d', length), no: {} } }),
    ],
    ['a translation', 'POST', '/translations', () => ({ language: 'fr' })],
    ['a second translation', 'POST', '/translations', () => ({ language: 'fr' })],
  ] as const)('the response to %s is the same for large and small content', async (_, method, path, body) => {
    const [large, small] = await callBoth(method, path, body);
    expect(compare(large)).toEqual(compare(small));
  });

  test('a large save based on an older version is rejected and reports who saved what', async () => {
    const [large, small] = await callBoth('PUT', '', (length) => ({ version: 1, fields: fill('e', length) }));
    expect(large.status).toBe(409);
    expect(compare(large)).toEqual(compare(small));
  });

  test('a large call requires the same permissions as a small one', async () => {
    const body = { version: 1, fields: fill('n') };
    expect((await manager.call('PUT', LARGE, { body, token: undefined })).status).toBe(401);
    expect((await manager.call('PUT', LARGE, { body, token: manager.stranger })).status).toBe(404);
    expect((await manager.call('GET', LARGE, { token: manager.stranger })).status).toBe(404);
  });

  test('a large call with an Idempotency-Key happens once', async () => {
    const create = (): Promise<Answer> =>
      manager.call('POST', `${SITE}/content`, {
        body: { content_type: 'page', name: 'Once', fields: fill('h') },
        headers: { 'idempotency-key': 'large' },
      });
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  test('large bodies are rejected in calls that do not concern a site', async () => {
    const { status, body } = await manager.call('PATCH', '/account', { body: { name: 'x'.repeat(2 * LENGTH) } });
    expect([status, body]).toEqual([413, { message: 'Payload too large.', code: 'payload_too_large' }]);
  });
});
