// A site's generation changes only when something visible to the public changes. A cached response is valid for one generation.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { FIELDS, listOther, type PublicAnswers, PublicSite, SITE, type SiteNumbers } from './public-answers.ts';

let site: PublicSite;
let last: PublicAnswers;
let time = Date.parse('2026-01-01T00:00:00Z');

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    site = await PublicSite.open(() => {
      time += 1000;
      return time;
    }, engine);
    last = await read();
  });

  afterAll(() => site.close());

  /** On PostgreSQL, this reads only the numbers: whether a change is visible does not depend on the engine. */
  async function read(): Promise<PublicAnswers> {
    return engine === 'sqlite' ? site.read() : { numbers: await site.readNumbers(), answers: new Map() };
  }

  /** A call, or records to import. */
  type Step = readonly [method: string, path: string, body?: unknown] | { readonly records: readonly object[] };

  const here = `/sites/${SITE}`;
  const inContent = (id: string, rest = '') => `${here}/content/${id}${rest}`;
  const LATER = '2099-01-01T00:00:00+00:00';
  const TIME = '2024-01-01T12:00:00+00:00';
  const IMPORTED = {
    kind: 'content',
    id: 'c_newer',
    site: SITE,
    content_type: 'article',
    language: 'en',
    slug: 'newer',
    name: 'Newer',
    status: 'published',
    published_at: TIME,
    created_at: TIME,
    updated_at: TIME,
    fields: {},
  };
  const GERMAN = { ...IMPORTED, id: 'c_de', language: 'de', slug: 'eins', name: 'Eins', uri: 'de/eins' };
  const FRENCH = {
    ...IMPORTED,
    id: 'c_fr',
    language: 'fr',
    slug: 'un',
    name: 'Un',
    uri: 'fr/un',
    translation_of: 'c_de',
  };
  const RENAMED = {
    kind: 'site',
    id: SITE,
    name: 'Imported',
    default_language: 'en',
    languages: ['en', 'de', 'fr'],
    url: 'https://a.example',
  };
  const DRAFT = { status: 'draft', published_at: undefined } as const;

  /** The properties of `SiteNumbers` that a step changes. */
  type Moved = readonly (keyof SiteNumbers)[];

  const NOTHING: Moved = [];
  const DRAFTS: Moved = ['preview_generation'];
  const CATALOG: Moved = ['preview_generation', 'catalog'];
  const PUBLIC: Moved = ['generation', 'preview_generation'];
  const ALL: Moved = ['generation', 'preview_generation', 'catalog'];

  /** The changes are made in this order, each based on the result of the previous ones. */
  const CHANGES: readonly (readonly [name: string, moved: Moved, ...steps: Step[]])[] = [
    ['a draft is created', DRAFTS, ['POST', `${here}/content`, { id: 'c_new', content_type: 'article', name: 'New' }]],
    ['a draft is saved', DRAFTS, ['PUT', inContent('c_new'), { version: 1, fields: { title: { text: 'Newer' } } }]],
    [
      'a draft of published content is saved',
      DRAFTS,
      ['PUT', inContent('c_1'), { version: 1, name: 'One and a half' }],
    ],
    [
      'changes are discarded',
      DRAFTS,
      ['PUT', inContent('c_2'), { version: 1, name: 'Two and a half' }],
      ['POST', inContent('c_2', '/discard-changes'), { version: 2 }],
    ],
    ['content is duplicated', DRAFTS, ['POST', inContent('c_1', '/duplicate'), { id: 'c_newer' }]],
    ['content is translated', DRAFTS, ['POST', inContent('c_2', '/translations'), { language: 'de', name: 'Zwei' }]],
    ['a draft is scheduled for publication', NOTHING, ['POST', inContent('c_new', '/schedule'), { publish_at: LATER }]],
    ['unpublished content is archived', DRAFTS, ['POST', inContent('c_newer', '/archive')]],
    ['archived content is deleted', DRAFTS, ['DELETE', inContent('c_newer', '?confirm=c_newer')]],
    ['a draft is published', PUBLIC, ['POST', inContent('c_new', '/publish'), { version: 2 }]],
    ['the same version is published again', NOTHING, ['POST', inContent('c_new', '/publish'), { version: 2 }]],
    ['pending changes are published', PUBLIC, ['POST', inContent('c_1', '/publish'), { version: 2 }]],
    ['content is unpublished', PUBLIC, ['POST', inContent('c_new', '/unpublish')]],
    ['published content is archived', PUBLIC, ['POST', inContent('c_2', '/archive'), { confirm: true }]],
    ['an author is created', NOTHING, ['POST', `${here}/authors`, { name: 'Another' }]],
    ['an author of a draft is renamed', CATALOG, ['PATCH', `${here}/authors/u_draft`, { name: 'Renamed' }]],
    ['an author of published content is renamed', ALL, ['PATCH', `${here}/authors/u_shown`, { name: 'Renamed' }]],
    ['an author without content is deleted', CATALOG, ['DELETE', `${here}/authors/u_free`]],
    ['an author of a draft is deleted', CATALOG, ['DELETE', `${here}/authors/u_draft?confirm=u_draft`]],
    [
      'an author of published content is replaced',
      ALL,
      ['POST', `${here}/authors`, { id: 'u_next', name: 'Next' }],
      ['DELETE', `${here}/authors/u_shown?confirm=u_shown&replace_with=u_next`],
    ],
    [
      'an asset is created',
      NOTHING,
      ['POST', `${here}/assets`, { name: 'Another', url: 'https://files.example/b.png' }],
    ],
    ['an asset in a draft is renamed', CATALOG, ['PATCH', `${here}/assets/a_draft`, { name: 'Renamed' }]],
    [
      'an asset in published content gets a folder and tags',
      NOTHING,
      ['PATCH', `${here}/assets/a_shown`, { folder: 'press', tags: ['Sea'] }],
    ],
    [
      'the folder of an asset in published content is renamed',
      NOTHING,
      ['PATCH', `${here}/asset-folders`, { path: 'press', new_path: 'sea' }],
    ],
    [
      'an asset in published content is moved and tagged in a batch',
      NOTHING,
      ['POST', `${here}/assets/batch`, { ids: ['a_shown'], folder: 'art', add_tags: ['Boat'] }],
    ],
    ['the asset settings are changed', NOTHING, ['PATCH', `${here}/asset-settings`, { image_access: 'signed' }]],
    ['an image preset is saved', NOTHING, ['PUT', `${here}/image-presets/card`, { parameters: 'w=300' }]],
    [
      'the focal point of an asset in published content is set',
      ALL,
      ['PATCH', `${here}/assets/a_shown`, { focal_point: { x: 10, y: 20 } }],
    ],
    ['an asset in published content is renamed', ALL, ['PATCH', `${here}/assets/a_shown`, { name: 'Renamed' }]],
    ['a type is created', CATALOG, ['POST', `${here}/types`, { handle: 'x', name: 'X', object_type: 'entry' }]],
    ['a type without published content is renamed', CATALOG, ['PATCH', `${here}/types/plain`, { name: 'Renamed' }]],
    ['a type with published content is renamed', ALL, ['PATCH', `${here}/types/article`, { name: 'Renamed' }]],
    ['the uri pattern of a type is changed', CATALOG, ['PATCH', `${here}/types/article`, { uri_pattern: 'x/{slug}' }]],
    ['content is published at a new URL', PUBLIC, ['POST', inContent('c_1', '/publish'), { version: 2 }]],
    ['published content is imported', PUBLIC, { records: [IMPORTED] }],
    ['content is reimported with a scheduled unpublish', NOTHING, { records: [{ ...IMPORTED, unpublish_at: LATER }] }],
    ['an import renames the site and changes content', ALL, { records: [RENAMED, { ...IMPORTED, name: 'Newest' }] }],
    ['an import removes published content from its translation group', PUBLIC, { records: [GERMAN] }],
    [
      'an import moves published content between groups without other published content',
      DRAFTS,
      { records: [{ ...GERMAN, translation_of: 'c_old' }] },
      { records: [GERMAN] },
    ],
    ['a published translation is imported', PUBLIC, { records: [FRENCH] }],
    [
      'an import moves all published content of a group into another group at once',
      DRAFTS,
      { records: [{ ...GERMAN, translation_of: 'c_old' }] },
    ],
    [
      'a published translation is deleted',
      PUBLIC,
      ['POST', inContent('c_fr', '/archive'), { confirm: true }],
      ['DELETE', inContent('c_fr', '?confirm=c_fr')],
      { records: [GERMAN] },
    ],
    [
      'an import puts a draft into a translation group',
      DRAFTS,
      { records: [{ ...IMPORTED, ...DRAFT, id: 'c_draft', slug: 'draft', name: 'Draft', translation_of: 'c_de' }] },
    ],
    ['a type is deleted', CATALOG, ['DELETE', `${here}/types/unused`]],
    [
      'a field is hidden, but lists can still be sorted by it because another type has it too',
      CATALOG,
      ['PATCH', `${here}/types/plain/fields/title`, { hidden: true }],
      ['PATCH', `${here}/types/plain/fields/title`, { hidden: false }],
    ],
    ['a field becomes required', CATALOG, ['PATCH', `${here}/types/plain/fields/title`, { required: true }]],
    [
      'a field that no published content has is renamed',
      CATALOG,
      ['PATCH', `${here}/types/plain/fields/more`, { name: 'M' }],
    ],
    [
      'a field that lists can be sorted by is hidden',
      ALL,
      ['PATCH', `${here}/types/plain/fields/more`, { hidden: true }],
    ],
    ['a hidden field is renamed', CATALOG, ['PATCH', `${here}/types/article/fields/secret`, { name: 'Renamed' }]],
    [
      'an option that no published content uses gets a new label',
      CATALOG,
      ['PATCH', `${here}/types/article/fields/mood`, { options: relabel('odd') }],
    ],
    [
      'an option that published content uses gets a new label',
      ALL,
      ['PATCH', `${here}/types/article/fields/mood`, { options: relabel('odd', 'calm') }],
    ],
    ['a field of a block type is renamed', ALL, ['PATCH', `${here}/types/quote/fields/words`, { name: 'Renamed' }]],
    [
      'a field is added to published content',
      ALL,
      ['POST', `${here}/types/article/fields`, { handle: 'extra', name: 'Extra', type: 'text' }],
    ],
    ['a field with published values is deleted', ALL, ['DELETE', `${here}/types/article/fields/rank?confirm=rank`]],
    [
      'a hidden field with a value only in a draft is deleted',
      CATALOG,
      ['PUT', inContent('c_draft'), { version: 2, fields: { secret: { text: 'Draft' } } }],
      ['DELETE', `${here}/types/article/fields/secret?confirm=secret`],
    ],
    ['a language is added', CATALOG, ['POST', `${here}/languages`, { language: 'it' }]],
    ['a language is removed', ALL, ['DELETE', `${here}/languages/fr`]],
    ['the site is renamed', CATALOG, ['PATCH', here, { name: 'Renamed' }]],
    ["the site's URL is changed", ALL, ['PATCH', here, { url: 'https://b.example' }]],
    [
      'all content is translated',
      DRAFTS,
      ...['c_1', 'c_new', 'c_newer', 'c_plain'].map(
        (id) => ['POST', inContent(id, '/translations'), { language: 'de', name: `${id} in German` }] as const,
      ),
    ],
    ['the default language is changed', ALL, ['PUT', `${here}/default-language`, { language: 'de' }]],
    [
      'the last published content is unpublished',
      PUBLIC,
      ...['c_1', 'c_de', 'c_newer'].map((id) => ['POST', inContent(id, '/unpublish'), { confirm: true }] as const),
    ],
    [
      'a block type that no published content uses is renamed',
      CATALOG,
      ['PATCH', `${here}/types/quote`, { name: 'Q' }],
    ],
    ['the URL of a site without published content is changed', CATALOG, ['PATCH', here, { url: 'https://d.example' }]],
    [
      'the default language of a site without published content is changed',
      CATALOG,
      ['POST', inContent('c_2', '/restore'), {}],
      ['PUT', `${here}/default-language`, { language: 'en' }],
    ],
    ['another site is changed', NOTHING, ['PATCH', '/sites/s_other', { url: 'https://c.example' }]],
    ['a key is created', NOTHING, ['POST', '/keys', { name: 'Key', all_sites: true }]],
    ['a token is created', NOTHING, ['POST', '/tokens', { name: 'Token', role: 'editor' }]],
    [
      'a user is created',
      NOTHING,
      ['POST', '/users', { email: 'a@b.example', name: 'A', role: 'editor', password: 'staple battery horse' }],
    ],
    ['a user signs in', NOTHING, ['POST', '/session', { email: 'a@b.example', password: 'staple battery horse' }]],
    ['the site is deleted', ALL, ['DELETE', `${here}?confirm=${SITE}`]],
  ];

  function relabel(...values: readonly string[]): readonly object[] {
    return FIELDS.mood.options.map(({ value, label }) => ({ value, label: values.includes(value) ? 'Other' : label }));
  }

  test.each(
    CHANGES.map(([name, moved, ...steps]) => {
      const isSeen = moved.includes('generation');
      return [isSeen ? 'changes' : 'stays the same', name, { isSeen, moved, steps }] as const;
    }),
  )('the generation %s when %s', async (_change, _name, { isSeen, moved, steps }) => {
    for (const step of steps) await take(step);
    const before = last;
    last = await read();
    expect(listMoved(before.numbers, last.numbers)).toEqual(moved);
    if (engine !== 'sqlite') return;
    const differs = listOther(before, last, 'body').length > 0;
    expect(differs).toBe(isSeen);
    if (!isSeen) expect(listOther(before, last, 'etag')).toEqual([]);
  });

  async function take(step: Step): Promise<void> {
    if ('records' in step) await site.manager.service.importRecords(step.records);
    else await site.manager.expectOk(...step);
  }

  function listMoved(before: SiteNumbers, after: SiteNumbers): Moved {
    return (['generation', 'preview_generation', 'catalog'] as const).filter((name) => after[name] !== before[name]);
  }

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('the table in docs/architecture.md has the same results', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../../docs/architecture.md'), 'utf8');
    const [, table = ''] = text.split(
      '| what happens | a public response changes | the generation changes |\n|---|---|---|\n',
    );
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
    expect(rows).toHaveLength(20);
    const known = CHANGES.map(([name, moved]) => {
      const isSeen = moved.includes('generation') ? 'yes' : 'no';
      return `| ${name} | ${isSeen} | ${isSeen} |`;
    });
    expect(rows.filter((row) => !known.includes(row))).toEqual([]);
  });
});
