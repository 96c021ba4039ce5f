// A separate thread sanitises long HTML. Nobody is locked out in the meantime, and editors take turns. cleaning.proof.test.ts measures that
// nobody else has to wait.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword, SALT_BYTES } from '../../../src/authoring/people/passwords.ts';
import { type Answer, type Manager, startManager } from '../../management/manager.ts';
import { addHtmlType, buildHtml, CONTENT, SAVES } from './html-saves.ts';

let manager: Manager;

beforeAll(async () => {
  manager = await startManager();
  await addHtmlType(manager);
});

afterAll(() => manager.close());

function create(fields: object, token = manager.editor): Promise<Answer> {
  return manager.call('POST', CONTENT, { body: { content_type: 'page', name: 'Page', fields }, token });
}

test.each(SAVES)('HTML that consists of %s is saved or rejected', async (_name, piece, length, status) => {
  expect((await create(buildHtml(piece, length, 1))).status).toBe(status);
});

test('a save with a million empty objects is rejected', async () => {
  const { status, body } = await create({ html_0: Array.from({ length: 1_000_000 }, () => ({})) });
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('at most 60000 properties and items')]);
});

/** The number of changes that another user makes, one after the other, before the response arrives. */
async function countChangesUntil(answer: Promise<Answer>): Promise<number> {
  let isOver = false;
  const over = answer.finally(() => {
    isOver = true;
  });
  let changes = 0;
  for (; !isOver; changes += 1) await manager.expectOk('PATCH', '/account', { name: `Account ${changes}` });
  await over;
  return changes;
}

test.each([
  ['validated', '/c_keyed/validate', {}, 200],
  ['created', '', { content_type: 'page', name: 'Page' }, 201],
])(
  'a save does not lock others out while its content is %s, even with an Idempotency-Key',
  async (_, path, members, status) => {
    if (path !== '') {
      await manager.expectOk('POST', CONTENT, { id: 'c_keyed', content_type: 'page', name: 'Page', fields: {} });
    }
    const answer = manager.call('POST', `${CONTENT}${path}`, {
      body: { ...members, fields: buildHtml('<p>Some <b>words</b></p>', 50_000) },
      token: manager.editor,
      headers: { 'idempotency-key': `keyed${path}` },
    });
    expect(await countChangesUntil(answer)).toBeGreaterThan(10);
    expect((await answer).status).toBe(status);
  },
);

test('a change does not lock others out while a password is being hashed, even with an Idempotency-Key', async () => {
  const person = { email: 'slow@example.org', name: 'Slow', role: 'editor', password: 'a long night of hashing' };
  const hashAll = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 10 }, () => hashPassword('something else', randomBytes(SALT_BYTES))));
  const createUser = (): Promise<Answer> =>
    manager.call('POST', '/users', { body: person, headers: { 'idempotency-key': 'creation' } });
  // The service hashes only a few passwords at a time, so the new user's password is hashed after all of these.
  const others = hashAll();
  const created = createUser();
  expect(await countChangesUntil(created)).toBeGreaterThan(5);
  const { status, body } = await created;
  expect(status).toBe(201);
  await others;
  expect(await createUser()).toMatchObject({ status: 201, body });
  const { id } = body as { id: string };
  const more = hashAll();
  const password = 'another night of hashing';
  const changed = manager.call('PATCH', `/users/${id}`, {
    body: { password },
    headers: { 'idempotency-key': 'change' },
  });
  expect(await countChangesUntil(changed)).toBeGreaterThan(5);
  expect((await changed).status).toBe(200);
  await more;
  const signIn = await manager.call('POST', '/session', {
    body: { email: person.email, password },
    token: undefined,
  });
  expect(signIn.status).toBe(200);
});

test('editors take turns if one of them sends thirty saves with long HTML at once', async () => {
  let answered = 0;
  const long = (name: string): object => {
    // Larger bodies wait before they are read.
    const text = '<p>Some <b>words</b></p>'.repeat(1250);
    return { html_0: { text: `${text}${name} 0` }, html_1: { text: `${text}${name} 1` } };
  };
  const flood = Array.from({ length: 30 }, async (_, index) => {
    const answer = await create(long(`flood ${index}`));
    if (answer.status === 201) answered += 1;
    return answer;
  });
  // By now one value is being sanitised, and the queue is full.
  const refused = await Promise.any(
    flood.map(async (each) => {
      expect((await each).status).toBe(503);
      return each;
    }),
  );
  expect(refused).toMatchObject({ body: { message: 'Service unavailable. Nothing was saved.' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  const before = answered;
  const other = await create(long('other'), manager.owner);
  expect(other.status).toBe(201);
  // The two editors take turns.
  expect(answered - before).toBeLessThanOrEqual(4);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
  expect(answered).toBeGreaterThan(10);
});
