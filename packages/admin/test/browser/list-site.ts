// Creates a site with any number of objects, numbered from 00000, for list tests.

import type { Panel } from './panel.ts';

export const LIST_PATH = '/sites/s_list/content';

/** Objects with higher numbers were changed later. Every tenth is a draft, and every second draft cannot be published. */
export async function importListSite({ service }: Pick<Panel, 'service'>, total: number): Promise<void> {
  await service.importRecords([
    { kind: 'site', id: 's_list', name: 'List', default_language: 'en', languages: ['en', 'fr'] },
    { kind: 'author', id: 'u_ada', site: 's_list', name: 'Ada Quill' },
    { kind: 'author', id: 'u_bob', site: 's_list', name: 'Bob Nib' },
    buildType('post', 'Post', 'page'),
    buildType('note', 'Note', 'entry'),
    buildType('card', 'Card', 'block'),
    ...Array.from({ length: total }, (_, index) => buildContent(index)),
  ]);
}

function buildType(handle: string, name: string, objectType: string): object {
  const fields = [{ handle: 'title', name: 'Title', type: 'text', required: true }];
  return { kind: 'content_type', id: `t_${handle}`, site: 's_list', handle, name, object_type: objectType, fields };
}

function buildContent(index: number): object {
  const number = String(index).padStart(5, '0');
  const time = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString().replace('.000Z', '+00:00');
  return {
    kind: 'content',
    id: `c_${number}`,
    site: 's_list',
    content_type: index % 2 === 0 ? 'post' : 'note',
    author: index % 3 === 0 ? 'u_ada' : 'u_bob',
    language: index % 50 === 0 ? 'fr' : 'en',
    slug: `object-${number}`,
    name: `Object ${number}`,
    status: index % 10 === 9 ? 'draft' : 'published',
    created_at: time,
    updated_at: time,
    fields: index % 20 === 19 ? {} : { title: { text: number } },
  };
}
