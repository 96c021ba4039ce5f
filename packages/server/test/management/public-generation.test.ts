// What the public can see decides whether the generation of a site moves, and with it whether cached answers are found again.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportProof } from '../oracle/proof.ts';
import { FIELDS, listOther, type PublicAnswers, PublicSite, SITE } from './public-answers.ts';

let site: PublicSite;
let last: PublicAnswers;
let time = Date.parse('2026-01-01T00:00:00Z');

beforeAll(async () => {
  site = await PublicSite.open(() => {
    time += 1000;
    return time;
  });
  last = await site.read();
});

afterAll(() => site.close());

type Call = readonly [method: string, path: string, body?: unknown];

const here = `/sites/${SITE}`;
const inContent = (id: string, rest = '') => `${here}/content/${id}${rest}`;
const LATER = '2099-01-01T00:00:00+00:00';

/** One after the other, each on what the ones before have left. */
const CHANGES: readonly (readonly [name: string, isSeen: boolean, ...calls: Call[]])[] = [
  ['a draft is created', false, ['POST', `${here}/content`, { id: 'c_new', content_type: 'article', name: 'New' }]],
  ['a draft is saved', false, ['PUT', inContent('c_new'), { version: 1, fields: { title: { text: 'Newer' } } }]],
  ['a draft of published content is saved', false, ['PUT', inContent('c_1'), { version: 1, name: 'One and a half' }]],
  [
    'changes are discarded',
    false,
    ['PUT', inContent('c_2'), { version: 1, name: 'Two and a half' }],
    ['POST', inContent('c_2', '/discard-changes'), { version: 2 }],
  ],
  ['content is duplicated', false, ['POST', inContent('c_1', '/duplicate'), { id: 'c_newer' }]],
  ['content is translated', false, ['POST', inContent('c_2', '/translations'), { language: 'de', name: 'Zwei' }]],
  ['a publish is scheduled', false, ['POST', inContent('c_new', '/schedule'), { publish_at: LATER }]],
  ['unpublished content is archived', false, ['POST', inContent('c_newer', '/archive')]],
  ['archived content is deleted', false, ['DELETE', inContent('c_newer', '?confirm=c_newer')]],
  ['a draft is published', true, ['POST', inContent('c_new', '/publish'), { version: 2 }]],
  ['the same is published again', false, ['POST', inContent('c_new', '/publish'), { version: 2 }]],
  ['pending changes are published', true, ['POST', inContent('c_1', '/publish'), { version: 2 }]],
  ['content is unpublished', true, ['POST', inContent('c_new', '/unpublish')]],
  ['published content is archived', true, ['POST', inContent('c_2', '/archive'), { confirm: true }]],
  ['an author is created', false, ['POST', `${here}/authors`, { name: 'Another' }]],
  ['an author of a draft is renamed', false, ['PATCH', `${here}/authors/u_draft`, { name: 'Renamed' }]],
  ['an author of published content is renamed', true, ['PATCH', `${here}/authors/u_shown`, { name: 'Renamed' }]],
  ['an author without content is deleted', false, ['DELETE', `${here}/authors/u_free`]],
  ['an asset is created', false, ['POST', `${here}/assets`, { name: 'Another', url: 'https://files.example/b.png' }]],
  ['an asset of a draft is renamed', false, ['PATCH', `${here}/assets/a_draft`, { name: 'Renamed' }]],
  ['an asset of published content is renamed', true, ['PATCH', `${here}/assets/a_shown`, { name: 'Renamed' }]],
  ['a type is created', false, ['POST', `${here}/types`, { handle: 'x', name: 'X', object_type: 'entry' }]],
  ['a type without published content is renamed', false, ['PATCH', `${here}/types/plain`, { name: 'Renamed' }]],
  ['a type with published content is renamed', true, ['PATCH', `${here}/types/article`, { name: 'Renamed' }]],
  ['a type gets another pattern for addresses', false, ['PATCH', `${here}/types/article`, { uri_pattern: 'x/{slug}' }]],
  ['content is published at another address', true, ['POST', inContent('c_1', '/publish'), { version: 2 }]],
  ['a type is deleted', false, ['DELETE', `${here}/types/unused`]],
  ['a field becomes required', false, ['PATCH', `${here}/types/plain/fields/title`, { required: true }]],
  ['a field that nothing published has is renamed', false, ['PATCH', `${here}/types/plain/fields/more`, { name: 'M' }]],
  [
    'a field that lists can be sorted by is hidden',
    true,
    ['PATCH', `${here}/types/plain/fields/more`, { hidden: true }],
  ],
  ['a hidden field is renamed', false, ['PATCH', `${here}/types/article/fields/secret`, { name: 'Renamed' }]],
  [
    'an option that nothing published has gets another label',
    false,
    ['PATCH', `${here}/types/article/fields/mood`, { options: relabel('odd') }],
  ],
  [
    'an option of published content gets another label',
    true,
    ['PATCH', `${here}/types/article/fields/mood`, { options: relabel('odd', 'calm') }],
  ],
  ['a field of a block type is renamed', true, ['PATCH', `${here}/types/quote/fields/words`, { name: 'Renamed' }]],
  ['a language is added', false, ['POST', `${here}/languages`, { language: 'it' }]],
  ['a language is removed', true, ['DELETE', `${here}/languages/fr`]],
  ['the site is renamed', false, ['PATCH', here, { name: 'Renamed' }]],
  ['the site gets another address', true, ['PATCH', here, { url: 'https://b.example' }]],
  ['another site is changed', false, ['PATCH', '/sites/s_other', { url: 'https://c.example' }]],
  ['a key is created', false, ['POST', '/keys', { name: 'Key', all_sites: true }]],
  ['a token is created', false, ['POST', '/tokens', { name: 'Token', role: 'editor' }]],
  [
    'a user is created',
    false,
    ['POST', '/users', { email: 'a@b.example', name: 'A', role: 'editor', password: 'staple battery horse' }],
  ],
];

function relabel(...values: readonly string[]): readonly object[] {
  return FIELDS.mood.options.map(({ value, label }) => ({ value, label: values.includes(value) ? 'Other' : label }));
}

test.each(CHANGES.map(([name, isSeen, ...calls]) => [isSeen ? 'moves' : 'stays', name, isSeen, calls] as const))(
  'the generation %s when %s',
  async (_, name, isSeen, calls) => {
    for (const [method, path, body] of calls) await site.manager.expectOk(method, path, body);
    const before = last;
    last = await site.read();
    const differs = listOther(before, last, 'body').length > 0;
    const hasMoved = last.generation !== before.generation;
    reportProof(
      `${name}: ${differs ? 'a public answer differs' : 'no public answer differs'}, ${hasMoved ? 'moved' : 'not moved'}`,
    );
    expect({ differs, hasMoved }).toEqual({ differs: isSeen, hasMoved: isSeen });
    if (!isSeen) expect(listOther(before, last, 'etag')).toEqual([]);
  },
);
