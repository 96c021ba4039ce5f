import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { buildOpenApiDocument } from './openapi-document.ts';
import { registerExplorer } from './register-explorer.ts';

const document = buildOpenApiDocument({ headerPrefix: 'X-SERVICE', version: '1.2.3' });
const demoAccess = { token: 'demo-token', siteId: 's_demo' };
const fromPage = { host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };
const pageFolder = join(import.meta.dirname, 'page');

function createServer(options: { readonly demoAccess?: typeof demoAccess } = {}): FastifyInstance {
  const server = fastify();
  registerExplorer(server, { document, ...options });
  return server;
}

describe('/openapi.json', () => {
  test('is the document, cacheable for a moment and open to every origin', async () => {
    const response = await createServer().inject('/openapi.json');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['cache-control']).toBe('public, max-age=60');
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('answers 304 to its own ETag', async () => {
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

  test.each(['br', 'gzip;q=0', 'gzip;q=0.0', 'identity'])('is plain for %j', async (encodings) => {
    const response = await createServer().inject({ url: '/openapi.json', headers: { 'accept-encoding': encodings } });
    expect(response.headers['content-encoding']).toBeUndefined();
  });
});

describe('/docs', () => {
  test('is a page that may load nothing from elsewhere and run nothing inline', async () => {
    const response = await createServer().inject('/docs');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = response.headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(response.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  });

  test('has every file that it refers to, by addresses relative to the page', async () => {
    const server = createServer();
    const { body } = await server.inject('/docs');
    const addresses = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses).toContain('docs/swagger-ui-bundle.js');
    for (const address of addresses) {
      expect(address.startsWith('/')).toBe(false);
      expect((await server.inject(`/${address}`)).statusCode, address).toBe(200);
    }
    const style = await readFile(join(pageFolder, 'explorer.css'), 'utf8');
    expect(style).toContain('@import url("swagger-ui.css")');
    expect((await server.inject('/docs/swagger-ui.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  test('serves every file of the page, and no other file of Swagger UI', async () => {
    const server = createServer();
    for (const name of await readdir(pageFolder)) {
      const url = name === 'explorer.html' ? '/docs' : `/docs/${name}`;
      expect((await server.inject(url)).statusCode, url).toBe(200);
    }
    for (const name of ['index.html', 'package.json', 'swagger-ui.js', '../package.json', '%2e%2e/package.json']) {
      expect((await server.inject(`/docs/${name}`)).statusCode, name).toBe(404);
    }
  });

  test('is also found with a slash behind it', async () => {
    const response = await createServer().inject('/docs/');
    expect(response.statusCode).toBe(308);
    expect(new URL(String(response.headers.location), 'http://127.0.0.1/below/docs/').pathname).toBe('/below/docs');
  });

  test('answers HEAD without a body', async () => {
    const response = await createServer().inject({ method: 'HEAD', url: '/docs' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });

  test('keeps nothing that is typed into it', async () => {
    const script = await readFile(join(pageFolder, 'explorer.js'), 'utf8');
    expect(script).not.toMatch(/localStorage|sessionStorage|indexedDB|cookie/);
    expect(script).toContain('persistAuthorization: false');
  });
});

describe('/docs/access.json', () => {
  test('gives the key of a demo to the page', async () => {
    const response = await createServer({ demoAccess }).inject({ url: '/docs/access.json', headers: fromPage });
    expect(response.json()).toEqual({ access: demoAccess });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('gives it to nobody else', async () => {
    const headers = { ...fromPage, 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
    const response = await createServer({ demoAccess }).inject({ url: '/docs/access.json', headers });
    expect(response.json()).toEqual({ access: null });
  });

  test('has nothing to give where there is no demo', async () => {
    const response = await createServer().inject({ url: '/docs/access.json', headers: fromPage });
    expect(response.json()).toEqual({ access: null });
  });
});
