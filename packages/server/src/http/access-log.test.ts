import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccessLog } from './access-log.ts';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState } from './drain.ts';
import { exchange, openSocket } from './raw-exchange.fixture.ts';

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
let onLine: () => void = () => {};
let status = 200;
let onNever: () => void = () => {};

const log = createLogger('debug', {
  write(text) {
    lines.push(JSON.parse(text));
    onLine();
  },
});
const accessLog = createAccessLog(log, 'info');
const server = createHttpServer({
  log,
  drain: createDrainState(),
  headerPrefix: 'X-SERVICE',
  watches: [accessLog.watch],
  takeFirst: (request, response) => {
    if (request.url?.startsWith('/first') !== true) return false;
    accessLog.note(request.headers, { key: 'k_1' });
    accessLog.note(request.headers, { site: 's_1' });
    response.writeHead(200, { 'content-length': 5 }).end('first');
    return true;
  },
});
server.get('/livez', (_request, reply) => reply.code(status).send({}));
server.get('/first', () => 'second');
server.get('/never', () => {
  onNever();
  return new Promise(() => {});
});
let port = 0;

beforeAll(async () => {
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
});

afterAll(() => server.close());

/** The log lines for a request. */
async function ask(request: string): Promise<readonly Line[]> {
  lines.length = 0;
  // The second request is answered after the first, so its line is last.
  await exchange(port, `${request}GET /end HTTP/1.1\r\nHost: a\r\n\r\n`, 2);
  while (lines.at(-1)?.path !== '/end') await new Promise<void>((resolve) => (onLine = resolve));
  return lines.slice(0, -1);
}

function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
}

describe('the access log', () => {
  test('logs the path, the caller, the status and the duration of a request', async () => {
    const [line, ...others] = await ask(get('/first?token=gk_secret&q=x', 'X-Request-Id: mine\r\n'));
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: 'info',
      reqId: 'mine',
      method: 'GET',
      path: '/first',
      status: 200,
      site: 's_1',
      key: 'k_1',
      msg: 'request',
    });
    expect(line?.ms).toBeGreaterThanOrEqual(0);
    expect(line).not.toHaveProperty('aborted');
  });

  test('does not change how requests are handled, at any log level', async () => {
    const [answer] = await exchange(port, get('/first'), 1);
    expect(answer?.body).toBe('first');
  });

  test.each([
    ['an unknown path', get('/nothing#part'), { path: '/nothing', status: 404 }],
    ['an absolute target', get('http://a.example/nothing?x'), { path: '/nothing', status: 404 }],
    ['a different method', 'DELETE /livez HTTP/1.1\r\nHost: a\r\n\r\n', { method: 'DELETE', status: 405 }],
    ['a key in the path', get('/sites/gk_abc-DEF_1/x'), { path: '/sites/gk_[redacted]/x' }],
    ['a path that is too long', get(`/${'a'.repeat(9_000)}`), { path: `/${'a'.repeat(1_023)}`, status: 414 }],
    ['a refused expectation', get('/first', 'Expect: tea\r\n'), { path: '/first', status: 417 }],
  ])('logs a request with %s', async (_name, request, expected) => {
    const told = await ask(request);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject(expected);
  });

  test('uses the same request id as the response', async () => {
    lines.length = 0;
    const [answer] = await exchange(port, get('/nothing'), 1);
    while (lines.length === 0) await new Promise<void>((resolve) => (onLine = resolve));
    expect(lines[0]?.reqId).toBe(answer?.headers['x-request-id']);
  });

  test('does not log health checks unless they fail', async () => {
    expect(await ask(get('/livez'))).toEqual([]);
    status = 503;
    expect(await ask(get('/livez'))).toMatchObject([{ path: '/livez', status: 503 }]);
  });

  test('logs that a client disconnected before it got its response', async () => {
    lines.length = 0;
    const asked = new Promise<void>((resolve) => (onNever = resolve));
    const told = new Promise<void>((resolve) => (onLine = resolve));
    const socket = openSocket(port, get('/never'));
    await asked;
    socket.destroy();
    await told;
    expect(lines[0]).toMatchObject({ path: '/never', aborted: true });
  });
});
