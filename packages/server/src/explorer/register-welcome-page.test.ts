import { hash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { registerWelcomePage } from './register-welcome-page.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

function createServer(hasAdmin = true): FastifyInstance {
  const server = fastify();
  registerWelcomePage(server, { hasAdmin, readBaseUrl: ({ headers: { host } }) => `https://${host}/<b>&` });
  return server;
}

describe('the page at /', () => {
  test.each([BROWSER, 'TEXT/HTML', 'application/json;q=0.1, text/html;level=1;q=0.5'])(
    'is sent to clients that accept HTML: %j',
    async (accept) => {
      const response = await createServer().inject({ url: '/', headers: { accept } });
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' });
    },
  );

  test.each([undefined, '*/*', 'application/json', 'text/html;q=0', 'text/html; q=0.00', 'text/htmlx'])(
    'is not sent to other clients: %j',
    async (accept) => {
      const response = await createServer().inject({ url: '/', headers: accept === undefined ? {} : { accept } });
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ message: 'Not found.' });
      expect(response.headers.vary).toBe('Accept');
    },
  );

  test('allows only its own styles and no scripts', async () => {
    const { body, headers } = await createServer().inject({ url: '/', headers: { accept: BROWSER } });
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /);
    expect(body).not.toMatch(/<script|\son\w+=|style="/);
  });

  test('links to the panel and the management API if they are served, with URLs that have no leading slash', async () => {
    const linksOf = async (hasAdmin: boolean): Promise<readonly (string | undefined)[]> => {
      const { body } = await createServer(hasAdmin).inject({ url: '/', headers: { accept: BROWSER } });
      return [...body.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    };
    expect(await linksOf(true)).toEqual(['docs', 'admin', 'manage/docs', 'openapi.json']);
    expect(await linksOf(false)).toEqual(['docs', 'openapi.json']);
  });

  test('contains the address of the API as escaped text', async () => {
    const { body } = await createServer().inject({ url: '/', headers: { accept: BROWSER, host: 'a.example' } });
    expect(body).toContain('<code>https://a.example/&lt;b>&amp;/api/v1</code>');
  });
});
