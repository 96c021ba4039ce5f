// Hostile and malformed requests: always the same error format, never a 500, and the service keeps running.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, type Engine } from '../support/test-database.ts';
import { LISTED, RECORDS } from './fixture.ts';
import { errorOf, exchange, idsOf, isErrorBody, LIST_PATH, openReader, type Reader, SIMPLE } from './reader.ts';
import { PRESS } from './records.ts';

const PARAMETERS = [
  'author',
  'content_type',
  'content_type_id',
  'cursor',
  'fallback_default_language',
  'limit',
  'match',
  'page',
  'slug',
  'sort',
  'fields[text][headline]',
  'fields[number][rank]',
  'fields[is_on][featured]',
  'fields[selected_option][mood]',
  'fields[content_links][related][id]',
  'fields[content_links][related][slug]',
];

const HOSTILE = [
  "' or '1'='1",
  '"; drop table sites; --',
  '\\',
  '%',
  '_%',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '#{7*7}',
  '{{7*7}}',
  '\u202e\u2028\ufeff',
  '😀'.repeat(50),
  'e\u0301'.repeat(100),
  '\ud7ff\uffff',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(400),
  'x'.repeat(3000),
];

let reader: Reader;

/** For the tests of the enclosing `describe`. */
function useReader(engine: Engine): void {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  // After every test, the service must still respond normally.
  afterEach(async () => {
    expect(idsOf(await reader.list())).toEqual(LISTED);
  });
}

/** Expects a response or an error in the documented format, but never a server error. */
async function expectSound(query: string, options = {}): Promise<void> {
  const reply = await reader.list(query, options);
  if (reply.status === 200) return;
  expect([400, 422], query).toContain(reply.status);
  expect(isErrorBody(reply.body)).toBe(true);
}

describe.each(ENGINES)('hostile values on %s', (engine) => {
  useReader(engine);

  test('are survived in every parameter', async () => {
    for (const name of PARAMETERS) {
      for (const value of HOSTILE) await expectSound(`${name}=${encodeURIComponent(value)}`);
    }
  });

  test('return 404 as ids', async () => {
    for (const value of HOSTILE) {
      const reply = await reader.get(encodeURIComponent(value));
      expect(errorOf(reply), value).toEqual([404, 'Content not found.']);
    }
  });
});

