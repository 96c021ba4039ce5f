// Translations: the records in a group, at most one for each language of the site.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

let manager: Manager;
let desk: ContentDesk;

beforeAll(async () => {
  manager = await startManager();
  desk = await openContentDesk(manager);
});

afterAll(() => manager.close());

test('a translation starts as an independent draft with the values from the original', async () => {
  const post = await desk.create({ name: 'Hello', author: 'u_ada', uri: 'own', seo: { description: 'd' } });
  const translation = await desk.act(post, 'translations', { language: 'fr' });
  expect(translation).toMatchObject({
    language: 'fr',
    name: 'Hello',
    slug: 'hello',
    author: 'u_ada',
    uri: null,
    path: 'fr/blog/hello',
    state: 'draft',
    version: 1,
    fields: post.fields,
    seo: { description: 'd' },
    missing_languages: [],
  });
  expect(translation.translations.map(({ id, language }) => [language, id])).toEqual([
    ['en', post.id],
    ['fr', translation.id],
  ]);
});

test('readers can request a translation by the id of the original as soon as the translation is published', async () => {
  const post = await desk.create({ name: 'Bread' });
  await desk.act(post, 'publish');
  const french = { 'x-service-language': 'fr' };
  expect(await manager.read(SITE, `/${post.id}`, french)).toMatchObject({ status: 404 });
  const fields = { title: { text: 'Pain' } };
  const translation = await desk.act(post, 'translations', { language: 'fr', name: 'Le pain', fields });
  expect(translation).toMatchObject({ name: 'Le pain', slug: 'le-pain' });
  expect(await manager.read(SITE, `/${post.id}`, french)).toMatchObject({ status: 404 });
  await desk.act(translation, 'publish');
  expect(await manager.read(SITE, `/${post.id}`, french)).toMatchObject({ status: 200, body: { name: 'Le pain' } });
});

test('the slug of a translation is unique among content in its language', async () => {
  await desk.create({ language: 'fr', slug: 'taken' });
  const post = await desk.create({ name: 'Taken' });
  expect(await desk.act(post, 'translations', { language: 'fr' })).toMatchObject({ slug: 'taken-2' });
});

test('the slug of a translation is generated from its own name and changes with it', async () => {
  const post = await desk.create({ name: 'About our bakery', slug: 'about' });
  const translation = await desk.act(post, 'translations', { language: 'fr' });
  expect(translation).toMatchObject({ name: 'About our bakery', slug: 'about-our-bakery', slug_follows_name: true });
  const named = await desk.save(translation, { name: 'Notre boulangerie', slug: null });
  expect(named).toMatchObject({ slug: 'notre-boulangerie', slug_follows_name: true });
  const other = await desk.create({ name: 'Contact', slug: 'contact-us' });
  expect(await desk.act(other, 'translations', { language: 'fr', slug: 'contact-us' })).toMatchObject({
    slug: 'contact-us',
    slug_follows_name: false,
  });
});

test('the list of translations includes the missing languages', async () => {
  const post = await desk.create({ name: 'Alone', language: 'fr' });
  const alone = await desk.call('GET', `/${post.id}/translations`);
  const own = { id: post.id, language: 'fr', name: 'Alone', slug: 'alone', state: 'draft' };
  expect(alone.body).toEqual({ data: [own], missing_languages: ['en'] });
  const english = await desk.create({ name: 'Together', translation_of: post.id });
  const group = await desk.call('GET', `/${post.id}/translations`);
  expect(group.body).toMatchObject({ data: [{ id: english.id, language: 'en' }, own], missing_languages: [] });
});

test('a language that is already taken is rejected, even if its record is archived', async () => {
  const post = await desk.create();
  const french = await desk.act(post, 'translations', { language: 'fr' });
  const refuse = (language: string) => desk.call('POST', `/${post.id}/translations`, { language });
  expect(await refuse('fr')).toMatchObject({
    status: 409,
    body: { details: { reason: 'translated', language: 'fr', content: french.id, is_archived: false } },
  });
  expect(await refuse('en')).toMatchObject({ status: 409, body: { details: { content: post.id } } });
  await desk.act(french, 'archive');
  expect(await refuse('fr')).toMatchObject({
    status: 409,
    body: { details: { content: french.id, is_archived: true } },
  });
  const body = { content_type: 'post', name: 'x', language: 'fr', translation_of: post.id };
  expect(await desk.call('POST', '', body)).toMatchObject({ status: 409 });
});

test('a language that the site does not have is rejected, and so is an original of a different type', async () => {
  const post = await desk.create();
  for (const language of ['de', '', 7, null]) {
    const refused = await desk.call('POST', `/${post.id}/translations`, { language });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'language' }] } });
  }
  const note = { content_type: 'note', name: 'x', language: 'fr', translation_of: post.id };
  const refused = await desk.call('POST', '', note);
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'translation_of' }] } });
  expect((await desk.get(post.id)).translations).toHaveLength(1);
});
