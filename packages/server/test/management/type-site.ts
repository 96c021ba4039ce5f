// Records to import: a site with a type of each kind and content that uses these types.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { FIRST_VERSION } from '../../src/storage/contents/content-versions.ts';
import { selectCatalog, selectSite } from '../../src/storage/sites/select-catalog.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import { selectSavedVersions } from '../../src/storage/types/saved-values.ts';
import type { Manager } from './manager.ts';

export const SITE = 's_types';

export async function importTypeSite({ service }: Manager, site = SITE): Promise<void> {
  await service.importRecords([
    { kind: 'site', id: site, name: 'Types', default_language: 'en', languages: ['en'], url: 'https://types.example' },
    {
      kind: 'content_type',
      id: 't_article',
      site,
      handle: 'article',
      name: 'Article',
      uri_pattern: 'articles/{slug}',
      fields: [
        { handle: 'title', name: 'Title', type: 'text', help_text: 'One line.' },
        { handle: 'rank', type: 'number' },
        { handle: 'is_pinned', type: 'boolean' },
        { handle: 'mood', type: 'option', options: toOptions('calm', 'loud') },
        { handle: 'related', type: 'content_links', allowed_types: ['article'] },
        { handle: 'body', type: 'blocks', allowed_types: ['quote', 'box'] },
      ],
    },
    { kind: 'content_type', id: 't_plain', site, handle: 'plain', name: 'Plain', object_type: 'entry', fields: [] },
    {
      kind: 'content_type',
      id: 't_quote',
      site,
      handle: 'quote',
      name: 'Quote',
      object_type: 'block',
      fields: [
        { handle: 'words', type: 'text' },
        { handle: 'tone', type: 'option', options: toOptions('dry', 'warm') },
      ],
    },
    {
      kind: 'content_type',
      id: 't_box',
      site,
      handle: 'box',
      name: 'Box',
      object_type: 'block',
      fields: [{ handle: 'inner', type: 'blocks' }],
    },
    articleRecord('c_1', { title: { text: 'First' }, rank: { number: 1 } }, site),
    articleRecord(
      'c_2',
      {
        title: { text: 'Second' },
        rank: { number: 2 },
        is_pinned: { is_on: true },
        mood: { selected_option: 'calm' },
        related: { content_links: ['c_1'] },
        body: { blocks: [boxOf([quoteOf('Inside', 'dry')])] },
      },
      site,
    ),
    { ...articleRecord('c_3', { rank: { number: 3 } }, site), status: 'draft' },
  ]);
}

export function toOptions(...values: readonly string[]) {
  return values.map((value) => ({ label: value.toUpperCase(), value }));
}

export function articleRecord(id: string, fields: object, site = SITE) {
  return {
    kind: 'content',
    id,
    site,
    content_type: 'article',
    language: 'en',
    slug: id.replace('_', '-'),
    name: `Article ${id}`,
    status: 'published',
    published_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
    created_at: '2026-01-01T00:00:00+00:00',
    fields,
  };
}

export function quoteOf(words: string, tone: string) {
  return { content_type: 'quote', fields: { words: { text: words }, tone: { selected_option: tone } } };
}

export function boxOf(blocks: readonly object[]) {
  return { content_type: 'box', fields: { inner: { blocks } } };
}

export function readType(manager: Manager, handle: string, site = SITE): Promise<ManagedTypeBody> {
  return manager.expectOk('GET', `/sites/${site}/types/${handle}`);
}

export async function listHandles(manager: Manager, handle: string, site = SITE): Promise<readonly string[]> {
  return (await readType(manager, handle, site)).fields.map((field: ManagedFieldBody) => field.handle);
}

/** The fields of a content object in the delivery API, by handle. */
export async function readFields(
  manager: Manager,
  id: string,
  isPreview = false,
  site = SITE,
): Promise<Readonly<Record<string, Record<string, unknown>>>> {
  const { status, body } = await manager.read(site, `/${id}`, isPreview ? { 'x-service-preview': 'true' } : {});
  if (status !== 200) throw new Error(`The request for ${id} returned ${status}`);
  return (body as { fields: Record<string, Record<string, unknown>> }).fields;
}

/** The field values of all versions of a type's content, as text. */
export function readSavedText({ service }: Manager, handle: string, siteId = SITE): Promise<string> {
  function* selectSavedText(): Procedure<string> {
    const site = yield* selectSite(siteId);
    const loaded = yield* selectCatalog(site?.no ?? 0);
    const typeNo = loaded?.catalog.typesByHandle.get(handle)?.no ?? 0;
    return JSON.stringify(yield* selectSavedVersions(typeNo, 'all', '', FIRST_VERSION, 1000));
  }
  return service.storage.read(selectSavedText());
}
