// If a web page's host name resolves to this machine, a browser treats that page and the service as the same origin. Only the host name
// in the request distinguishes them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, openConnection, type Received } from '../support/connection.ts';
import { startService, type TestService } from '../support/service.ts';

const MESSAGE =
  'The management API is not available at this host name. Add it to GALLEY_ADMIN_HOSTS, or set GALLEY_PUBLIC_URL.';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** The request that a page sends when the browser treats it as part of the service. */
const REBOUND = { host: 'rebind.evil.example', 'sec-fetch-site': 'same-origin' };

interface Place {
  readonly service: TestService;
  readonly connection: Connection;
}

async function open(environment: Readonly<Record<string, string>>): Promise<Place> {
  const service = await startService(environment);
  return { service, connection: openConnection(service.url) };
}

async function close({ service, connection }: Place): Promise<void> {
  connection.close();
  await service.close();
}

const readMessage = ({ bytes }: Received): unknown => JSON.parse(bytes.toString());

describe('a service with a public URL and an additional host', () => {
  let place: Place;

  beforeAll(async () => {
    place = await open({ GALLEY_PUBLIC_URL: 'https://CMS.example.com:8443/base', GALLEY_ADMIN_HOSTS: 'cms.internal' });
  });

  afterAll(() => close(place));

  const askAs = (host: string, target = '/manage/v1/setup'): Promise<Received> =>
    place.connection.ask({ target, headers: { host } });

  test.each([
    'rebind.evil.example',
    'evil.example:3000',
    'cms.example.com.evil.example',
    'evilcms.example.com',
    'notlocalhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    '0x7f.1',
    'cms.example.com@evil.example',
    'evil.example/cms.example.com',
    '[::1].evil.example',
  ])('does not let %j reach the management API', async (host) => {
    const answer = await askAs(host);
    expect([answer.status, readMessage(answer)]).toEqual([421, { message: MESSAGE, code: 'host_unknown' }]);
  });

  test.each([
    'localhost',
    'LOCALHOST:3000',
    'localhost.',
    'panel.localhost:3000',
    '127.0.0.1:1',
    '192.168.1.20',
    '[::1]:3000',
    'cms.example.com',
    'Cms.Example.com:8443',
    'cms.example.com.:443',
    'cms.internal:8080',
  ])('lets %s reach the management API', async (host) => {
    expect(await askAs(host)).toMatchObject({ status: 200 });
  });

  test.each(['/manage/v1/openapi.json', '/manage/docs', '/manage/docs/access.json', '/admin', '/admin/sites'])(
    'does not let an unknown host read %s',
    async (target) => {
      expect((await place.connection.ask({ target, headers: REBOUND })).status).toBe(421);
      expect((await askAs('cms.internal', target)).status).toBe(200);
    },
  );

  test('is not fooled by an encoded path', async () => {
    for (const target of ['/%6Danage/v1/setup', '/manage/v1/%73etup', '/%61dmin']) {
      expect([404, 421]).toContain((await place.connection.ask({ target, headers: REBOUND })).status);
    }
  });

  test('cannot be set up by a page at another host name', async () => {
    const body = { email: 'eve@evil.example', name: 'Eve', password: 'correct horse battery', token: 'guess' };
    const headers = { ...REBOUND, origin: 'http://rebind.evil.example' };
    const answer = await place.connection.ask({ method: 'POST', target: '/manage/v1/setup', headers, body });
    expect(answer.status).toBe(421);
    expect(readMessage(await askAs('localhost'))).toEqual({ is_needed: true });
  });

  test('ignores a forwarded host without a trusted proxy', async () => {
    const headers = { ...REBOUND, 'x-forwarded-host': 'localhost' };
    expect(await place.connection.ask({ target: '/manage/v1/setup', headers })).toMatchObject({ status: 421 });
  });

  test('tells a person opening the panel which setting to change', async () => {
    const answer = await place.connection.ask({ target: '/admin', headers: { ...BROWSER, host: 'New.example:8080' } });
    const page = answer.bytes.toString();
    expect(answer).toMatchObject({ status: 421, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page).toContain('GALLEY_PUBLIC_URL=https://new.example\n'.trim());
    expect(page).toContain('GALLEY_ADMIN_HOSTS=new.example<');
    const api = await place.connection.ask({ target: '/manage/v1/setup', headers: { ...BROWSER, ...REBOUND } });
    expect(readMessage(api)).toEqual({ message: MESSAGE, code: 'host_unknown' });
  });

  test('does not repeat a hostile host name in the response', async () => {
    for (const host of ['<script>alert(1)</script>', 'a"onload=x', 'a&b']) {
      const answer = await place.connection.ask({ target: '/admin', headers: { ...BROWSER, host } });
      expect([answer.status, readMessage(answer)]).toEqual([421, { message: MESSAGE }]);
    }
  });

  test('serves content, the explorer and health checks at any host name', async () => {
    for (const [target, status] of [
      ['/api/v1/content', 401],
      ['/livez', 200],
      ['/readyz', 200],
      ['/docs', 200],
      ['/openapi.json', 200],
    ] as const) {
      expect((await place.connection.ask({ target, headers: REBOUND })).status, target).toBe(status);
    }
    expect((await place.connection.ask({ target: '/', headers: { ...BROWSER, ...REBOUND } })).status).toBe(200);
  });
});

describe('a service behind a trusted proxy', () => {
  let place: Place;

  beforeAll(async () => {
    place = await open({ GALLEY_TRUST_PROXY: 'true', GALLEY_PUBLIC_URL: 'https://cms.example.com' });
  });

  afterAll(() => close(place));

  const askThrough = (headers: Readonly<Record<string, string>>): Promise<Received> =>
    place.connection.ask({ target: '/manage/v1/setup', headers });

  test('uses the host that the proxy forwards', async () => {
    expect((await askThrough({ host: 'galley:3000', 'x-forwarded-host': 'cms.example.com' })).status).toBe(200);
    expect((await askThrough({ host: 'localhost', 'x-forwarded-host': 'evil.example' })).status).toBe(421);
  });

  test("does not let a client insert a host name before the proxy's", async () => {
    const headers = { host: 'galley:3000', 'x-forwarded-host': 'cms.example.com, evil.example' };
    expect((await askThrough(headers)).status).toBe(421);
  });
});
