// The library reports all failures with one error class: error responses, responses from other servers, and failed connections.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  createClient,
  GalleyError,
  isForbidden,
  isGalleyError,
  isInvalid,
  isMisconfigured,
  isNotFound,
  isRateLimited,
  isTimeout,
  isUnauthenticated,
  isUnavailable,
} from '../../src/index.ts';
import { CLOSED, LIBRARY, type Library, openClient, openLibrary } from './library.ts';
import { type ScriptedAnswer, type Step, startScriptedServer } from './scripted-server.ts';

const GUARDS = {
  isForbidden,
  isInvalid,
  isMisconfigured,
  isNotFound,
  isRateLimited,
  isTimeout,
  isUnauthenticated,
  isUnavailable,
};

function guardsThatKnow(error: unknown): readonly string[] {
  return Object.entries(GUARDS)
    .filter(([, knows]) => knows(error))
    .map(([name]) => name);
}

async function catchError(promise: Promise<unknown>): Promise<GalleyError> {
  const error: unknown = await promise.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  if (!isGalleyError(error)) throw new Error('The error is not a GalleyError', { cause: error });
  return error;
}

describe('an error response', () => {
  let library: Library;

  beforeAll(async () => {
    library = await openLibrary();
  });

  afterAll(() => library.close());

  const refuse = async (options: Partial<ClientOptions>, id = 'c_one') =>
    catchError(openClient(library, { retry: false, ...options }).getContentById(id));

  test('reports a wrong or expired key', async () => {
    const { token } = await library.service.createKey({ sites: [LIBRARY], expires: Date.now() - 1000 });
    for (const apiKey of ['wrong', token]) {
      const error = await refuse({ apiKey });
      expect(error).toMatchObject({ status: 401, message: 'Unauthenticated.', code: 'unauthenticated' });
      expect(guardsThatKnow(error)).toEqual(['isUnauthenticated']);
    }
  });

  test('reports a request without a site', async () => {
    const error = await refuse({ fetchOptions: { headers: { 'X-SERVICE-SITE': '' } } });
    expect(error).toMatchObject({ status: 403, message: 'You must supply the Site ID in the appropriate header.' });
    expect(guardsThatKnow(error)).toEqual(['isForbidden']);
  });

  test('reports an unknown site', async () => {
    const error = await refuse({ siteId: 's_nowhere' });
    expect(error).toMatchObject({ status: 400, message: 'Invalid Site ID.', code: 'bad_request' });
    expect(guardsThatKnow(error)).toEqual([]);
  });

  test('reports a site that the key cannot read', async () => {
    const error = await refuse({ siteId: CLOSED });
    expect(error).toMatchObject({ status: 403, message: 'You are not permitted to access this Site.' });
    expect(guardsThatKnow(error)).toEqual(['isForbidden']);
  });

  test('reports a key that has exceeded its rate limit', async () => {
    const { token } = await library.service.createKey({ sites: [LIBRARY], rateLimit: 1 });
    const client = openClient(library, { apiKey: token, retry: false });
    await client.getContentById('c_one');
    const error = await catchError(client.getContentById('c_one'));
    expect(error).toMatchObject({ status: 429, message: 'Too many requests.', retryable: true });
    expect(error.retryAfter).toBeGreaterThan(0);
    expect(guardsThatKnow(error)).toEqual(['isRateLimited']);
  });

  test('reports a preview request with a key that has no preview permission', async () => {
    const { token } = await library.service.createKey({ sites: [LIBRARY] });
    const error = await refuse({ apiKey: token, isPreview: true });
    expect(error).toMatchObject({ status: 403, message: 'This API key may not read previews.' });
    expect(guardsThatKnow(error)).toEqual(['isForbidden']);
  });

  test('reports an invalid parameter', async () => {
    const error = await catchError(openClient(library).getContent({ params: { limit: 101 } }));
    expect(error).toMatchObject({
      status: 422,
      message: 'The limit parameter is "101"; an integer from 1 to 100 is allowed.',
      code: 'invalid',
      retryable: false,
      url: `${library.access.apiURL}/content?limit=101`,
    });
    expect(guardsThatKnow(error)).toEqual(['isInvalid']);
    expect(await refuse({ language: 'nds' })).toMatchObject({ status: 422, message: expect.stringContaining('nds') });
  });

  test('reports missing content', async () => {
    const error = await refuse({}, 'c_nothing');
    expect(error).toMatchObject({ status: 404, message: 'Content not found.', code: 'not_found' });
    expect(guardsThatKnow(error)).toEqual(['isNotFound']);
  });

  test('reports an unknown path differently from missing content', async () => {
    const client = openClient(library, { retry: false, apiURL: `${library.service.url}/api/v2` });
    for (const asked of [client.getContentById('c_one'), client.getContentBySlug('one', 'article')]) {
      const error = await catchError(asked);
      expect(error).toMatchObject({ status: 404, code: 'misconfigured', retryable: false });
      expect(error.message).toBe(`${error.url} responded with 404 (Not found.). Is apiURL the root of the API?`);
      expect(error.url).toContain(`${library.service.url}/api/v2/content`);
      expect(guardsThatKnow(error)).toEqual(['isMisconfigured']);
    }
  });

  test('reports methods other than GET', async () => {
    const error = await refuse({ fetchOptions: { method: 'POST' } });
    expect(error).toMatchObject({ status: 405, message: 'Method not allowed.', code: 'refused', retryable: false });
  });

  test('always includes the request ID and never the key', async () => {
    for (const options of [{ siteId: CLOSED }, { siteId: 's_nowhere' }, { isPreview: true, language: 'nds' }]) {
      const error = await refuse(options);
      expect(error).toBeInstanceOf(GalleyError);
      expect(error.requestId).toMatch(/^[0-9a-f]{16}-/);
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(library.access.apiKey);
    }
  });
});

