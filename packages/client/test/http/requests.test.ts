// The requests that the client sends: URLs, headers and options, and what it passes through unchanged.

import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { type CallOptions, type ClientOptions, createClient } from '../../src/index.ts';
import { contentBody, startScriptedServer } from './scripted-server.ts';

const LIST = {
  data: [contentBody('c_1'), contentBody('c_2')],
  links: { first: null, last: null, prev: null, next: null },
};

async function record(
  options: Partial<ClientOptions>,
  call: CallOptions = {},
  params: object = {},
): Promise<IncomingMessage> {
  await using server = await startScriptedServer({ body: LIST });
  const client = createClient({ apiURL: server.url, apiKey: 'k_1', siteId: 's_1', ...options });
  await client.getContent({ params }, call);
  const [request] = server.requests;
  if (request === undefined) throw new Error('No request was sent');
  return request;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !(value instanceof AbortSignal) && !(value instanceof Headers)) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

test('sends the key and the site, and a Boolean header only when it is on', async () => {
  const plain = await record({});
  expect(plain.method).toBe('GET');
  expect(plain.url).toBe('/api/v1/content');
  expect(plain.headers).toMatchObject({
    authorization: 'Bearer k_1',
    'x-service-site': 's_1',
    accept: 'application/json',
  });
  expect(Object.keys(plain.headers).filter((name) => name.startsWith('x-'))).toEqual(['x-service-site']);

  const full = await record({ isPreview: true, simplePagination: true, language: 'fr', headerPrefix: 'X-Brand' });
  expect(full.headers).toMatchObject({
    'x-brand-site': 's_1',
    'x-brand-preview': 'true',
    'x-brand-simple-pagination': 'true',
    'x-brand-language': 'fr',
  });
});

test('encodes arrays with [] and objects with brackets, and omits undefined values', async () => {
  const params = {
    content_type: ['a', 'b'],
    slug: undefined,
    limit: 5,
    fallback_default_language: false,
    fields: { text: { title: 'a & b', other: undefined }, content_links: { related: { id: ['c_1', 'c_2'] } } },
  };
  const { url = '' } = await record({}, {}, params);
  expect([...new URL(url, 'http://localhost').searchParams]).toEqual([
    ['content_type[0]', 'a'],
    ['content_type[1]', 'b'],
    ['limit', '5'],
    ['fallback_default_language', 'false'],
    ['fields[text][title]', 'a & b'],
    ['fields[content_links][related][id][0]', 'c_1'],
    ['fields[content_links][related][id][1]', 'c_2'],
  ]);
});

test.each([
  ['an object', { 'X-Own': 'mine', Authorization: 'Bearer other' }],
  [
    'pairs',
    [
      ['x-own', 'mine'],
      ['AUTHORIZATION', 'Bearer other'],
    ],
  ],
  ['Headers', new Headers({ 'x-own': 'mine', authorization: 'Bearer other' })],
] as [string, NonNullable<RequestInit['headers']>][])(
  "the caller's headers, given as %s, override the library's",
  async (_, headers) => {
    for (const request of [
      await record({ fetchOptions: { headers } }),
      await record({}, { fetchOptions: { headers } }),
    ]) {
      expect(request.headers).toMatchObject({
        'x-own': 'mine',
        authorization: 'Bearer other',
        'x-service-site': 's_1',
      });
    }
  },
);

test("a call's headers are merged with the client's and override them", async () => {
  const options = { fetchOptions: { headers: { one: 'client', two: 'client' } } };
  const { headers } = await record(options, { fetchOptions: { headers: { two: 'call', three: 'call' } } });
  expect(headers).toMatchObject({ one: 'client', two: 'call', three: 'call' });
});

test("passes on all other fetch options, and the call's options take precedence", async () => {
  const seen: RequestInit[] = [];
  const client = createClient({
    apiURL: 'http://content.example',
    apiKey: 'k_1',
    siteId: 's_1',
    fetchOptions: { cache: 'no-store', credentials: 'omit', mode: 'cors' },
    fetch: async (_, init) => {
      seen.push(init);
      return Response.json(LIST);
    },
  });
  await client.getContent({}, { fetchOptions: { cache: 'reload' } });
  expect(seen).toMatchObject([{ cache: 'reload', credentials: 'omit', mode: 'cors' }]);
});

test('uses the global fetch at the time of sending', async () => {
  const client = createClient({ apiURL: 'http://content.example', apiKey: 'k_1', siteId: 's_1' });
  const original = globalThis.fetch;
  globalThis.fetch = async () => Response.json(LIST);
  try {
    expect((await client.getContent()).content).toHaveLength(2);
  } finally {
    globalThis.fetch = original;
  }
});

test("does not modify the caller's objects and ignores later changes to them", async () => {
  const last = { data: [], links: { next: null, prev: '/x?page=1', first: '/x?page=1', last: '/x?page=1' } };
  await using server = await startScriptedServer(
    { body: { ...LIST, links: { next: '/x?limit=2&page=2' } } },
    { body: last },
  );
  const options = {
    apiURL: server.url,
    apiKey: 'k_1',
    siteId: 's_1',
    simplePagination: true,
    fetchOptions: { headers: { a: 'b' } },
  };
  const frozen = createClient(deepFreeze(structuredClone(options)));
  const params = { content_type: ['a'], fields: { text: { title: ['x'] } }, limit: 2 };
  const call = { language: 'fr', fetchOptions: { headers: [['c', 'd']] as [string, string][] } };
  await frozen.getContent(deepFreeze({ params: structuredClone(params) }), deepFreeze(structuredClone(call)));

  const client = createClient(options);
  const page = client.getContent({ params });
  options.apiKey = 'changed';
  options.fetchOptions.headers.a = 'changed';
  params.fields.text.title.push('changed');
  expect((await page).pagination?.prev?.fields).toEqual({ text: { title: ['x'] } });
  await client.getContent();
  expect(server.requests.map((request) => request.headers.authorization)).toEqual(Array(3).fill('Bearer k_1'));
  expect(server.requests.map((request) => request.headers.a)).toEqual(['b', 'b', 'b']);
});

test('never follows a link to another host, so the key is sent only to its own server', async () => {
  await using other = await startScriptedServer({ body: LIST });
  const next = `${other.url}/steal?cursor=abc&limit=2#part`;
  await using server = await startScriptedServer(
    { body: { ...LIST, links: { next } } },
    { body: contentBody('c_3'), headers: { link: `<${other.url}/steal?cursor=def>; rel="next"` } },
    { body: LIST },
  );
  const client = createClient({ apiURL: `${server.url}/content-api`, apiKey: 'k_1', siteId: 's_1' });
  const second = await (await client.getContent()).nextPage?.();
  await second?.nextPage?.();
  expect(server.requests.map((request) => request.url)).toEqual([
    '/content-api/content',
    '/content-api/content?cursor=abc&limit=2',
    '/content-api/content?cursor=def',
  ]);
  expect(other.requests).toEqual([]);
});
