import { describe, expect, test } from 'vitest';
import type { ContentType, Field } from '../../content/field.ts';
import { UncleanTexts } from '../prepare-work.ts';
import { sanitiseValues } from './sanitise-values.ts';

describe('values', () => {
  const text = buildField('body', 'text', { format: 'html' });
  const card = buildType('card', [text, buildField('note', 'text', { format: 'markdown' })]);
  const page = buildType('page', [text, buildField('parts', 'blocks', {}), buildField('plain', 'text', {})]);
  const types = new Map([card, page].map((type) => [type.handle, type]));

  test('are sanitised if they are HTML, even in blocks, and changes are reported', () => {
    const hostile = '<b>x</b><script>y</script>';
    const block = { content_type: 'card', name: null, fields: { body: { text: hostile }, note: { text: hostile } } };
    const given = { body: { text: '<p>fine</p>' }, parts: { blocks: [block] }, plain: { text: hostile } };
    const { values, changed, faults } = sanitiseValues(page, given, types, new Map());
    expect(changed).toEqual(['fields.parts.blocks[0].fields.body.text']);
    expect(faults).toEqual([]);
    const kept = { ...block, fields: { body: { text: '<b>x</b>' }, note: { text: hostile } } };
    expect(values).toEqual({ ...given, parts: { blocks: [kept] } });
  });

  test('are sanitised in advance if they are long or numerous', () => {
    const long = `${'<b>x</b>'.repeat(600)}<script>`;
    const given = { body: { text: long }, plain: { text: long } };
    expect(() => sanitiseValues(page, given, types, new Map())).toThrow(
      expect.objectContaining({ constructor: UncleanTexts, texts: [long] }),
    );
    const blocks = Array.from({ length: 100 }, (_, index) => ({
      content_type: 'card',
      name: null,
      fields: { body: { text: `<b>${index}</b>` } },
    }));
    expect(() => sanitiseValues(page, { parts: { blocks } }, types, new Map())).toThrow(UncleanTexts);
    const { values } = sanitiseValues(page, given, types, new Map([[long, '<b>clean</b>']]));
    expect(values).toEqual({ body: { text: '<b>clean</b>' }, plain: { text: long } });
    const words = 'words '.repeat(60_000);
    expect(sanitiseValues(page, { body: { text: words } }, types, new Map()).changed).toEqual([]);
  });

  test('are rejected if they become too long', () => {
    const text = '<'.repeat(150_000);
    const { faults } = sanitiseValues(page, { body: { text } }, types, new Map([[text, '&lt;'.repeat(150_000)]]));
    expect(faults).toMatchObject([{ path: 'fields.body.text', message: expect.stringContaining('600000') }]);
  });

  test('are rejected if they would become empty', () => {
    const { faults } = sanitiseValues(page, { body: { text: ' <script>y</script> ' } }, types, new Map());
    expect(faults).toMatchObject([{ path: 'fields.body.text' }]);
    expect(sanitiseValues(page, { body: { text: ' ' } }, types, new Map()).faults).toEqual([]);
  });
});

function buildField(handle: string, type: Field['type'], settings: Field['settings']): Field {
  const common = { no: 1, id: `f_${handle}`, name: handle, helpText: null, isRequired: false, isHidden: false };
  return { ...common, handle, type, settings, slot: 0, marksMissing: true };
}

function buildType(handle: string, fields: readonly Field[]): ContentType {
  return { no: 1, id: `t_${handle}`, handle, name: handle, objectType: 'block', uriPattern: '{slug}', fields };
}