describe('unexpected responses', () => {
  async function failWith(step: Step, options: Partial<ClientOptions> = {}): Promise<GalleyError> {
    await using server = await startScriptedServer(step);
    const access = { apiURL: server.url, apiKey: 'k_secret', siteId: 's_1', retry: false as const };
    return await catchError(createClient({ ...access, ...options }).getContentById('c_1'));
  }

  test.each([
    [503, 'Service unavailable.', 'unavailable', true],
    [500, 'Server error.', 'server_error', false],
  ])("uses the service's message for a %i", async (status, message, code, retryable) => {
    const headers = { 'x-request-id': 'r-1', 'retry-after': '7' };
    const error = await failWith({ status, headers, body: { message } });
    expect(error).toMatchObject({ name: 'GalleyError', status, message, code, retryable, requestId: 'r-1' });
    expect(error.retryAfter).toBe(7000);
  });

  const page: ScriptedAnswer = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<h1>Hello</h1>' };

  test.each([502, 503, 504])('reports a %i page from a proxy as unavailable', async (status) => {
    const error = await failWith({ ...page, status });
    expect(guardsThatKnow(error)).toEqual(['isUnavailable']);
    expect(error).toMatchObject({ status, retryable: true });
    expect(error.message).toMatch(
      /\/api\/v1\/content\/c_1 responded with \d+ \(text\/html; charset=utf-8\)\. Is apiURL /,
    );
  });

  test('reports a page from another server as unreadable', async () => {
    const error = await failWith(page);
    expect(error).toMatchObject({ code: 'unreadable', status: 200, retryable: false });
    expect(error.message).toContain('Is apiURL the root of the API?');
    expect(guardsThatKnow(error)).toEqual([]);
  });

  test.each<[string, ScriptedAnswer]>([
    ["a proxy's page", page],
    ['nothing at all', { headers: {}, body: '' }],
    ['JSON from another service', { body: { error: 'Not Found', statusCode: 404 } }],
    ['JSON from another service with a message', { body: { message: 'Cannot GET /api/v1/content/c_1' } }],
  ])('reports a 404 that is not about content (%s) as misconfigured, not as missing content', async (_, answer) => {
    const error = await failWith({ ...answer, status: 404 });
    expect(error).toMatchObject({ code: 'misconfigured', status: 404, retryable: false });
    expect(error.message).toContain('Is apiURL the root of the API?');
    expect(guardsThatKnow(error)).toEqual(['isMisconfigured']);
  });

  test('reports a sign-in page as unreadable, with the final URL', async () => {
    await using login = await startScriptedServer(page);
    const error = await failWith({ status: 302, headers: { location: `${login.url}/login` } });
    expect(error).toMatchObject({ code: 'unreadable', status: 200 });
    expect(error.message).toContain(`(redirected to ${login.url}/login)`);
    expect(login.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test("after a redirect, reports an error with the server's message and the final URL", async () => {
    await using other = await startScriptedServer({ status: 401, body: { message: 'Unauthenticated.' } });
    const error = await failWith({ status: 302, headers: { location: `${other.url}/api/v1/content/c_1` } });
    expect(error.message).toBe(`Unauthenticated. (redirected to ${other.url}/api/v1/content/c_1)`);
  });

  test.each([400, 404, 500])(
    'removes the key when a proxy repeats the request headers in its %d response',
    async (status) => {
      const message = 'Bad header: authorization: Bearer k_secret; again: k_secret';
      await using server = await startScriptedServer({ status, body: { message } });
      const client = createClient({ apiURL: server.url, apiKey: 'k_secret', siteId: 's_1', retry: false });
      const error = await catchError(client.getContent());
      expect(error.message).toContain('authorization: Bearer ***; again: ***');
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('k_secret');
    },
  );

  test('reports a list of non-content objects as unreadable', async () => {
    for (const data of [[null], [1], ['x'], [{ id: 5 }]]) {
      await using server = await startScriptedServer({ body: { data } });
      const client = createClient({ apiURL: server.url, apiKey: 'k_1', siteId: 's_1' });
      expect(await catchError(client.getContent())).toMatchObject({ code: 'unreadable' });
    }
  });

  test.each(['{"id": "c_1", "na', '', '[]', 'null', '"text"', '{"id": 5}', '{"message": "fine"}'])(
    'reports truncated JSON or JSON that is not content (%s) as unreadable',
    async (body) => {
      expect(await failWith({ body })).toMatchObject({ code: 'unreadable', status: 200, retryable: false });
    },
  );

  test('reports an unrequested 304 as unreadable', async () => {
    expect(await failWith({ status: 304 })).toMatchObject({ code: 'unreadable', status: 304 });
  });

  test('reports a connection dropped before or during the response as a network error', async () => {
    const steps: readonly Step[] = [
      (request) => request.socket.destroy(),
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"id":', () => response.destroy());
      },
    ];
    for (const step of steps) {
      const error = await failWith(step);
      expect(error).toMatchObject({ code: 'network', retryable: true });
      expect([error.status, error.requestId]).toEqual([undefined, undefined]);
      expect(error.cause).toBeInstanceOf(Error);
      expect(guardsThatKnow(error)).toEqual(['isUnavailable']);
    }
  });

  test('reports the address and the cause when nothing is listening', async () => {
    const server = await startScriptedServer({});
    await server[Symbol.asyncDispose]();
    const client = createClient({ apiURL: server.url, apiKey: 'k_secret', siteId: 's_1', retry: false });
    const error = await catchError(client.getContentById('c_1'));
    const port = new URL(server.url).port;
    expect(error.message).toBe(
      `${server.url}/api/v1/content/c_1 could not be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  test('times out while waiting for the headers or for the body', async () => {
    const steps: readonly Step[] = [
      () => {},
      (_, response) => {
        response.writeHead(200).write('{"id":');
      },
    ];
    for (const step of steps) {
      const error = await failWith(step, { timeout: 50 });
      expect(error).toMatchObject({ code: 'timeout', retryable: true });
      expect(error.status).toBeUndefined();
      expect(error.message).toMatch(/content\/c_1 did not respond within 50 ms\.$/);
      expect(guardsThatKnow(error)).toEqual(['isTimeout']);
    }
  });
});
