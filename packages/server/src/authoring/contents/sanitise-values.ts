// Cleans the HTML in content values. Cleaning takes up to 15 microseconds per character, so anything longer than a few paragraphs must
// be cleaned in advance (`prepare-work.ts`): the operation throws `UncleanTexts` and starts again once everything is clean.

import type { Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import {
  type BlockValue,
  type FieldValue,
  type FieldValues,
  type TypesByHandle,
  walkFieldValues,
} from '../../content/field-value.ts';
import { type CleanedTexts, UncleanTexts } from '../prepare-work.ts';
import { MOST_HTML_CHARACTERS } from './find-save-faults.ts';
import { isPlain, MOST_LEVELS, sanitiseHtml } from './sanitise-html.ts';

export interface SanitisedValues {
  readonly values: FieldValues;
  /** The paths at which the stored text differs from what was sent. */
  readonly changed: readonly string[];
  /** Text values that would end up empty, or whose elements are nested too deeply. */
  readonly faults: readonly Fault[];
}

/** Even malicious markup of this length is cleaned within 15 ms. */
const MOST_CHARACTERS_AT_ONCE = 4000;
/** The fixed cost of cleaning a text value, as a number of characters. */
const CHARACTERS_OF_A_START = 200;

/** @param cleaned the text that has already been cleaned; if any other text is too long, the function throws `UncleanTexts` */
export function sanitiseValues(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  cleaned: CleanedTexts,
): SanitisedValues {
  const changed: string[] = [];
  const faults: Fault[] = [];
  refuseUnclean(type, values, typesByHandle, cleaned);
  const keptTexts = new Map(cleaned);

  function visitFields(owner: ContentType, given: FieldValues, path: string): FieldValues {
    const kept = new Map<string, FieldValue>();
    for (const field of owner.fields) {
      const value = Object.hasOwn(given, field.handle) ? given[field.handle] : undefined;
      if (value === undefined) continue;
      const place = `${path}.${field.handle}`;
      const isHtml = field.settings.format === 'html';
      if ('text' in value && isHtml) kept.set(field.handle, { text: visitText(value.text, `${place}.text`) });
      else if ('blocks' in value) kept.set(field.handle, { blocks: visitBlocks(value.blocks, `${place}.blocks`) });
      else kept.set(field.handle, value);
    }
    return Object.fromEntries(kept);
  }

  function visitBlocks(blocks: readonly BlockValue[], path: string): readonly BlockValue[] {
    return blocks.map((block, index) => {
      const owner = typesByHandle.get(block.content_type);
      if (owner === undefined) return block;
      return { ...block, fields: visitFields(owner, block.fields, `${path}[${index}].fields`) };
    });
  }

  function visitText(text: string, path: string): string {
    const kept = keptTexts.has(text) ? keptTexts.get(text) : sanitiseHtml(text);
    // Keep the result, because blocks may repeat the same text a thousand times.
    keptTexts.set(text, kept);
    if (kept === undefined) {
      faults.push({ path, message: `nests HTML elements more than ${MOST_LEVELS} levels deep` });
      return text;
    }
    if (kept.length > MOST_HTML_CHARACTERS && kept.length > text.length * 2) {
      const message = `must have at most ${MOST_HTML_CHARACTERS} characters, has ${kept.length} after cleaning`;
      faults.push({ path, message, code: 'too_long', values: { max: MOST_HTML_CHARACTERS, length: kept.length } });
    }
    if (kept.trim() === '' && text.trim() !== '') {
      faults.push({ path, message: 'contains only scripts, styles or other HTML that is not allowed' });
    }
    if (kept !== text) changed.push(path);
    return kept;
  }

  return { values: visitFields(type, values, 'fields'), changed, faults };
}

function refuseUnclean(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  cleaned: CleanedTexts,
): void {
  const unclean = new Set<string>();
  for (const { field, value } of walkFieldValues(type, values, typesByHandle)) {
    if (value === undefined || !('text' in value) || field.settings.format !== 'html') continue;
    if (!cleaned.has(value.text) && !isPlain(value.text)) unclean.add(value.text);
  }
  let characters = 0;
  for (const text of unclean) characters += CHARACTERS_OF_A_START + text.length;
  if (characters > MOST_CHARACTERS_AT_ONCE) throw new UncleanTexts([...unclean]);
}
