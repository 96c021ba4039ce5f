// The delivery API settings, each tested on a separate service.

import { expect, test } from 'vitest';
import { LISTED, RECORDS } from './fixture.ts';
import {
  contentOf,
  cursorListOf,
  errorOf,
  idsOf,
  LIST_PATH,
  linksOf,
  openReader,
  type Reader,
  SIMPLE,
  simpleListOf,
} from './reader.ts';
import { PRESS } from './records.ts';

async function withSettings(
  environment: Record<string, string>,
  use: (reader: Reader) => Promise<void>,
): Promise<void> {
  const reader = await openReader(RECORDS, environment);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}

test("GALLEY_HEADER_PREFIX renames all of the API's own headers, and the old names are ignored", async () => {
  await withSettings({ GALLEY_HEADER_PREFIX: 'X-BRAND' }, async (reader) => {
    expect(idsOf(await reader.list())).toEqual(LISTED);
    const old = await reader.list('', { site: undefined, headers: { 'x-service-site': PRESS } });
    expect(errorOf(old)).toEqual([403, 'You must supply the Site ID in the appropriate header.']);
    simpleListOf(await reader.list('', { headers: { 'x-brand-simple-pagination': 'true' } }));
    cursorListOf(await reader.list('', SIMPLE));
    const french = await reader.list('', { headers: { 'x-brand-language': 'fr' } });
    expect(idsOf(french)).toEqual(['c_full_fr', 'c_only_fr']);
    expect(idsOf(await reader.list('', { headers: { 'x-service-language': 'fr' } }))).toEqual(LISTED);
    expect((await reader.list('', { headers: { 'x-brand-preview': 'true' } })).status).toBe(403);
    expect((await reader.list('', { headers: { 'x-service-preview': 'true' } })).status).toBe(200);
    const { vary } = (await reader.list()).headers;
    expect(vary?.toLowerCase()).toContain('x-brand-site');
    expect(vary?.toLowerCase()).not.toContain('x-service');
    const preflight = await reader.call(LIST_PATH, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers['access-control-allow-headers']?.toLowerCase()).toContain('x-brand-site');
  });
});

test('GALLEY_MATCH=any matches any value unless the request says match=all', async () => {
  await withSettings({ GALLEY_MATCH: 'any' }, async (reader) => {
    expect(idsOf(await reader.list('slug=full&slug=bare'))).toEqual(['c_full', 'c_bare']);
    expect(idsOf(await reader.list('slug=full&slug=bare&match=all'))).toEqual([]);
    expect(idsOf(await reader.list('slug=full&slug=bare&match=any'))).toEqual(['c_full', 'c_bare']);
    expect(idsOf(await reader.list('fields[number][rank]=-2&fields[number][rank]=2.5'))).toEqual([
      'c_linked',
      'c_note_sky',
    ]);
    expect(idsOf(await reader.list('slug=full&content_type=note'))).toEqual([]);
  });
});

test('GALLEY_EMPTY_SLUG=404 returns 404 for a slug filter without a match', async () => {
  await withSettings({ GALLEY_EMPTY_SLUG: '404' }, async (reader) => {
    for (const query of ['slug=nothing', 'slug=full&content_type=note', 'slug=full&slug=bare', 'slug=draft']) {
      expect(errorOf(await reader.list(query))).toEqual([404, 'Content not found.']);
      expect(errorOf(await reader.list(query, SIMPLE))).toEqual([404, 'Content not found.']);
    }
    expect(contentOf(await reader.list('slug=full')).id).toBe('c_full');
    expect(idsOf(await reader.list('content_type=nothing'))).toEqual([]);
    expect((await reader.list('slug=')).status).toBe(422);
  });
});

test('GALLEY_EMPTY_SLUG=404 still returns an empty page past the last page of a list filtered by slug', async () => {
  await withSettings({ GALLEY_EMPTY_SLUG: '404' }, async (reader) => {
    const past = simpleListOf(await reader.list('slug=sky&page=5', SIMPLE));
    expect(past.meta).toMatchObject({ total: 2, from: null, to: null });
    const { next } = linksOf(await reader.list('slug=sky&limit=1&sort=name'));
    const cursor = new URL(next ?? '').searchParams.get('cursor');
    await reader.service.unpublish(PRESS, 'c_person_sky');
    expect(cursorListOf(await reader.list(`slug=sky&limit=1&sort=name&cursor=${cursor}`)).data).toEqual([]);
  });
});

test('GALLEY_PUBLIC_URL is the base of all URLs, regardless of the Host header', async () => {
  await withSettings({ GALLEY_PUBLIC_URL: 'https://content.example/base/' }, async (reader) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const base = `https://content.example/base${LIST_PATH}`;
    const list = cursorListOf(await reader.list('limit=2', { headers }));
    expect(list.meta.path).toBe(base);
    expect(list.links.next).toBe(`${base}?limit=2&cursor=${list.meta.next_cursor}`);
    const simple = await reader.list('limit=2', { headers: { ...headers, ...SIMPLE.headers } });
    expect(simpleListOf(simple).links.first).toBe(`${base}?limit=2&page=1`);
    expect(linksOf(simple).last).toBe(`${base}?limit=2&page=4`);
  });
});

test('GALLEY_TRUST_PROXY enables the X-Forwarded headers', async () => {
  await withSettings({ GALLEY_TRUST_PROXY: 'true' }, async (reader) => {
    const path = async (headers: Record<string, string>) =>
      cursorListOf(await reader.list('limit=2', { headers })).meta.path;
    const forwarded = { 'x-forwarded-host': 'content.example', 'x-forwarded-proto': 'https' };
    expect(await path(forwarded)).toBe(`https://content.example${LIST_PATH}`);
    expect(await path({ ...forwarded, 'x-forwarded-prefix': '/cms' })).toBe(`https://content.example/cms${LIST_PATH}`);
    expect(await path({})).toBe(`${reader.service.url}${LIST_PATH}`);
  });
});
