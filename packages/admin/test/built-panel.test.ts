// The panel as Galley serves it: the contents of the build, how it is cached, and when it is not served.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/support/service.ts';
import { MANAGEMENT_TYPES_PATH, renderManagementTypes } from '../scripts/render-management-types.ts';

const MOST_BYTES = 350_000;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

async function listAssets(): Promise<readonly string[]> {
  const page = await (await fetch(`${service.url}/admin`)).text();
  return [...page.matchAll(/(?:src|href)="(\/admin\/[^"]+)"/g)].map(([, path = '']) => path);
}

test('has API types that match the OpenAPI document', async () => {
  const kept = readFileSync(join(import.meta.dirname, '../../..', MANAGEMENT_TYPES_PATH), 'utf8');
  expect(kept === (await renderManagementTypes()), 'run npm run generate:api-types').toBe(true);
});

test('needs less than 350 KB gzipped for the first screen, including the font', async () => {
  const assets = await listAssets();
  const style = assets.find((path) => path.endsWith('.css')) ?? '';
  const css = await (await fetch(`${service.url}${style}`)).text();
  const font = /[\w/.-]+inter-latin-wght[\w-]+\.woff2/.exec(css)?.[0] ?? '';
  const sizes = await Promise.all(
    [...assets, font].map(async (path) => {
      const response = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(response.status, path).toBe(200);
      return Number(response.headers.get('content-length'));
    }),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  expect(sizes.length).toBeGreaterThan(4);
});

test('serves hashed files compressed and cacheable, and each page with a new nonce', async () => {
  const script = (await listAssets()).find((path) => /assets\/.*\.js$/.test(path)) ?? '';
  const response = await fetch(`${service.url}${script}`, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const plain = await fetch(`${service.url}${script}`, { headers: { 'accept-encoding': 'br;q=0' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  const policies = await Promise.all(
    ['/admin', '/admin/sites'].map(async (path) => {
      const page = await fetch(`${service.url}${path}`);
      const policy = page.headers.get('content-security-policy') ?? '';
      const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(await page.text()).toContain(`nonce="${nonce}"`);
      return policy;
    }),
  );
  expect(policies[0]).not.toBe(policies[1]);
  expect(policies[0]).toContain("script-src 'self';");
  expect(policies[0]).toContain("frame-ancestors 'none'");
  expect(policies[0]).not.toContain('unsafe');
});

test.each(['/admin/assets/none.js', '/admin/assets/../../package.json', '/admin/assets/..%2f..%2fpackage.json'])(
  'returns 404 for %s',
  async (path) => {
    const response = await fetch(`${service.url}${path}`);
    expect(await response.text()).not.toContain('@galley/server');
    expect(response.headers.get('content-type')).not.toContain('javascript');
  },
);

test('does not serve the panel when GALLEY_ADMIN=false', async () => {
  await using closed = await startClosed();
  for (const path of ['/admin', '/admin/', '/admin/sites', ...(await listAssets())]) {
    expect((await fetch(`${closed.url}${path}`)).status, path).toBe(404);
  }
});

async function startClosed(): Promise<{ readonly url: string } & AsyncDisposable> {
  const closed = await startService({ GALLEY_ADMIN: 'false' });
  return { url: closed.url, [Symbol.asyncDispose]: () => closed.close() };
}
