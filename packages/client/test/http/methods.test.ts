// Tests the library's four methods with a running service.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, isNotFound } from '../../src/index.ts';
import { BOOKS, type Library, openClient, openLibrary, slugsOf } from './library.ts';

let library: Library;
let client: Client;

beforeAll(async () => {
  library = await openLibrary();
  client = openClient(library);
});

afterAll(() => library.close());

test('getContentById returns the content object', async () => {
  const book = await client.getContentById('c_one');
  expect(book).toMatchObject({ id: 'c_one', slug: 'one', content_type: { handle: 'book' } });
  expect(book.fields.title).toMatchObject({ type: 'text', text: 'Volume one' });
});

test('getContentBySlug returns the object of the given type when several share the slug', async () => {
  expect(await client.getContentBySlug('one', 'book')).toMatchObject({ id: 'c_one' });
  expect(await client.getContentBySlug('one', 'note')).toMatchObject({ id: 'c_note_one' });
});

test('getContentById and getContentBySlug reject in the same way when nothing is found', async () => {
  for (const nothing of [
    client.getContentById('c_nothing'),
    client.getContentById('c_secret'),
    client.getContentById('..'),
    client.getContentById('.'),
    client.getContentById('one/two?three#four'),
    client.getContentBySlug('nothing', 'book'),
    client.getContentBySlug('secret', 'book'),
    client.getContentBySlug('one', 'shelf'),
  ]) {
    const error: unknown = await nothing.catch((reason: unknown) => reason);
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({
      status: 404,
      message: 'Content not found.',
      retryable: false,
      requestId: expect.stringMatching(/./),
      url: expect.stringContaining(`${library.access.apiURL}/content`),
    });
  }
});

test('getContentById and getContentBySlug reject invalid IDs, slugs and handles before sending anything', async () => {
  const offline = openClient(library, { fetch: () => Promise.reject(new Error('sent')) });
  await expect(offline.getContentById('')).rejects.toThrow(new TypeError('id must be non-empty text.'));
  await expect(offline.getContentById('\ud800')).rejects.toThrow(new TypeError('id must be non-empty text.'));
  await expect(offline.getContentBySlug('', 'book')).rejects.toThrow('slug must be non-empty text');
  await expect(offline.getContentBySlug('one', '')).rejects.toThrow('contentType must be non-empty text');
});

test('invalid call options are rejected before anything is sent', async () => {
  const offline = openClient(library, { language: 'fr', fetch: () => Promise.reject(new Error('sent')) });
  for (const language of ['', 'de\r\nX: y', 'дe']) {
    await expect(offline.getContentById('c_one', { language })).rejects.toThrow(
      new TypeError('language must be ASCII without spaces.'),
    );
  }
  await expect(offline.getContent({}, { timeout: Number.NaN })).rejects.toThrow(TypeError);
});

/** Values that a program without type checking may pass. */
function wrong<Options>(options: object): Options & object {
  return Object.assign(Object.create(null), options);
}

test('parameters that would be ignored are rejected, so a mistake never returns the whole site', async () => {
  const offline = openClient(library, { fetch: () => Promise.reject(new Error('sent')) });
  const misplaced = wrong<NonNullable<Parameters<Client['getContent']>[0]>>({ content_type: 'book' });
  await expect(offline.getContent(misplaced)).rejects.toThrow(
    new TypeError('content_type must be omitted or in params.'),
  );
  expect(() => offline.iterate(misplaced)).toThrow(TypeError);
  const filtered = { ...wrong<{ contentType: string }>({ fields: {} }), contentType: 'book' };
  await expect(offline.getContentByType(filtered)).rejects.toThrow('fields must be omitted or in params.');
  for (const params of [new URLSearchParams('slug=a'), new Map([['slug', 'a']]), ['a'], 'slug=a', null]) {
    const hidden = wrong<NonNullable<Parameters<Client['getContent']>[0]>>({ params });
    await expect(offline.getContent(hidden)).rejects.toThrow(TypeError);
    expect(() => offline.iterate(hidden)).toThrow(TypeError);
  }
});

