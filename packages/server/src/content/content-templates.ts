// The parts of a content object's JSON that depend only on its content type, built once for each version of a site's catalog.

import type { ContentTypeBody, OptionBody } from '@galley/wire';
import { isAscii } from './body.ts';
import type { Catalog } from './catalog.ts';
import { type ContentType, FIELD_ACCESSORS, type Field, type FieldHead, type FieldType } from './field.ts';

export interface FieldTemplate {
  readonly type: FieldType;
  readonly slot: number;
  /** The JSON text from the end of the previous field to the colon after this field's accessor. */
  readonly start: string;
  /** Replaces a missing value, so front ends do not need null checks. */
  readonly empty: string;
  /** For option fields: the JSON of each option, keyed by the JSON of its value. */
  readonly options: ReadonlyMap<string, string>;
}

export interface TypeTemplate {
  /** The JSON of the content type itself, as a property of an object or block. */
  readonly member: string;
  readonly fields: readonly FieldTemplate[];
}

export interface ContentTemplates {
  readonly typesByNo: ReadonlyMap<number, TypeTemplate>;
  /** The prefix of every URL; null if the site has no URL. */
  readonly urlStart: string | null;
  /** Whether all of the above are pure ASCII. */
  readonly areAscii: boolean;
}

const EMPTY_VALUES: Readonly<Record<FieldType, string>> = {
  text: 'null',
  number: 'null',
  boolean: 'false',
  date: 'null',
  list: '[]',
  option: 'null',
  assets: '[]',
  blocks: '[]',
  content_links: '[]',
};

/** The length of the longest empty value. */
const EMPTY_LENGTH = 5;
/** More than enough for the text around an asset, a link or a block, not counting its name. */
const FRAME_LENGTH = 4000;

export function buildTemplates({ site: { url }, types }: Catalog): ContentTemplates {
  const typesByNo = new Map(types.map((type) => [type.no, buildTypeTemplate(type)]));
  const urlStart = url === null ? null : JSON.stringify(`${url}/`).slice(0, -1);
  const areAscii = isAscii(urlStart ?? '') && [...typesByNo.values()].every(isAsciiTemplate);
  return { typesByNo, urlStart, areAscii };
}

/** The maximum number of characters that the templates add to an object or a block. */
export function measureLargest({ typesByNo }: ContentTemplates): number {
  const sizes = [...typesByNo.values()].map(({ member, fields }) =>
    fields.reduce((sum, { start, options }) => {
      const labels = [...options.values()].map(({ length }) => length);
      return sum + start.length + Math.max(EMPTY_LENGTH, ...labels);
    }, member.length + FRAME_LENGTH),
  );
  return Math.max(0, ...sizes);
}

/** @param type the type as readers see it, without hidden fields */
export function buildTypeTemplate(type: ContentType): TypeTemplate {
  const { id, name, handle, objectType } = type;
  const body: ContentTypeBody = { id, name, handle, object_type: objectType };
  return {
    member: `,"content_type":${JSON.stringify(body)}`,
    fields: type.fields.map((field, index) => buildFieldTemplate(field, index === 0)),
  };
}

function isAsciiTemplate({ member, fields }: TypeTemplate): boolean {
  return isAscii(member) && fields.every(({ start, options }) => isAscii([start, ...options.values()].join('')));
}

function buildFieldTemplate(field: Field, isFirst: boolean): FieldTemplate {
  const { id, name, handle, helpText, type } = field;
  const head: FieldHead = { id, name, handle, help_text: helpText, type };
  return {
    type,
    slot: field.slot,
    start: `${isFirst ? '' : '},'}${JSON.stringify(handle)}:${JSON.stringify(head).slice(0, -1)},"${FIELD_ACCESSORS[type]}":`,
    empty: EMPTY_VALUES[type],
    options: new Map(
      (field.settings.options ?? []).map(({ label, value }) => [
        JSON.stringify(value),
        JSON.stringify({ label, value } satisfies OptionBody),
      ]),
    ),
  };
}
