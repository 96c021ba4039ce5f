import { expect, test } from 'vitest';
import { decodeBody, encodeBody, PIECES } from './body.ts';
import type { ContentTemplates, FieldTemplate } from './content-templates.ts';
import { listShownLinks } from './shown-links.ts';

function field(type: FieldTemplate['type'], slot: number): FieldTemplate {
  return { type, slot, start: '', empty: 'null', options: new Map() };
}

/** The template of a page leaves out the hidden field in slot 3. */
const templates: ContentTemplates = {
  typesByNo: new Map([
    [1, { member: '', fields: [field('text', 0), field('content_links', 1), field('blocks', 2)] }],
    [2, { member: '', fields: [field('blocks', 0), field('content_links', 1)] }],
  ]),
  urlStart: null,
  areAscii: true,
};

function list(...values: readonly string[]): readonly string[] {
  const before = Array.from({ length: PIECES.fields - 1 }, () => '');
  return listShownLinks(decodeBody(encodeBody(1, null, [...before, ...values])), templates);
}

test('lists the links in fields and in nested blocks, each once', () => {
  const inner = [2, null, ['', '["c_3","c_1"]']];
  const outer = [2, 'Outer', [JSON.stringify([inner]), '["c_2"]']];
  expect(list('"c_text"', '["c_1","c_2"]', JSON.stringify([outer]))).toEqual(['c_1', 'c_2', 'c_3']);
});

test('does not list links in hidden fields, or in fields without a value', () => {
  expect(list('"text"', '', '', '["c_hidden"]')).toEqual([]);
  expect(list()).toEqual([]);
});
