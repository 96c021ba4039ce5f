// A body with several errors is rejected with exactly those errors, each with its path.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { importTypeSite, SITE } from './type-site.ts';

const types = `/sites/${SITE}/types`;
const contents = `/sites/${SITE}/content`;
const text = { handle: 'a', type: 'text' };
let manager: Manager;

beforeAll(async () => {
  manager = await startManager();
  await importTypeSite(manager);
});

afterAll(() => manager.close());

interface Case {
  readonly what: string;
  readonly call: readonly [method: string, path: string];
  readonly body: object;
  readonly status?: number;
  readonly paths: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'a field with an invalid handle and type',
    call: ['POST', `${types}/article/fields`],
    body: { handle: 'Not Snake', type: 'picture', required: 'yes', name: '' },
    paths: ['handle', 'name', 'required', 'type'],
  },
  {
    what: 'a field with an invalid id and no type',
    call: ['POST', `${types}/article/fields`],
    body: { handle: 'a', id: 'not an id' },
    paths: ['id', 'type'],
  },
  {
    what: 'a field with swapped limits and an invalid name',
    call: ['POST', `${types}/article/fields`],
    body: { handle: 'a', type: 'text', name: 5, min_length: 9, max_length: 3, colour: 1 },
    paths: ['colour', 'min_length', 'name'],
  },
  {
    what: 'a field with repeated options, one of which is also invalid',
    call: ['POST', `${types}/article/fields`],
    body: {
      handle: '0',
      type: 'option',
      options: [
        { label: 'A', value: 'a' },
        { label: '', value: 'a' },
      ],
    },
    paths: ['handle', 'options[1].label', 'options[1].value'],
  },
  {
    what: 'a field that allows one type twice and an unknown type',
    call: ['POST', `${types}/article/fields`],
    body: { handle: 'a', type: 'blocks', allowed_types: ['quote', 'quote', 'X'] },
    paths: ['allowed_types[1]', 'allowed_types[2]'],
  },
  {
    what: 'a field with a taken handle that allows an unknown type',
    call: ['POST', `${types}/article/fields`],
    body: { handle: 'title', type: 'blocks', allowed_types: ['nothing'] },
    paths: ['allowed_types[0]', 'handle'],
  },
  {
    what: 'a change to immutable properties, with an invalid setting and an unknown one',
    call: ['PATCH', `${types}/article/fields/rank`],
    body: { handle: 'other', type: 'text', min: 'low', max_length: 4 },
    paths: ['handle', 'max_length', 'min', 'type'],
  },
  {
    what: 'a type whose fields share a handle',
    call: ['POST', types],
    body: { handle: 'twice', name: 'Twice', fields: [text, text] },
    paths: ['fields[1].handle'],
  },
  {
    what: 'a type with fields that share a handle and an id, and other invalid fields',
    call: ['POST', types],
    body: {
      handle: 'X',
      name: 'Twice',
      fields: [
        { ...text, id: 'f_1' },
        { ...text, id: 'f_1' },
        { handle: 'c', type: 'picture', hidden: 1 },
      ],
    },
    paths: ['fields[1].handle', 'fields[1].id', 'fields[2].hidden', 'fields[2].type', 'handle'],
  },
  {
    what: 'a type with a taken handle whose field allows an unknown type',
    call: ['POST', types],
    body: { handle: 'article', name: 'A', fields: [{ handle: 'b', type: 'blocks', allowed_types: ['nothing'] }] },
    paths: ['fields[0].allowed_types[0]', 'handle'],
  },
  {
    what: 'a site with repeated languages, an invalid URL and no name',
    call: ['POST', '/sites'],
    body: { url: 'nowhere', default_language: 'de', languages: ['en', 'en'] },
    paths: ['languages', 'languages', 'name', 'url'],
  },
  {
    what: 'a site with an unknown property and a malformed default language',
    call: ['POST', '/sites'],
    body: { name: 'S', default_language: '?', languages: ['en'], more: 1 },
    paths: ['default_language', 'more'],
  },
  {
    what: 'lists and fields of the wrong JSON type',
    call: ['POST', types],
    body: {
      handle: 'x',
      name: 'X',
      fields: [null, 'a', { handle: 'b', type: 'option', options: {} }],
      object_type: {},
    },
    paths: ['fields[0]', 'fields[1]', 'fields[2].options', 'object_type'],
  },
  {
    what: 'an expired key for all sites that also lists specific ones',
    call: ['POST', '/keys'],
    body: { name: 'K', sites: [SITE], all_sites: true, expires_at: '2001-01-01T00:00:00Z' },
    paths: ['expires_at', 'sites'],
  },
  {
    what: 'a user with a short password and an invalid email and role',
    call: ['POST', '/users'],
    body: { email: 'nobody', name: 'N', role: 'king', password: 'short' },
    paths: ['email', 'password', 'role'],
  },
  {
    what: 'an author with an invalid email and photo',
    call: ['POST', `/sites/${SITE}/authors`],
    body: { name: '', email: 'ada', profile_photo_url: 'javascript:1' },
    paths: ['email', 'name', 'profile_photo_url'],
  },
  {
    what: 'an asset with the wrong type that could run code in browsers',
    call: ['POST', `/sites/${SITE}/assets`],
    body: { name: 'A', url: 'data:text/html,<p>', mime_type: 'image/png' },
    paths: ['mime_type', 'url'],
  },
  {
    what: 'content with an unknown type, language and original',
    call: ['POST', contents],
    body: { content_type: 'nothing', name: 'N', language: 'fr', translation_of: 'c_none' },
    paths: ['content_type', 'language', 'translation_of'],
  },
  {
    what: 'content in an unknown language with invalid values, including in blocks',
    call: ['POST', contents],
    body: {
      content_type: 'article',
      name: 'N',
      language: 'fr',
      author: 'u_none',
      fields: {
        rank: { number: 'one' },
        nothing: { text: 'x' },
        body: { blocks: [{ content_type: 'quote', fields: { tone: { selected_option: 'loud' } } }, { more: 1 }] },
      },
    },
    paths: [
      'author',
      'fields.body.blocks[0].fields.tone.selected_option',
      'fields.body.blocks[1].content_type',
      'fields.body.blocks[1].more',
      'fields.nothing',
      'fields.rank.number',
      'language',
    ],
  },
  {
    what: 'a schedule with two past times',
    call: ['POST', `${contents}/c_1/schedule`],
    body: { publish_at: '2001-01-01T00:00:00Z', unpublish_at: '2000-01-01T00:00:00Z' },
    paths: ['publish_at', 'unpublish_at'],
  },
  {
    what: 'a schedule with one past time and one valid time',
    call: ['POST', `${contents}/c_3/schedule`],
    body: { publish_at: '2001-01-01T00:00:00Z', unpublish_at: '2999-01-01T00:00:00Z' },
    paths: ['publish_at'],
  },
];

test.each(CASES)('reports exactly the errors in $what', async ({ call: [method, path], body, status = 422, paths }) => {
  const answer = await manager.call(method, path, { body });
  const { errors = [] } = answer.body as { errors?: { path: string; message: string }[] };
  expect({ status: answer.status, paths: errors.map((error) => error.path).toSorted() }).toEqual({ status, paths });
  expect(JSON.stringify(errors)).not.toContain('short');
});
