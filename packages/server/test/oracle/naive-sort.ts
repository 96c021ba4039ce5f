// Sorts a list by the requested keys in turn, with missing values last in both directions, and then by the bytes of the id. Text
// is compared by the first 400 UTF-8 bytes of its plain form (NFKD, without marks, lower case). A character that this limit
// would cut in half is ignored.

import type { VisibleContent } from './naive-reading.ts';

const COMPARED_BYTES = 400;

export interface SortKey {
  /** A fixed attribute, or `handle.accessor`. */
  readonly attribute: string;
  /** `asc` or `desc`; anything else is rejected earlier. */
  readonly direction: string;
}

type KeyValue = string | number | null;

export function sortContents(contents: readonly VisibleContent[], keys: readonly SortKey[]): readonly VisibleContent[] {
  return contents.toSorted((left, right) => {
    for (const { attribute, direction } of keys) {
      const order = compareValues(keyValue(left, attribute), keyValue(right, attribute), direction);
      if (order !== 0) return order;
    }
    return Buffer.compare(Buffer.from(left.id), Buffer.from(right.id));
  });
}

function compareValues(left: KeyValue, right: KeyValue, direction: string): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const ascending =
    typeof left === 'number' && typeof right === 'number'
      ? Math.sign(left - right)
      : Buffer.compare(textKey(String(left)), textKey(String(right)));
  return direction === 'asc' ? ascending : -ascending;
}

function textKey(text: string): Buffer {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const bytes = Buffer.from(plain);
  let end = Math.min(bytes.length, COMPARED_BYTES);
  while (isInsideCharacter(bytes[end])) end--;
  return bytes.subarray(0, end);
}

/** In UTF-8, only the second and later bytes of a character start with the bits 10. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && byte >> 6 === 0b10;
}

function keyValue(content: VisibleContent, attribute: string): KeyValue {
  switch (attribute) {
    case 'published_at':
      return content.publishedAt;
    case 'created_at':
      return content.createdAt;
    case 'updated_at':
      return content.updatedAt;
    case 'name':
      return content.name;
    case 'slug':
      return content.slug;
    case 'uri':
      return content.uri;
    default:
      return fieldValue(content, attribute);
  }
}

function fieldValue(content: VisibleContent, attribute: string): KeyValue {
  const [handle = '', accessor] = attribute.split('.');
  const field = content.type.fields.find((candidate) => candidate.handle === handle);
  if (field?.type !== accessor) return null;
  const value = content.fields[handle] ?? {};
  return (accessor === 'text' ? value.text : value.number) ?? null;
}
