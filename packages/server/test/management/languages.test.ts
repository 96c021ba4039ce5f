// The languages of a site, and how changes to them affect readers.

import type { SiteBody } from '@galley/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

describe('the languages of a site', () => {
  let manager: Manager;
  let site = '';
  let count = 0;

  beforeAll(async () => {
    manager = await startManager();
  });

  beforeEach(async () => {
    count += 1;
    site = `s_${count}`;
    await importMagazine(manager, site);
  });

  afterAll(() => manager.close());

  const inLanguage = (language: string) => manager.read(site, '', { 'x-service-language': language });

  test('can be added, and readers can request a new one immediately', async () => {
    expect(await inLanguage('it')).toMatchObject({ status: 422 });
    const added = await manager.call('POST', `/sites/${site}/languages`, { body: { language: 'it' } });
    expect(added).toMatchObject({ status: 201, body: { languages: ['en', 'fr', 'it'] } });
    expect(await inLanguage('it')).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('are all kept when several are added at the same time', async () => {
    const languages = ['it', 'es', 'pt-BR', 'nl', 'sv'];
    const add = (language: string) => manager.call('POST', `/sites/${site}/languages`, { body: { language } });
    const answers = await Promise.all([...languages, 'it'].map(add));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 409]);
    const after = await manager.expectOk<SiteBody>('GET', `/sites/${site}`);
    expect(after.languages.toSorted()).toEqual(['en', 'fr', ...languages].toSorted());
  });

  test.each(['fr', 'FR'])('cannot contain %s twice', async (language) => {
    const answer = await manager.call('POST', `/sites/${site}/languages`, { body: { language } });
    const details = { reason: 'language_exists', language: 'fr' };
    expect(answer).toMatchObject({
      status: 409,
      body: { message: `Site ${site} already has the language fr.`, details },
    });
  });

  test.each(['German', 'xx', 'en-XX'])('cannot include %s, which is not a language tag', async (language) => {
    const answer = await manager.call('POST', `/sites/${site}/languages`, { body: { language } });
    const message = `must be a known language tag, like de for German or pt-BR for Brazilian Portuguese; got "${language}"`;
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'language', message }] } });
  });

  test.each([[{}], [{ language: '' }], [{ language: 'e n' }], [{ language: ['it'] }], [{ language: 'x'.repeat(36) }]])(
    'are not changed by the invalid body %j',
    async (body) => {
      for (const [method, path] of [
        ['POST', 'languages'],
        ['PUT', 'default-language'],
      ] as const) {
        const answer = await manager.call(method, `/sites/${site}/${path}`, { body });
        expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'language' }] } });
      }
    },
  );

  test('can be removed only if no content of any status uses them', async () => {
    await manager.service.unpublish(site, 'c_one_fr');
    const refused = await manager.call('DELETE', `/sites/${site}/languages/fr`);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message: 'The language fr cannot be removed: there is 1 content record in this language.',
        code: 'in_use',
        details: { total: 1 },
      },
    ]);
    await manager.expectOk('POST', `/sites/${site}/languages`, { language: 'it' });
    expect(await inLanguage('it')).toMatchObject({ status: 200 });
    const removed = await manager.call('DELETE', `/sites/${site}/languages/it`);
    expect(removed).toMatchObject({ status: 200, body: { languages: ['en', 'fr'] } });
    expect(await inLanguage('it')).toMatchObject({ status: 422 });
    expect(await manager.call('DELETE', `/sites/${site}/languages/it`)).toMatchObject({ status: 404 });
    expect(await manager.call('DELETE', `/sites/${site}/languages/en`)).toMatchObject({
      status: 409,
      body: { details: { reason: 'default_language', language: 'en' } },
    });
  });

  test('can have a new default only if every translation group has a record in that language', async () => {
    const refused = await manager.call('PUT', `/sites/${site}/default-language`, { body: { language: 'fr' } });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message:
          'fr cannot become the default language: there is 1 content record in en without a translation into fr.',
        code: 'conflict',
        details: {
          reason: 'untranslated',
          language: 'fr',
          default_language: 'en',
          total: 1,
          contents: [{ id: 'c_two', name: 'Two' }],
        },
      },
    ]);
    expect(await manager.read(site)).toMatchObject({ body: { id: 'c_one' } });
    await manager.service.importRecords([
      {
        kind: 'content',
        id: 'c_two_fr',
        site,
        content_type: 'post',
        language: 'fr',
        translation_of: 'c_two',
        slug: 'deux',
        name: 'Deux',
        status: 'draft',
      },
    ]);
    const changed = await manager.call('PUT', `/sites/${site}/default-language`, { body: { language: 'fr' } });
    expect(changed).toMatchObject({ status: 200, body: { default_language: 'fr', languages: ['en', 'fr'] } });
    expect(await manager.read(site)).toMatchObject({ body: { id: 'c_one_fr' } });
  });

  test('cannot have a new default if the only record of a group in that language is archived', async () => {
    await manager.expectOk('POST', `/sites/${site}/content/c_two/archive`, {});
    await manager.expectOk('POST', `/sites/${site}/content/c_one_fr/archive`, { confirm: true });
    const refused = await manager.call('PUT', `/sites/${site}/default-language`, { body: { language: 'fr' } });
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { total: 1, contents: [{ id: 'c_one', name: 'One' }] } },
    });
    await manager.expectOk('POST', `/sites/${site}/content/c_one_fr/restore`, {});
    // c_two is archived, so it needs no translation.
    const changed = await manager.call('PUT', `/sites/${site}/default-language`, { body: { language: 'fr' } });
    expect(changed).toMatchObject({ status: 200, body: { default_language: 'fr' } });
  });

  test('do not change the URLs of content until it is published again', async () => {
    await manager.service.importRecords([
      {
        kind: 'content',
        id: 'c_two_fr',
        site,
        content_type: 'post',
        language: 'fr',
        translation_of: 'c_two',
        slug: 'deux',
        name: 'Deux',
        status: 'draft',
      },
    ]);
    await manager.expectOk('PUT', `/sites/${site}/default-language`, { language: 'fr' });
    expect(await manager.read(site, '/c_one_fr')).toMatchObject({ body: { uri: 'fr/posts/un' } });
    await manager.service.publish(site, 'c_one_fr');
    expect(await manager.read(site, '/c_one_fr')).toMatchObject({ body: { uri: 'posts/un' } });
  });

  test('are listed in the error for an unknown default, and setting the current default changes nothing', async () => {
    const unknown = await manager.call('PUT', `/sites/${site}/default-language`, { body: { language: 'it' } });
    expect(unknown).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'language', message: "must be one of the site's languages: en, fr" }] },
    });
    const { headers } = await manager.read(site);
    await manager.expectOk('PUT', `/sites/${site}/default-language`, { language: 'en' });
    const again = await manager.read(site, '', { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });
});
