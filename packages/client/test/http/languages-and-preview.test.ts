// Language and preview, set for the client or for one call.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNotFound } from '../../src/index.ts';
import { type Library, openClient, openLibrary, slugsOf } from './library.ts';

let library: Library;

beforeAll(async () => {
  library = await openLibrary();
});

afterAll(() => library.close());

test('reads content in the default language unless another one is set', async () => {
  const { content } = await openClient(library).getContent({ params: { limit: 100 } });
  expect(new Set(content.map((object) => object.language))).toEqual(new Set(['en']));
});

test("reads content in the client's language, which a call can override", async () => {
  const french = openClient(library, { language: 'fr' });
  expect(await french.getContentById('c_one')).toMatchObject({ id: 'c_un', language: 'fr' });
  expect(await french.getContentBySlug('un', 'book')).toMatchObject({ id: 'c_un' });
  expect(slugsOf((await french.getContentByType({ contentType: 'book' })).content)).toEqual(['un']);
  expect(await french.getContentById('c_un', { language: 'en' })).toMatchObject({ id: 'c_one' });
  expect((await french.getContent({}, { language: 'en' })).content).toHaveLength(8);
});

test('falls back to the default language when allowed', async () => {
  const strict = openClient(library, { language: 'fr' });
  expect(isNotFound(await strict.getContentById('c_two').catch((error: unknown) => error))).toBe(true);
  expect(isNotFound(await strict.getContentBySlug('two', 'book').catch((error: unknown) => error))).toBe(true);

  const lenient = openClient(library, { language: 'fr', fallbackDefaultLanguage: true });
  for (const [client, call] of [
    [strict, { fallbackDefaultLanguage: true }],
    [lenient, {}],
  ] as const) {
    expect(await client.getContentById('c_two', call)).toMatchObject({ id: 'c_two', language: 'en' });
    expect(await client.getContentBySlug('two', 'book', call)).toMatchObject({ id: 'c_two' });
    const mixed = await client.getContentByType({ contentType: 'book' }, call);
    expect(slugsOf(mixed.content).toSorted()).toEqual(['five', 'four', 'seven', 'six', 'three', 'two', 'un']);
  }
  const params = { content_type: 'book', fallback_default_language: false };
  expect(slugsOf((await lenient.getContent({ params })).content)).toEqual(['un']);
  expect(
    slugsOf(
      (await lenient.getContent({ params: { content_type: 'book' } }, { fallbackDefaultLanguage: false })).content,
    ),
  ).toEqual(['un']);
});

test('returns unpublished content only in previews', async () => {
  const preview = openClient(library, { isPreview: true });
  expect(await preview.getContentById('c_secret')).toMatchObject({ name: 'not yet', published_at: null });
  expect(await preview.getContentBySlug('secret', 'book')).toMatchObject({ id: 'c_secret' });
  expect(slugsOf((await preview.getContentByType({ contentType: 'book' })).content)).toContain('secret');
  const asked = preview.getContentById('c_secret', { isPreview: false });
  expect(isNotFound(await asked.catch((error: unknown) => error))).toBe(true);

  const client = openClient(library);
  expect(slugsOf((await client.getContentByType({ contentType: 'book' })).content)).not.toContain('secret');
  expect(await client.getContentById('c_secret', { isPreview: true })).toMatchObject({ name: 'not yet' });
});
