// A site for content tests: two languages, and a type with every kind of field that matters to editors.

import type { ManagedContentBody } from '@galley/wire';
import type { Answer, Manager } from './manager.ts';

export const SITE = 's_desk';
/** An id that no content has. */
export const UNKNOWN = 'c_00000000000000000000000000000000';

const SITE_RECORDS = [
  {
    kind: 'site',
    id: SITE,
    name: 'Desk',
    default_language: 'en',
    languages: ['en', 'fr'],
    url: 'https://desk.example',
  },
  { kind: 'author', id: 'u_ada', site: SITE, name: 'Ada' },
  { kind: 'author', id: 'u_bob', site: SITE, name: 'Bob' },
  { kind: 'asset', id: 'a_photo', site: SITE, name: 'Photo', url: 'https://desk.example/photo.jpg' },
  { kind: 'asset', id: 'a_paper', site: SITE, name: 'Paper', url: 'https://desk.example/paper.pdf' },
  {
    kind: 'content_type',
    id: 't_card',
    site: SITE,
    handle: 'card',
    name: 'Card',
    object_type: 'block',
    fields: [
      { handle: 'title', name: 'Title', type: 'text', required: true },
      { handle: 'body', name: 'Body', type: 'text', format: 'html' },
    ],
  },
  {
    kind: 'content_type',
    id: 't_post',
    site: SITE,
    handle: 'post',
    name: 'Post',
    object_type: 'page',
    uri_pattern: '{language}/blog/{slug}',
    fields: [
      { handle: 'title', name: 'Title', type: 'text', required: true, max_length: 20 },
      { handle: 'rank', name: 'Rank', type: 'number', min: 1 },
      { handle: 'body', name: 'Body', type: 'text', format: 'html' },
      { handle: 'notes', name: 'Notes', type: 'text', format: 'markdown' },
      { handle: 'photos', name: 'Photos', type: 'assets', allowed_kinds: ['image/'] },
      { handle: 'related', name: 'Related', type: 'content_links', allowed_types: ['post'] },
      { handle: 'parts', name: 'Parts', type: 'blocks' },
    ],
  },
  {
    kind: 'content_type',
    id: 't_note',
    site: SITE,
    handle: 'note',
    name: 'Note',
    object_type: 'entry',
    fields: [{ handle: 'text', name: 'Text', type: 'text' }],
  },
];

export interface ContentDesk {
  /** Creates a post, which can be published unless the given values prevent it. */
  create(members?: Readonly<Record<string, unknown>>): Promise<ManagedContentBody>;
  /** Calls a route under the site's content. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Runs an action on the content; fails the test if it is rejected. */
  act(content: { readonly id: string }, action: string, body?: unknown): Promise<ManagedContentBody>;
  save(content: ManagedContentBody, members: Readonly<Record<string, unknown>>): Promise<ManagedContentBody>;
  get(id: string): Promise<ManagedContentBody>;
  /** The name that the delivery API returns for the content, or null if the content is not found. */
  readName(id: string): Promise<string | null>;
  previewName(id: string): Promise<string | null>;
}

export async function openContentDesk(manager: Manager): Promise<ContentDesk> {
  await manager.service.importRecords(SITE_RECORDS);
  const root = `/sites/${SITE}/content`;
  const nameOf = ({ status, body }: Answer): string | null => {
    if (status === 404) return null;
    if (status !== 200 || typeof body !== 'object' || body === null || !('name' in body)) {
      throw new Error(`A read returned ${status}: ${JSON.stringify(body)}`);
    }
    return String(body.name);
  };
  return {
    create: (members = {}) =>
      manager.expectOk('POST', root, {
        content_type: 'post',
        name: 'A post',
        fields: { title: { text: 'A title' } },
        ...members,
      }),
    call: (method, path, body, token = manager.editor) => manager.call(method, `${root}${path}`, { body, token }),
    act: ({ id }, action, body) => manager.expectOk('POST', `${root}/${id}/${action}`, body),
    save: ({ id, version }, members) => manager.expectOk('PUT', `${root}/${id}`, { version, ...members }),
    get: (id) => manager.expectOk('GET', `${root}/${id}`),
    readName: async (id) => nameOf(await manager.read(SITE, `/${id}`)),
    previewName: async (id) => nameOf(await manager.read(SITE, `/${id}`, { 'x-service-preview': 'true' })),
  };
}

/** The paths of the errors in the response. */
export function listErrorPaths({ body }: Answer): readonly string[] {
  return Object(body).errors.map((error: object) => Object(error).path);
}
