import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { buildOpenApiDocument } from './openapi-document.ts';
import {
  type ExplorerOptions,
  mayReadDemoAccess,
  registerExplorer,
  registerManagementExplorer,
} from './register-explorer.ts';

const document = buildOpenApiDocument({ headerPrefix: 'X-SERVICE', version: '1.2.3' });
const demoAccess = { token: 'demo-token', siteId: 's_demo' };
const fromPage = { host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };
const pageFolder = join(import.meta.dirname, 'page');

const management = {
  buildDocument: () => ({ openapi: '3.1.1', info: { title: 'Management' } }),
  hasSessionCookie: (header: string | undefined) => header === 'yes',
};

function createServer(options: Partial<ExplorerOptions> = {}): FastifyInstance {
  const server = fastify();
  registerExplorer(server, { document, hasManagement: true, ...options });
  if (options.hasManagement !== false) registerManagementExplorer(server, management);
  return server;
}

describe('/openapi.json', () => {
  test('returns the document, which is cacheable for a minute and readable from any origin', async () => {
    const response = await createServer().inject('/openapi.json');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['cache-control']).toBe('public, max-age=60');
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('responds with a 304 if the client sends the current ETag', async () => {
    const server = createServer();
    const { etag } = (await server.inject('/openapi.json')).headers;
    const again = await server.inject({ url: '/openapi.json', headers: { 'if-none-match': `"other", ${etag}` } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  test.each(['gzip', 'br, gzip;q=0.5', 'deflate,GZIP'])('is compressed for %j', async (encodings) => {
    const response = await createServer().inject({ url: '/openapi.json', headers: { 'accept-encoding': encodings } });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(response.rawPayload).toString()).openapi).toBe('3.1.1');
  });

  test.each(['br', 'gzip;q=0', 'gzip;q=0.0', 'identity'])('is not compressed for %j', async (encodings) => {
    const response = await createServer().inject({ url: '/openapi.json', headers: { 'accept-encoding': encodings } });
    expect(response.headers['content-encoding']).toBeUndefined();
  });
});

describe.each(['/docs', '/docs/images', '/manage/docs'])('%s', (page) => {
  test('is a page that cannot load files from other origins or run inline scripts', async () => {
    const response = await createServer().inject(page);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = response.headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(response.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  });

  test('can load every file that it refers to, using URLs relative to the page', async () => {
    const server = createServer();
    const { body } = await server.inject(page);
    const addresses = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses.some((address) => address.endsWith('explorer.css'))).toBe(true);
    for (const address of addresses) {
      expect(address.startsWith('/')).toBe(false);
      const { pathname } = new URL(address, `http://127.0.0.1${page}`);
      expect((await server.inject(pathname)).statusCode, address).toBe(200);
    }
    const style = await readFile(join(pageFolder, 'explorer.css'), 'utf8');
    expect(style).toContain('@import url("swagger-ui.css")');
    expect((await server.inject('/docs/swagger-ui.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  test('links to the other pages, and marks itself as the current one', async () => {
    const { body } = await createServer().inject(page);
    const nav = /<nav aria-label="APIs">(.*?)<\/nav>/s.exec(body)?.[1] ?? '';
    const links = [...nav.matchAll(/<a href="([^"]+)"([^>]*)>/g)].map(([, address = '', traits = '']) => ({
      path: new URL(address, `http://127.0.0.1${page}`).pathname,
      isCurrent: traits.includes('aria-current="page"'),
    }));
    expect(links).toEqual(
      ['/docs', '/docs/images', '/manage/docs'].map((path) => ({ path, isCurrent: path === page })),
    );
  });

  test('is also available with a trailing slash', async () => {
    const response = await createServer().inject(`${page}/`);
    expect(response.statusCode).toBe(308);
    const there = new URL(String(response.headers.location), `http://127.0.0.1/below${page}/`);
    expect(there.pathname).toBe(`/below${page}`);
  });

  test('responds to HEAD without a body', async () => {
    const response = await createServer().inject({ method: 'HEAD', url: page });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });
});

describe('the explorer', () => {
  test('serves every file that the pages need, and no other Swagger UI file', async () => {
    const server = createServer();
    for (const name of await readdir(pageFolder)) {
      const url = name === 'images.html' ? '/docs/images' : `/docs/${name}`;
      expect((await server.inject(url)).statusCode, url).toBe(200);
    }
    for (const name of ['index.html', 'package.json', 'swagger-ui.js', '../package.json', '%2e%2e/package.json']) {
      expect((await server.inject(`/docs/${name}`)).statusCode, name).toBe(404);
    }
  });

  test('does not store anything that is typed into its pages', async () => {
    const scripts = ['explorer.js', 'images.js', 'management.js', 'swagger-page.js'];
    const texts = await Promise.all(scripts.map((name) => readFile(join(pageFolder, name), 'utf8')));
    expect(texts.join('')).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie/);
    expect(texts.join('')).toContain('persistAuthorization: false');
  });
});

describe('/docs/access.json', () => {
  test('returns the demo key to the page', async () => {
    const response = await createServer({ demoAccess }).inject({ url: '/docs/access.json', headers: fromPage });
    expect(response.json()).toEqual({ access: demoAccess, hasManagement: true });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('does not return the demo key to anybody else', async () => {
    const headers = { ...fromPage, 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
    const response = await createServer({ demoAccess }).inject({ url: '/docs/access.json', headers });
    expect(response.json()).toMatchObject({ access: null });
  });

  test('returns no key if there is no demo', async () => {
    const response = await createServer().inject({ url: '/docs/access.json', headers: fromPage });
    expect(response.json()).toMatchObject({ access: null });
  });
});

describe('the management API', () => {
  test('has its own document, which no other origin may read', async () => {
    const response = await createServer().inject('/manage/v1/openapi.json');
    expect(response.json()).toEqual(management.buildDocument());
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is linked only if it is served', async () => {
    const server = createServer({ hasManagement: false });
    expect((await server.inject('/docs/access.json')).json()).toEqual({ access: null, hasManagement: false });
  });

  test('tells the page only whether to ask for a session', async () => {
    const server = createServer();
    for (const [cookie, hasSessionCookie] of [
      ['yes', true],
      ['no', false],
    ] as const) {
      const response = await server.inject({ url: '/manage/docs/access.json', headers: { cookie } });
      expect(response.json()).toEqual({ hasSessionCookie });
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });
});

describe('the demo key', () => {
  test.each(['127.0.0.1:3000', '127.0.0.1', 'localhost:3000', 'LOCALHOST', '[::1]:3000'])(
    'is returned to a page that was loaded from %s',
    (host) => {
      expect(mayReadDemoAccess({ ...fromPage, host })).toBe(true);
    },
  );

  test.each([
    'demo.example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '192.168.1.4:3000',
    '[::]:3000',
    '',
  ])('is not returned to the host %j', (host) => {
    expect(mayReadDemoAccess({ ...fromPage, host })).toBe(false);
  });

  test.each(['cross-site', 'same-site', 'none', undefined])('is not returned if Sec-Fetch-Site is %s', (site) => {
    expect(mayReadDemoAccess({ ...fromPage, 'sec-fetch-site': site })).toBe(false);
  });

  test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])(
    'is not returned through a proxy that sends %s',
    (name) => {
      expect(mayReadDemoAccess({ ...fromPage, [name]: '10.0.0.1' })).toBe(false);
    },
  );
});
