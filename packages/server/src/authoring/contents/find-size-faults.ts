// How large values may be that editors save. The limits are far beyond what people write: they keep one save from holding up
// all readers, and one object from being more than an answer, an export or a browser can carry. Imports have no such limits.

import type { Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import { type FieldValue, type FieldValues, type TypesByHandle, walkFieldValues } from '../../content/field-value.ts';

const MOST_CHARACTERS = 1_000_000;
/** Cleaning a megabyte of hostile markup takes seconds. */
export const MOST_HTML_CHARACTERS = 400_000;
const MOST_ITEMS = 1000;
/** Of all values together, blocks in blocks included. */
const MOST_VALUES = 20_000;

export function findSizeFaults(type: ContentType, values: FieldValues, typesByHandle: TypesByHandle): readonly Fault[] {
  const faults: Fault[] = [];
  let count = 0;
  for (const { field, value, path } of walkFieldValues(type, values, typesByHandle)) {
    count += 1;
    if (count > MOST_VALUES) return [{ path: 'fields', message: `must have at most ${MOST_VALUES} values in all` }];
    if (value === undefined) continue;
    const most = field.settings.format === 'html' ? MOST_HTML_CHARACTERS : MOST_CHARACTERS;
    if ('text' in value && value.text.length > most) {
      faults.push({ path: `${path}.text`, message: `must have at most ${most} characters, has ${value.text.length}` });
    }
    const items = listItems(value);
    if (items.length > MOST_ITEMS) {
      faults.push({ path, message: `must have at most ${MOST_ITEMS} items, has ${items.length}` });
    }
  }
  return faults;
}

function listItems(value: FieldValue): readonly unknown[] {
  if ('list' in value) return value.list;
  if ('assets' in value) return value.assets;
  if ('content_links' in value) return value.content_links;
  return 'blocks' in value ? value.blocks : [];
}
