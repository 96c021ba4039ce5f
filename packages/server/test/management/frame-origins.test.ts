// The panel may show a website in a frame only if its address is a preview address in the account of the person who is signed in.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, openBrowser } from './browser.ts';
import { type Manager, startManager } from './manager.ts';

const PASSWORD = 'correct horse battery staple';

let manager: Manager;
let browser: Browser;

beforeAll(async () => {
  manager = await startManager();
  await manager.expectOk('POST', '/users', { email: 'ed@x.example', name: 'Ed', role: 'editor', password: PASSWORD });
  browser = openBrowser(manager);
  expect((await browser.signIn('ed@x.example', PASSWORD)).status).toBe(200);
  for (const id of ['s_one', 's_two']) await manager.expectOk('POST', '/sites', { id, name: id });
  await manager.expectOk('POST', '/sites', { id: 's_other', name: 'Other' }, manager.stranger);
  await put('s_other', ['https://other.example'], manager.stranger);
});

afterAll(() => manager.close());

function put(site: string, addresses: readonly string[], token = manager.owner): Promise<unknown> {
  const body = { addresses: addresses.map((address, index) => ({ name: `${index}`, address })) };
  return manager.expectOk('PUT', `/sites/${site}/preview`, body, token);
}

async function readPage(path: string, cookie = browser.cookie ?? '') {
  const response = await fetch(`${manager.service.url}${path}`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const [, frames] = /frame-src ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
  const [, said = 'none'] = /data-frame-origins="([^"]*)"/.exec(await response.text()) ?? [];
  expect(said).toBe(frames ?? '');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return frames;
}

test('the policy contains the origins of all sites, and reflects changes immediately', async () => {
  expect(await readPage('/admin')).toBeUndefined();
  await put('s_one', ['https://one.example/blog', 'http://localhost:4000', 'https://one.example/other']);
  expect(await readPage('/admin')).toBe('https://one.example http://localhost:4000');
  await put('s_two', ['https://two.example', 'https://one.example']);
  expect(await readPage('/admin/sites')).toBe('https://two.example https://one.example http://localhost:4000');
  expect(await readPage('/admin/sites/s_one/content')).toBe(
    'https://one.example http://localhost:4000 https://two.example',
  );
  await put('s_one', []);
  expect(await readPage('/admin')).toBe('https://two.example https://one.example');
  await put('s_two', []);
});

test('people who are not signed in cannot see the addresses', async () => {
  await put('s_one', ['https://one.example']);
  expect(await readPage('/admin', '')).toBeUndefined();
  expect(await readPage('/admin', 'galley_session=guess')).toBeUndefined();
  const cookie = browser.cookie ?? '';
  expect(await readPage('/admin', cookie)).toBe('https://one.example');
  await browser.call('DELETE', '/session');
  expect(await readPage('/admin', cookie)).toBeUndefined();
  await browser.signIn('ed@x.example', PASSWORD);
});

test('with many addresses, the header stays short, and the site that is open comes first', async () => {
  for (let no = 0; no < 15; no += 1) {
    await manager.expectOk('POST', '/sites', { id: `s_many${no}`, name: 'Many' });
    await put(
      `s_many${no}`,
      Array.from({ length: 10 }, (_, index) => `https://web${index}.many${no}.example`),
    );
  }
  await put('s_one', ['https://one.example']);
  const frames = await readPage('/admin/sites/s_one/content/c_1');
  expect(frames).toMatch(/^https:\/\/one\.example https:\/\/web0\.many14\.example /);
  expect(frames?.length).toBeLessThanOrEqual(3000);
});
