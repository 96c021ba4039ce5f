// A small catalog for tests: two content types that share handles (one handle is used for fields of different types), and a content type
// without any fields.

import { buildCatalog, type Catalog } from '../content/catalog.ts';
import type { ContentType, Field, FieldType } from '../content/field.ts';

function buildField(no: number, handle: string, type: FieldType): Field {
  const settings = {};
  return {
    no,
    id: `f_${no}`,
    handle,
    name: handle,
    helpText: null,
    type,
    isRequired: false,
    settings,
    slot: no,
    isHidden: false,
    marksMissing: true,
  };
}

function buildType(no: number, handle: string, fields: readonly Field[]): ContentType {
  return { no, id: `t_${handle}`, handle, name: handle, objectType: 'page', uriPattern: '{slug}', fields };
}

export const CATALOG: Catalog = buildCatalog(
  {
    no: 1,
    accountNo: 1,
    id: 's_test',
    name: 'Test',
    url: null,
    defaultLanguage: 'en',
    languages: ['en', 'fr'],
  },
  [
    buildType(1, 'article', [
      buildField(11, 'title', 'text'),
      buildField(12, 'rank', 'number'),
      buildField(13, 'lit', 'boolean'),
      buildField(14, 'mood', 'option'),
      buildField(15, 'related', 'content_links'),
      buildField(16, 'starts', 'date'),
    ]),
    buildType(2, 'note', [
      buildField(21, 'title', 'text'),
      buildField(22, 'rank', 'text'),
      buildField(23, 'lit', 'boolean'),
    ]),
    buildType(3, 'plain', []),
  ],
);
