import { expect, test } from 'vitest';
import { listDetails } from './list-details.ts';

test.each([
  ['content.translate', { from: 'c_1', language: 'de' }, ['from: c_1', 'language: German']],
  ['site.set_default_language', { language: 'de', before: 'en' }, ['language: German', 'before: English']],
  ['user.change_role', { before: 'editor', after: 'owner' }, ['before: editor', 'after: owner']],
  [
    'author.update',
    { before: { name: 'Ada', email: null }, after: { name: 'Ida', email: 'i@a.example' }, id: 3 },
    ['id: 3', 'name: Ada → Ida', 'email: (empty) → i@a.example'],
  ],
  ['user.rename', { before: 'en' }, ['before: en']],
  ['content.publish', null, []],
])('lists the details of %s as text: %j', (action, details, rows) => {
  expect(listDetails({ action, details }).map(({ name, text }) => `${name}: ${text}`)).toEqual(rows);
});
