// A site whose content has an author, an asset and a translation, for tests of these related records.

import type { Manager } from './manager.ts';

export const PHOTO = { id: 'a_photo', name: 'Photo', url: 'https://files.example/photo.jpg' } as const;

/** Imports a site with two objects: one in English and French, one only in English. */
export async function importMagazine(manager: Manager, site: string): Promise<void> {
  const head = { kind: 'content', site, content_type: 'post', status: 'published' };
  const published_at = '2024-05-01T10:00:00+00:00';
  await manager.service.importRecords([
    {
      kind: 'site',
      id: site,
      name: 'Magazine',
      default_language: 'en',
      languages: ['en', 'fr'],
      url: 'https://old.example',
    },
    { kind: 'author', id: 'u_ada', site, name: 'Ada', email: 'ada@example.com' },
    { kind: 'author', id: 'u_bob', site, name: 'Bob' },
    { kind: 'asset', site, ...PHOTO, width: 800, height: 600, size: 123 },
    { kind: 'asset', id: 'a_free', site, name: 'Free', url: '/free.png' },
    {
      kind: 'content_type',
      id: 't_post',
      site,
      handle: 'post',
      name: 'Post',
      uri_pattern: '{language}/posts/{slug}',
      fields: [
        { handle: 'title', name: 'Title', type: 'text' },
        { handle: 'photos', name: 'Photos', type: 'assets' },
        { handle: 'body', name: 'Body', type: 'blocks' },
      ],
    },
    {
      kind: 'content_type',
      id: 't_figure',
      site,
      handle: 'figure',
      name: 'Figure',
      object_type: 'block',
      fields: [{ handle: 'picture', name: 'Picture', type: 'assets' }],
    },
    {
      ...head,
      id: 'c_one',
      language: 'en',
      author: 'u_ada',
      slug: 'one',
      name: 'One',
      published_at,
      fields: { title: { text: 'a_free' }, photos: { assets: [PHOTO.id] } },
    },
    {
      ...head,
      id: 'c_one_fr',
      language: 'fr',
      translation_of: 'c_one',
      author: 'u_ada',
      slug: 'un',
      name: 'Un',
      published_at,
    },
    { ...head, id: 'c_two', language: 'en', slug: 'two', name: 'Two', published_at, status: 'draft' },
  ]);
}
