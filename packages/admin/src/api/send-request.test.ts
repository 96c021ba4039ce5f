import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSender, keepCaller } from './send-request.ts';

beforeEach(() => {
  vi.useFakeTimers();
  keepCaller({ user: 'm_ines', csrfToken: 'csrf' });
});

afterEach(() => {
  keepCaller(undefined);
  vi.useRealTimers();
});

/** Returns these responses in turn, and records the requests. */
function openService(...answers: readonly Response[]) {
  const asked: { readonly method: string; readonly key: string | null; readonly body: string }[] = [];
  const left = [...answers];
  const send = createSender(async (request) => {
    asked.push({ method: request.method, key: request.headers.get('idempotency-key'), body: await request.text() });
    return left.shift() ?? new Response('{}');
  });
  return { asked, send };
}

function refuse(status: number, retryAfter?: string): Response {
  return new Response('{}', {
    status,
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
  });
}

function build(method: string): Request {
  return new Request('http://galley.test/manage/v1/sites', {
    method,
    ...(method === 'GET' ? {} : { body: '{"name":"x"}' }),
  });
}

test('retries a POST once after a 503, with the same idempotency key', async () => {
  const { asked, send } = openService(refuse(503, '1'));
  const answering = send(build('POST'));
  await vi.advanceTimersByTimeAsync(1000);
  expect((await answering).status).toBe(200);
  expect(asked).toHaveLength(2);
  expect(asked[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(asked[1]).toEqual(asked[0]);
});

test('sends each POST with its own idempotency key', async () => {
  const { asked, send } = openService();
  for (let count = 0; count < 3; count += 1) await send(build('POST'));
  expect(new Set(asked.map(({ key }) => key)).size).toBe(3);
});

test.each([
  ['POST', refuse(503, '10')],
  ['POST', refuse(503)],
  ['POST', refuse(507, '1')],
  ['PUT', refuse(503, '1')],
  ['PATCH', refuse(503, '1')],
  ['GET', refuse(503, '1')],
])('does not retry %s after %o', async (method, answer) => {
  const { asked, send } = openService(answer);
  expect((await send(build(method))).status).toBe(answer.status);
  expect(asked).toHaveLength(1);
});

test('sends no idempotency key if there is no session', async () => {
  keepCaller(undefined);
  const { asked, send } = openService();
  await send(build('POST'));
  expect(asked[0]?.key).toBeNull();
});
