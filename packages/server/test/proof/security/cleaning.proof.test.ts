// Nobody has to wait for another person's save. A separate thread sanitises HTML and does all other work for a large save.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SlownessWatch, watchSlowness } from '../../../../../scripts/testing/watch-slowness.ts';
import { hashPassword, SALT_BYTES } from '../../../src/authoring/people/passwords.ts';
import { type Answer, type Manager, startManager } from '../../management/manager.ts';
import { watchTurns } from '../../support/watch-turns.ts';

const SITE = 's_cleaning';
const CONTENT = `/sites/${SITE}/content`;
const FIELDS = 10;
/** The maximum length of an HTML field. */
const MOST_CHARACTERS = 400_000;

interface ClientAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests from a separate thread, so this thread does only the service's work. */
const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ url, ...request }) => {
    const response = await fetch(url, request);
    parentPort.postMessage({ status: response.status, text: (await response.text()).slice(0, 2000) });
  });`;

describe('a save', () => {
  let manager: Manager;
  let client: Worker;
  let slowness: SlownessWatch;

  beforeAll(async () => {
    slowness = await watchSlowness();
    manager = await startManager();
    client = new Worker(CLIENT, { eval: true });
    await manager.expectOk('POST', '/sites', { id: SITE, name: 'Cleaning' });
    const fields = Array.from({ length: FIELDS }, (_, index) => ({
      handle: `html_${index}`,
      name: 'HTML',
      type: 'text',
      format: 'html',
    }));
    await manager.expectOk('POST', `/sites/${SITE}/types`, { handle: 'page', name: 'Page', fields });
    // The code is loaded and compiled only once, and the time this takes must not be measured.
    await save(buildFields('<p>warm <b>up</b></p>', 20_000));
    await save(buildFields('<p>warm <b>up</b></p>', 20_000));
  });

  afterAll(async () => {
    await slowness[Symbol.asyncDispose]();
    await client.terminate();
    await manager.close();
  });

  function buildFields(piece: string, length: number): object {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    return Object.fromEntries(
      Array.from({ length: FIELDS }, (_, index) => [`html_${index}`, { text: `${text}${index}` }]),
    );
  }

  async function save(fields: object): Promise<ClientAnswer & { readonly longestTurn: number }> {
    const body = JSON.stringify({ content_type: 'page', name: 'Page', fields });
    await setTimeout(20);
    const watch = watchTurns();
    client.postMessage({
      url: `${manager.service.url}/manage/v1${CONTENT}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${manager.editor}` },
      body,
    });
    const [answer]: ClientAnswer[] = await once(client, 'message');
    const longestTurn = watch.stop() / (await slowness.read());
    if (answer === undefined) throw new Error('The client did not respond');
    return { ...answer, longestTurn };
  }

  test.each([
    ['nothing but <', '<', MOST_CHARACTERS - 1, 422],
    ['endless elements', '<b>', MOST_CHARACTERS - 1, 422],
    ['endless attributes', "<a href='", MOST_CHARACTERS - 1, 422],
    ['endless paragraphs', '<p>', 40_000, 201],
    ['entities', '&#1;', 40_000, 201],
    ['pictures with many sizes', '<img srcset="a 1x, b 2x, c 3x">', 40_000, 201],
  ])('does not make anyone else wait if its HTML consists of %s', async (_, piece, length, status) => {
    const answer = await save(buildFields(piece, length));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
    expect(answer.longestTurn).toBeLessThan(50);
  });

  test('does not make anyone else wait if it contains a million empty objects', async () => {
    const answer = await save({ html_0: Array.from({ length: 1_000_000 }, () => ({})) });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('at most 60000 properties and items')]);
    expect(answer.longestTurn).toBeLessThan(50);
  });

  test('is stored and does not make anyone else wait if it contains as much ordinary HTML as a body allows', async () => {
    const answer = await save(buildFields('<p>Some <b>words</b> &amp; more of them.</p>', MOST_CHARACTERS - 1));
    expect(answer.status).toBe(201);
    expect(answer.longestTurn).toBeLessThan(50);
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
  ])('does not lock others out while content is %s, even with an Idempotency-Key', async (_, path, members, status) => {
    if (path !== '') {
      await manager.expectOk('POST', CONTENT, { id: 'c_keyed', content_type: 'page', name: 'Page', fields: {} });
    }
    const answer = manager.call('POST', `${CONTENT}${path}`, {
      body: { ...members, fields: buildFields('<p>Some <b>words</b></p>', 50_000) },
      token: manager.editor,
      headers: { 'idempotency-key': `keyed${path}` },
    });
    expect(await countChangesUntil(answer)).toBeGreaterThan(10);
    expect((await answer).status).toBe(status);
  });

  test('does not lock others out while a password is being hashed, even with an Idempotency-Key', async () => {
    const person = { email: 'slow@example.org', name: 'Slow', role: 'editor', password: 'a long night of hashing' };
    const hashAll = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 10 }, () => hashPassword('something else', randomBytes(SALT_BYTES))));
    const create = (): Promise<Answer> =>
      manager.call('POST', '/users', { body: person, headers: { 'idempotency-key': 'creation' } });
    // The service hashes only a few passwords at a time, so the new user's password is hashed after all of these.
    const others = hashAll();
    const created = create();
    expect(await countChangesUntil(created)).toBeGreaterThan(5);
    const { status, body } = await created;
    expect(status).toBe(201);
    await others;
    expect(await create()).toMatchObject({ status: 201, body });
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

  test('does not make other editors wait, even if one editor sends thirty saves with long HTML at once', async () => {
    let answered = 0;
    const create = (token: string, fields: object): Promise<Answer> =>
      manager.call('POST', CONTENT, { body: { content_type: 'page', name: 'Page', fields }, token });
    const long = (name: string): object => {
      // Larger bodies wait before they are read.
      const text = '<p>Some <b>words</b></p>'.repeat(1250);
      return { html_0: { text: `${text}${name} 0` }, html_1: { text: `${text}${name} 1` } };
    };
    const flood = Array.from({ length: 30 }, async (_, index) => {
      const answer = await create(manager.editor, long(`flood ${index}`));
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
    const other = await create(manager.owner, long('other'));
    expect(other.status).toBe(201);
    // The two editors take turns.
    expect(answered - before).toBeLessThanOrEqual(4);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    expect(answered).toBeGreaterThan(10);
  });
});
