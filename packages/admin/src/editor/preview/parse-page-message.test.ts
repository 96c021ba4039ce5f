import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePageMessage } from './parse-page-message.ts';

const edit = (parts: object): object => ({ message: 'acme-edit-field', id: 'c_1', path: 'name', ...parts });

test.each([
  ['live-preview-enabled', { kind: 'live' }],
  ['live-preview-init', { kind: 'live' }],
  ['loaded', { kind: 'loaded' }],
  [
    { message: 'acme-live-preview', marks: true },
    { kind: 'marks', marks: true },
  ],
  [edit({ language: 'en' }), { kind: 'edit', id: 'c_1', path: 'name' }],
  [
    edit({ path: 'fields.body.blocks[0].fields.text', more: 1 }),
    { kind: 'edit', id: 'c_1', path: 'fields.body.blocks[0].fields.text' },
  ],
  [edit({ id: 'a_1', path: 'fields.tags.list[12]' }), { kind: 'edit', id: 'a_1', path: 'fields.tags.list[12]' }],
])('understands %j', (data, message) => {
  expect(parsePageMessage(data, 'acme')).toEqual(message);
});

test.each([
  [undefined],
  [null],
  [''],
  ['LOADED'],
  [['loaded']],
  [{ message: 'loaded' }],
  [{ message: 'service-live-preview', marks: true }],
  [{ message: 'acme-live-preview', marks: 'true' }],
  [{ message: 'acme-live-preview' }],
  [{ message: 'acme-update-content', content: '{}' }],
  [edit({ id: '' })],
  [edit({ id: '../users' })],
  [edit({ id: ['c_1'] })],
  [edit({ id: 'c'.repeat(65) })],
  [edit({ path: '' })],
  [edit({ path: 'name"] script, [x="' })],
  [edit({ path: 'fields.__proto__' })],
  [edit({ path: 'fields..title' })],
  [edit({ path: 'fields.tags.list[-1]' })],
  [edit({ path: `fields${'.a'.repeat(600)}` })],
  [edit({ path: { toString: 'name' } })],
])('ignores %j', (data) => {
  expect(parsePageMessage(data, 'acme')).toBeUndefined();
});

test('never throws, whatever the page posts', () => {
  fc.assert(
    fc.property(fc.anything({ withMap: true, withSet: true, withNullPrototype: true }), (data) => {
      parsePageMessage(data, 'acme');
    }),
  );
});