test('getContentByType lists one type, newest first, 20 at a time', async () => {
  const page = await client.getContentByType({ contentType: 'book' });
  expect(slugsOf(page.content)).toEqual(BOOKS);
  expect(page).not.toHaveProperty('nextPage');
  expect(page).not.toHaveProperty('prevPage');
  expect(page).not.toHaveProperty('pagination');
});

test('getContentByType applies sort and limit', async () => {
  const byName = await client.getContentByType({ contentType: 'book', limit: 3, sortBy: 'name', sortDirection: 'asc' });
  expect(slugsOf(byName.content)).toEqual(['five', 'four', 'one']);
  const byRank = await client.getContentByType({ contentType: 'book', limit: 2, sortBy: 'rank.number' });
  expect(byRank.content.map((book) => book.fields.rank)).toMatchObject([{ number: 6 }, { number: 5 }]);
  const byTitle = await client.getContentByType({ contentType: 'book', sortBy: 'title.text', sortDirection: 'asc' });
  expect(slugsOf(byTitle.content)).toEqual([...BOOKS].sort());
});

test('getContent accepts every list parameter, including arrays and field filters', async () => {
  const list = async (params: NonNullable<Parameters<Client['getContent']>[0]>['params']) =>
    slugsOf((await client.getContent({ params })).content);
  expect(await list({ content_type: 'book', sort: ['name:asc', 'slug'] })).toEqual([...BOOKS].sort());
  expect(await list({ slug: ['one', 'two'], content_type: 'book' })).toEqual([]);
  expect(await list({ slug: ['one', 'two'], content_type: 'book', match: 'any' })).toEqual(['two', 'one']);
  expect(await list({ content_type_id: 't_note' })).toEqual(['one']);
  expect(await list({ fields: { text: { title: 'Volume four' } } })).toEqual(['four']);
  expect(await list({ fields: { number: { rank: [0, 3] } }, match: 'any' })).toEqual(['seven', 'six']);
  expect(await list({ fields: { is_on: { is_lent: true } }, limit: 2 })).toEqual(['seven', 'five']);
  expect(await list({ fields: { content_links: { sequel: { slug: 'two' } } } })).toEqual(['one']);
  expect(await list({ slug: undefined, author: undefined, limit: undefined })).toHaveLength(8);
  expect((await client.getContent()).content).toHaveLength(8);
});

test('the server rejects an empty list of values instead of listing the whole site', async () => {
  await expect(client.getContent({ params: { slug: [] } })).rejects.toMatchObject({
    status: 422,
    message: 'The slug parameter is empty; give it a value or leave it out.',
  });
});

test('a list without results is an empty page', async () => {
  for (const isSimple of [false, true]) {
    const page = await openClient(library, { simplePagination: isSimple }).getContentByType({ contentType: 'shelf' });
    expect(page.content).toEqual([]);
    expect(page).not.toHaveProperty('nextPage');
    expect(page).not.toHaveProperty('prevPage');
  }
});

test('apiURL may end in slashes or be just the host', async () => {
  for (const apiURL of [library.service.url, `${library.service.url}/`, `${library.service.url}/api/v1//`]) {
    expect(await openClient(library, { apiURL }).getContentById('c_two')).toMatchObject({ slug: 'two' });
  }
});

test('methods work when detached from the client', async () => {
  const { getContentById } = client;
  expect(await getContentById('c_two')).toMatchObject({ slug: 'two' });
});

test('headerPrefix sets the header names for a server that uses a different prefix', async () => {
  const branded = await openLibrary({ GALLEY_HEADER_PREFIX: 'X-BRAND' });
  try {
    const speaking = openClient(branded, { headerPrefix: 'X-BRAND', language: 'fr', simplePagination: true });
    const page = await speaking.getContentByType({ contentType: 'book' });
    expect(slugsOf(page.content)).toEqual(['un']);
    expect(page.pagination).toMatchObject({ last: { page: 1 } });
    const error: unknown = await openClient(branded)
      .getContentById('c_one')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 403, message: 'You must supply the Site ID in the appropriate header.' });
  } finally {
    await branded.close();
  }
});
