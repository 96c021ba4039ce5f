// A running service with two sites: a library of books in two languages, and a site that most keys cannot read.

import { startService, type TestService } from '../../../server/test/support/service.ts';
import { type ClientOptions, createClient } from '../../src/index.ts';

export const LIBRARY = 's_library';
export const CLOSED = 's_closed';

export interface Library {
  readonly service: TestService;
  /** The settings for a client that reads the library, with a key that allows previews. */
  readonly access: Pick<ClientOptions, 'apiURL' | 'apiKey' | 'siteId'>;
  close(): Promise<void>;
}

/** The slugs of the books, newest first. */
export const BOOKS: readonly string[] = ['seven', 'six', 'five', 'four', 'three', 'two', 'one'];

function record(slug: string, parts: object = {}): object {
  return {
    kind: 'content',
    id: `c_${slug.replaceAll('-', '_')}`,
    site: LIBRARY,
    content_type: 'book',
    language: 'en',
    slug,
    name: slug,
    status: 'published',
    published_at: '2026-01-01T00:00:00+00:00',
    ...parts,
  };
}

const RECORDS: readonly object[] = [
  ...[LIBRARY, CLOSED].map((id) => ({
    kind: 'site',
    id,
    name: id,
    default_language: 'en',
    languages: ['en', 'fr'],
    url: 'https://library.example',
  })),
  {
    kind: 'content_type',
    id: 't_book',
    site: LIBRARY,
    handle: 'book',
    name: 'Book',
    object_type: 'page',
    fields: [
      { handle: 'title', name: 'Title', type: 'text' },
      { handle: 'rank', name: 'Rank', type: 'number' },
      { handle: 'is_lent', name: 'Lent', type: 'boolean' },
      { handle: 'sequel', name: 'Sequel', type: 'content_links' },
    ],
  },
  { kind: 'content_type', id: 't_note', site: LIBRARY, handle: 'note', name: 'Note', object_type: 'entry', fields: [] },
  {
    kind: 'content_type',
    id: 't_empty',
    site: LIBRARY,
    handle: 'shelf',
    name: 'Shelf',
    object_type: 'entry',
    fields: [],
  },
  ...BOOKS.map((slug, index) =>
    record(slug, {
      published_at: `2026-01-${20 - index}T00:00:00+00:00`,
      fields: {
        title: { text: `Volume ${slug}` },
        rank: { number: (index * 3) % 7 },
        is_lent: { is_on: index % 2 === 0 },
        ...(slug === 'one' && { sequel: { content_links: ['c_two'] } }),
      },
    }),
  ),
  // Has the same slug as a book, which is allowed because slugs are unique only within a content type.
  record('one', { id: 'c_note_one', content_type: 'note', name: 'A note on one' }),
  record('un', { language: 'fr', translation_of: 'c_one', name: 'un' }),
  record('secret', { status: 'draft', published_at: undefined, name: 'not yet' }),
];

/** @param environment the GALLEY_* settings of the service */
export async function openLibrary(environment: Readonly<Record<string, string>> = {}): Promise<Library> {
  const service = await startService(environment);
  await service.importRecords(RECORDS);
  const { token } = await service.createKey({ sites: [LIBRARY], preview: true });
  return {
    service,
    access: { apiURL: `${service.url}/api/v1`, apiKey: token, siteId: LIBRARY },
    close: () => service.close(),
  };
}

export function openClient(library: Library, options: Partial<ClientOptions> = {}) {
  return createClient({ ...library.access, ...options });
}

export function slugsOf(objects: readonly { readonly slug: string }[]): readonly string[] {
  return objects.map((object) => object.slug);
}
