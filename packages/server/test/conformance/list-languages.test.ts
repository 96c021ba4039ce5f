// The languages of a list: the default, a requested one, and the default as a fallback for missing translations.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { LISTED, RECORDS } from './fixture.ts';
import { walk } from './list-walk.ts';
import { contentOf, errorOf, idsOf, openReader, type Reader, SIMPLE, simpleListOf } from './reader.ts';
import { at, content, PLAIN, PRESS } from './records.ts';

const FALLBACK = 'fallback_default_language=true';

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  function inLanguage(language: string) {
    return { headers: { 'x-service-language': language } };
  }

  test('returns the default language when no language is requested', async () => {
    expect(idsOf(await reader.list())).toEqual(LISTED);
    expect(idsOf(await reader.list('', inLanguage('')))).toEqual(LISTED);
    expect(idsOf(await reader.list('', inLanguage('en')))).toEqual(LISTED);
  });

  test('returns only the requested language', async () => {
    expect(idsOf(await reader.list('', inLanguage('fr')))).toEqual(['c_full_fr', 'c_only_fr']);
    expect(contentOf(await reader.list('', inLanguage('de'))).id).toBe('c_only_de');
  });

  test('filters within the requested language', async () => {
    expect(idsOf(await reader.list('slug=sea', inLanguage('fr')))).toEqual(['c_only_fr']);
    expect(idsOf(await reader.list('slug=sea'))).toEqual(['c_note_sea']);
    expect(idsOf(await reader.list('slug=complet'))).toEqual([]);
  });

  test('falls back to the default language for groups without a translation, and sorts everything as one list', async () => {
    // The French draft does not count: its group falls back to the default language.
    expect(idsOf(await reader.list(FALLBACK, inLanguage('fr')))).toEqual([
      'c_bare',
      'c_linked',
      'c_pending',
      'c_full_fr',
      'c_only_fr',
      'c_note_sea',
      'c_note_sky',
      'c_person_sky',
    ]);
  });

  test('adds nothing when the requested language is the default or the fallback is off', async () => {
    expect(idsOf(await reader.list(FALLBACK))).toEqual(LISTED);
    expect(idsOf(await reader.list(FALLBACK, inLanguage('en')))).toEqual(LISTED);
    for (const off of ['false', '0']) {
      const query = `fallback_default_language=${off}`;
      expect(idsOf(await reader.list(query, inLanguage('fr')))).toEqual(['c_full_fr', 'c_only_fr']);
    }
  });

  test('paginates a list with fallbacks as one list, in both modes', async () => {
    const whole = idsOf(await reader.list(FALLBACK, inLanguage('fr')));
    const walked = (await walk(reader, `${FALLBACK}&limit=3`, inLanguage('fr'))).flatMap(idsOf);
    expect(walked).toEqual(whole);
    const headers = { ...SIMPLE.headers, ...inLanguage('fr').headers };
    const second = simpleListOf(await reader.list(`${FALLBACK}&limit=3&page=2`, { headers }));
    expect(second.data.map(({ id }) => id)).toEqual(whole.slice(3, 6));
    expect(second.meta).toMatchObject({ total: 8, last_page: 3 });
  });

  test('reflects the publishing or unpublishing of a translation immediately', async () => {
    await reader.service.publish(PRESS, 'c_bare_fr');
    const mixed = idsOf(await reader.list(FALLBACK, inLanguage('fr')));
    expect(mixed).toContain('c_bare_fr');
    expect(mixed).not.toContain('c_bare');
    await reader.service.unpublish(PRESS, 'c_bare_fr');
    expect(idsOf(await reader.list(FALLBACK, inLanguage('fr')))).toContain('c_bare');
  });

  test('does not fall back to the default language when a translation does not match the filters', async () => {
    expect(idsOf(await reader.list(`slug=full&${FALLBACK}`, inLanguage('fr')))).toEqual([]);
    expect(idsOf(await reader.list(`slug=bare&${FALLBACK}`, inLanguage('fr')))).toEqual(['c_bare']);
  });

  test("rejects a language that is not one of the site's languages and lists the available ones", async () => {
    for (const language of ['es', 'FR', 'fr-FR', 'fr, en']) {
      expect(errorOf(await reader.list('', inLanguage(language)))).toEqual([
        422,
        `The site does not have the language ${JSON.stringify(language)}; it has en, fr, de.`,
      ]);
    }
    const { token } = await reader.service.createKey({ sites: [PLAIN] });
    expect((await reader.list('', { token, site: PLAIN, ...inLanguage('fr') })).status).toBe(422);
  });

  test('rejects a fallback that is not true, false, 1 or 0', async () => {
    for (const value of ['yes', '', 'TRUE', '2', 'null']) {
      expect(errorOf(await reader.list(`fallback_default_language=${value}`))).toEqual([
        422,
        `The fallback_default_language parameter is "${value}"; true, false, 1 and 0 are allowed.`,
      ]);
    }
  });

  test('allows the same slug in different content types and languages, but not twice in one type and language', async () => {
    const { service } = reader;
    await service.importRecords([content({ id: 'c_twin_de', language: 'de', slug: 'sea', published_at: at(1) })]);
    expect(idsOf(await reader.list('slug=sea', inLanguage('de')))).toEqual(['c_twin_de']);
    const twice = content({ id: 'c_sea_again', slug: 'sea' });
    await expect(service.importRecords([twice])).rejects.toThrow(/content c_sea_again, field slug: .*c_note_sea/);
  });

  test('includes links to content in other languages', async () => {
    const record = content({ id: 'c_polyglot', fields: { mentions: { content_links: ['c_full_fr', 'c_only_de'] } } });
    await reader.service.importRecords([record]);
    expect(contentOf(await reader.get('c_polyglot')).fields.mentions).toMatchObject({
      content_links: [{ content_link: { id: 'c_full_fr' } }, { content_link: { id: 'c_only_de' } }],
    });
  });
});
