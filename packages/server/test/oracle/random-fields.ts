// Random content types and field values. A handle usually has the same field type everywhere, but `title` and `rank` are
// sometimes text in one type and a number in another.

import type { BlockValue, ContentTypeRecord, FieldRecord, FieldType, FieldValue, FieldValues } from './bundle.ts';
import { chance, type Draw, drawNumber, pick, pickSome, shuffle } from './draw.ts';
import { drawAmount, drawMoment, drawName, drawText } from './random-text.ts';

const USUAL_TYPES: Readonly<Record<string, FieldType>> = {
  title: 'text',
  body: 'text',
  rank: 'number',
  price: 'number',
  flag: 'boolean',
  day: 'date',
  tags: 'list',
  colour: 'option',
  photos: 'assets',
  parts: 'blocks',
  related: 'content_links',
};

export const OPTIONS = [
  { label: 'Red', value: 'red' },
  { label: 'Blé', value: 'Blue 2' },
  { label: 'red', value: 'ROT' },
] as const;

/** The records that values may refer to. */
export interface Surroundings {
  readonly contents: readonly string[];
  readonly assets: readonly string[];
  readonly blockTypes: readonly ContentTypeRecord[];
}

export function drawContentTypes(draw: Draw, site: string): readonly ContentTypeRecord[] {
  const handles = ['post', 'page', 'news', 'event'].slice(0, drawNumber(draw, 1, 4));
  return handles.map((handle) => ({
    kind: 'content_type',
    id: `t_${site}_${handle}`,
    site,
    handle,
    name: drawName(draw),
    object_type: pick(draw, ['page', 'entry'] as const),
    ...(chance(draw, 85) && {
      uri_pattern: pick(draw, ['blog/{slug}', '{slug}', '{language}/blog/{slug}', 'x/{language}/{slug}', 'by-id/{id}']),
    }),
    fields: drawFields(draw),
  }));
}

export function drawBlockTypes(draw: Draw, site: string): readonly ContentTypeRecord[] {
  const handles = ['hero', 'columns'].slice(0, drawNumber(draw, 0, 2));
  return handles.map((handle) => ({
    kind: 'content_type',
    id: `t_${site}_${handle}`,
    site,
    handle,
    name: drawName(draw),
    object_type: 'block',
    fields: drawFields(draw),
  }));
}

function drawFields(draw: Draw): readonly FieldRecord[] {
  const handles = shuffle(draw, Object.keys(USUAL_TYPES)).filter(() => chance(draw, 55));
  return handles.map((handle) => {
    const type = drawFieldType(draw, handle);
    return {
      handle,
      name: drawName(draw),
      type,
      ...(chance(draw, 30) && { help_text: drawText(draw) }),
      ...(type === 'option' && { options: OPTIONS }),
    };
  });
}

function drawFieldType(draw: Draw, handle: string): FieldType {
  if (handle === 'title' && chance(draw, 25)) return 'number';
  if (handle === 'rank' && chance(draw, 25)) return 'text';
  return USUAL_TYPES[handle] ?? 'text';
}

export function drawValues(draw: Draw, type: ContentTypeRecord, around: Surroundings, depth = 1): FieldValues {
  const filled = type.fields.filter(() => chance(draw, 75));
  return Object.fromEntries(filled.map((field) => [field.handle, drawValue(draw, field, around, depth)]));
}

function drawValue(draw: Draw, field: FieldRecord, around: Surroundings, depth: number): FieldValue {
  if (chance(draw, 8)) return {};
  switch (field.type) {
    case 'text':
      return { text: chance(draw, 12) ? pick(draw, [null, null, '']) : drawText(draw) };
    case 'number':
      return { number: chance(draw, 10) ? null : drawAmount(draw) };
    case 'boolean':
      return { is_on: chance(draw, 60) };
    case 'date':
      return { date: drawMoment(draw) };
    case 'list':
      return { list: Array.from({ length: drawNumber(draw, 0, 3) }, () => drawText(draw)) };
    case 'option':
      return { selected_option: pick(draw, OPTIONS).value };
    case 'assets':
      return { assets: pickSome(draw, around.assets, 3) };
    case 'blocks':
      return { blocks: drawBlocks(draw, around, depth) };
    case 'content_links':
      return { content_links: pickSome(draw, around.contents, 4) };
  }
}

/** Nests at most three levels of blocks, one fewer than allowed, with few blocks per level, to keep bodies small. */
function drawBlocks(draw: Draw, around: Surroundings, depth: number): readonly BlockValue[] {
  if (around.blockTypes.length === 0 || depth > 3) return [];
  return Array.from({ length: drawNumber(draw, 0, 2) }, () => {
    const type = pick(draw, around.blockTypes);
    return {
      content_type: type.handle,
      ...(chance(draw, 60) && { name: drawName(draw) }),
      fields: drawValues(draw, type, around, depth + 1),
    };
  });
}
