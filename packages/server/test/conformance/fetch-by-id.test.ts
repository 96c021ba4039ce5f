// GET /api/v1/content/{id}: which record it returns and in which language, and how a 404 avoids revealing hidden content.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { RECORDS } from './fixture.ts';
import { contentOf, errorOf, openReader, type Reader, type Reply } from './reader.ts';
import { at, content, PLAIN, PRESS } from './records.ts';

const NOT_FOUND = [404, 'Content not found.'];
const UNKNOWN = 'c_unknown';

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  function inLanguage(language: string): { readonly headers: Record<string, string> } {
    return { headers: { 'x-service-language': language } };
  }

  /** Everything in a response that a client can see, except for headers that differ from request to request. */
  function fingerprint({ status, headers, text }: Reply): unknown {
    const { date: _date, 'x-request-id': _id, ...rest } = headers;
    return { status, rest, names: Object.keys(headers), text };
  }

  test('returns the requested record in its own language', async () => {
    for (const [id, language] of [
      ['c_full', 'en'],
      ['c_full_fr', 'fr'],
      ['c_only_de', 'de'],
    ] as const) {
      expect(contentOf(await reader.get(id))).toMatchObject({ id, language });
    }
  });

  test('returns the translation for the language header, whichever record in the group is requested', async () => {
    for (const id of ['c_full', 'c_full_fr']) {
      expect(contentOf(await reader.get(id, inLanguage('fr')))).toMatchObject({ id: 'c_full_fr', language: 'fr' });
      expect(contentOf(await reader.get(id, inLanguage('en')))).toMatchObject({ id: 'c_full', language: 'en' });
    }
  });

  test('returns 404 for content without a published record in the requested language', async () => {
    expect(errorOf(await reader.get('c_full', inLanguage('de')))).toEqual(NOT_FOUND);
    expect(errorOf(await reader.get('c_bare', inLanguage('fr')))).toEqual(NOT_FOUND);
    expect(errorOf(await reader.get('c_only_de', inLanguage('en')))).toEqual(NOT_FOUND);
  });

  test('falls back to the default language on request', async () => {
    const query = '?fallback_default_language=true';
    expect(contentOf(await reader.get(`c_full${query}`, inLanguage('de'))).id).toBe('c_full');
    expect(contentOf(await reader.get(`c_full_fr${query}`, inLanguage('de'))).id).toBe('c_full');
    expect(contentOf(await reader.get(`c_bare${query}`, inLanguage('fr'))).id).toBe('c_bare');
    expect(contentOf(await reader.get(`c_full${query}`, inLanguage('fr'))).id).toBe('c_full_fr');
    expect(errorOf(await reader.get(`c_only_de${query}`, inLanguage('fr')))).toEqual(NOT_FOUND);
  });

  test('accepts true, false, 1 and 0 for the fallback parameter and rejects anything else', async () => {
    for (const [value, status] of [
      ['true', 200],
      ['1', 200],
      ['false', 404],
      ['0', 404],
      ['yes', 422],
      ['TRUE', 422],
      ['', 422],
    ] as const) {
      const reply = await reader.get(`c_full?fallback_default_language=${value}`, inLanguage('de'));
      expect(reply.status, value).toBe(status);
    }
  });

  test("rejects a language that is not one of the site's languages", async () => {
    for (const language of ['es', 'EN', 'en-GB', 'en, fr', '*']) {
      const [status, message] = errorOf(await reader.get('c_full', inLanguage(language)));
      expect(status).toBe(422);
      expect(message).toBe(`The site does not have the language ${JSON.stringify(language)}; it has en, fr, de.`);
    }
  });

  test('returns 404 for drafts, unpublished or archived content, content on other sites, and unknown ids', async () => {
    for (const id of ['c_draft', 'c_gone', 'c_archived', 'c_bare_fr', 'c_plain', UNKNOWN]) {
      expect(errorOf(await reader.get(id)), id).toEqual(NOT_FOUND);
    }
  });

  test('returns the same bytes, regardless of why the content is not visible', async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const options of [{}, inLanguage('fr'), inLanguage('en')]) {
        const unknown = fingerprint(await reader.get(UNKNOWN, { method, ...options }));
        for (const id of ['c_draft', 'c_gone', 'c_archived', 'c_bare_fr', 'c_plain', 'x', '%20', '..%2f', 'c%00']) {
          expect(fingerprint(await reader.get(id, { method, ...options })), `${method} ${id}`).toEqual(unknown);
        }
      }
    }
  });

  test('does not reveal the published translations of an unpublished record', async () => {
    expect(errorOf(await reader.get('c_bare_fr', inLanguage('en')))).toEqual(NOT_FOUND);
    expect(errorOf(await reader.get('c_bare_fr?fallback_default_language=true', inLanguage('fr')))).toEqual(NOT_FOUND);
  });

  test('resolves the same id separately on each site', async () => {
    await reader.service.importRecords([
      content({ id: 'c_twin', name: 'Here' }),
      content({ id: 'c_twin', site: PLAIN, content_type: 'page', name: 'There' }),
    ]);
    const { token } = await reader.service.createKey({ sites: [PRESS, PLAIN] });
    expect(contentOf(await reader.get('c_twin', { token })).name).toBe('Here');
    expect(contentOf(await reader.get('c_twin', { token, site: PLAIN })).name).toBe('There');
  });

  test('decodes a percent-encoded id and returns 404 for invalid ids', async () => {
    expect(contentOf(await reader.get('%63%5Ffull')).id).toBe('c_full');
    for (const id of ['c_full%20', 'C_FULL', 'x'.repeat(65), 'x'.repeat(4000), "'", '%F0%9F%98%80', 'c_full%0A']) {
      expect(errorOf(await reader.get(id)), id).toEqual(NOT_FOUND);
    }
  });

  test('ignores list parameters, even invalid ones', async () => {
    const query = 'limit=0&sort=nothing&cursor=x&page=-1&slug=&match=some&content_type=&fields[text][nothing]=1';
    expect(contentOf(await reader.get(`c_full?${query}`)).id).toBe('c_full');
  });

  test('returns a published change as soon as the publish call has returned', async () => {
    const { service } = reader;
    await service.importRecords([content({ id: 'c_soon', status: 'draft', name: 'Soon' })]);
    for (let round = 0; round < 3; round++) {
      expect(errorOf(await reader.get('c_soon'))).toEqual(NOT_FOUND);
      await service.publish(PRESS, 'c_soon');
      expect((await reader.get('c_soon')).status).toBe(200);
      await service.unpublish(PRESS, 'c_soon');
    }
    expect(errorOf(await reader.get('c_soon'))).toEqual(NOT_FOUND);
  });

  test('returns the latest version once it is published, and the previous one until then', async () => {
    const { service } = reader;
    const record = { id: 'c_change', name: 'Before', published_at: at(4), updated_at: at(4) };
    await service.importRecords([content({ ...record, draft: { name: 'After' } })]);
    expect(contentOf(await reader.get('c_change')).name).toBe('Before');
    await service.publish(PRESS, 'c_change');
    expect(contentOf(await reader.get('c_change')).name).toBe('After');
  });

  test('keeps the first publish time until content is unpublished, and sets a new one when it is published again', async () => {
    const { service } = reader;
    const record = { id: 'c_run', name: 'Run', published_at: at(4) };
    await service.importRecords([content({ ...record, draft: { name: 'Run on' } })]);
    await service.publish(PRESS, 'c_run');
    expect(contentOf(await reader.get('c_run')).published_at).toBe(at(4));
    const before = Math.floor(Date.now() / 1000) * 1000;
    await service.unpublish(PRESS, 'c_run');
    await service.publish(PRESS, 'c_run');
    expect(Date.parse(contentOf(await reader.get('c_run')).published_at ?? '')).toBeGreaterThanOrEqual(before);
  });

  test('returns 404 for the path with a trailing slash, with or without a key', async () => {
    for (const headers of [{}, { authorization: '' }]) {
      expect(errorOf(await reader.call('/api/v1/content/', { headers }))).toEqual([404, 'Not found.']);
    }
  });
});