describe('the service', () => {
  useReader('sqlite');

  test('survives hostile values in every parameter in simple mode', async () => {
    for (const name of PARAMETERS) {
      for (const value of HOSTILE) await expectSound(`${name}=${encodeURIComponent(value)}`, SIMPLE);
    }
  });

  test('survives hostile values in headers', async () => {
    for (const value of HOSTILE) {
      if (!/^[\x20-\x7e]*$/.test(value)) continue;
      for (const name of ['x-service-language', 'x-service-simple-pagination', 'x-service-preview', 'if-none-match']) {
        const reply = await reader.list('', { headers: { [name]: value } });
        expect([200, 422], `${name}: ${value}`).toContain(reply.status);
      }
      expect(errorOf(await reader.list('', { site: value }))).toEqual([400, 'Invalid Site ID.']);
    }
  });

  test('rejects a NUL character in every known parameter', async () => {
    for (const name of PARAMETERS) {
      const [status, message] = errorOf(await reader.list(`${name}=a%00b`));
      expect([status, message]).toEqual([422, `The ${name.split('[', 1)[0]} parameter contains a NUL character.`]);
    }
    expect((await reader.list('slug[%00]=x')).status).toBe(422);
  });

  test('rejects values and names that are not valid UTF-8', async () => {
    for (const broken of ['%ff', '%c3', '%e0%80%80', '%ed%a0%80', '%', '%zz', '%f', 'a%E9b', '%f4%90%80%80']) {
      for (const name of PARAMETERS) {
        const [status, message] = errorOf(await reader.list(`${name}=${broken}`));
        const root = name.split('[', 1)[0];
        expect([status, message]).toEqual([422, `The ${root} parameter is not valid percent-encoded UTF-8.`]);
      }
      expect((await reader.list(`slug[${broken}]=x`)).status, broken).toBe(422);
      expect((await reader.list(`fields[text][${broken}]=x`)).status, broken).toBe(422);
    }
  });

  test('rejects a path with invalid percent-encoding', async () => {
    for (const path of [`${LIST_PATH}/%`, `${LIST_PATH}/%zz`, `${LIST_PATH}/c_full%`]) {
      expect(errorOf(await reader.call(path)), path).toEqual([400, 'Bad request.']);
    }
  });

  test('rejects names such as __proto__', async () => {
    for (const query of [
      'slug[__proto__]=x',
      'slug[__proto__][polluted]=x',
      'fields[__proto__][polluted]=x',
      'fields[text][__proto__]=x',
      'fields[text][headline][__proto__]=x',
      'fields[constructor][prototype]=x',
      'fields[text][constructor]=x',
      'sort[__proto__]=name',
      'limit[__proto__]=1',
    ]) {
      expect((await reader.list(query)).status, query).toBe(422);
    }
    expect((await reader.list('__proto__[slug]=full&__proto__=x')).status).toBe(200);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('rejects nested or unclosed brackets, raw or percent-encoded', async () => {
    for (const query of [
      `slug${'[a]'.repeat(500)}=x`,
      `slug${'[0]'.repeat(7)}=x`,
      'slug[=x',
      'slug[0=x',
      'slug[[]]=x',
      'slug[[0]]=x',
      'fields[text[headline]]=x',
      'fields[text][headline=x',
      `fields${'%5Ba%5D'.repeat(300)}=x`,
    ]) {
      expect((await reader.list(query)).status, query).toBe(422);
    }
  });

  test('accepts thousands of parameters within the URL length limit and rejects a longer URL', async () => {
    const many = (count: number, pair: string) => Array.from({ length: count }, () => pair).join('&');
    expect((await reader.list(many(4000, 'a'))).status).toBe(200);
    expect((await reader.list(many(1000, 'slug=x'))).status).toBe(422);
    expect((await reader.list(many(1600, 'slug'))).status).toBe(422);
    for (const query of [many(10_000, 'a'), many(10_000, 'slug=x').slice(0, 9000)]) {
      const reply = await exchange(reader.service.url, 'GET', `${LIST_PATH}?${query}`, {
        authorization: `Bearer ${reader.token}`,
        'x-service-site': PRESS,
      });
      expect(errorOf(reply)).toEqual([414, 'URI too long.']);
    }
  });

  test('rejects headers that are too large', async () => {
    const reply = await exchange(reader.service.url, 'GET', LIST_PATH, { 'x-large': 'x'.repeat(20_000) });
    expect(errorOf(reply)).toEqual([431, 'Request header fields too large.']);
  });

  test('names the parameter, its value and the allowed values in every error, and truncates long values', async () => {
    const long = 'x'.repeat(3000);
    for (const name of ['limit', 'match', 'fallback_default_language', 'sort', 'fields[number][rank]']) {
      const [status, message] = errorOf(await reader.list(`${name}=${long}`));
      expect(status).toBe(422);
      expect(message).toMatch(new RegExp(`^The ${name.replace(/[[\]]/g, '\\$&')} parameter .*"x{60}…".* allowed`));
      expect(message.length).toBeLessThan(300);
    }
  });

  test('ignores a request body', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '0' };
    expect(idsOf(await reader.list('', { headers }))).toEqual(LISTED);
  });

  test('returns the right error for each of many concurrent bad requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        reader.list(index % 2 === 0 ? `limit=${1000 + index}` : `sort=x${index}`),
      ),
    );
    for (const [index, reply] of replies.entries()) {
      const [status, message] = errorOf(reply);
      expect(status).toBe(422);
      expect(message).toContain(index % 2 === 0 ? `"${1000 + index}"` : `"x${index}"`);
    }
  });
});
