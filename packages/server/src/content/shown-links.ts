// The content that an object links to, as its readers see it: links in hidden fields do not count.

import { type Body, PIECES, parseIds } from './body.ts';
import type { ContentTemplates } from './content-templates.ts';
import { parseBlocks } from './render-content.ts';

/** Returns ids without duplicates, in the order of the fields. */
export function listShownLinks({ typeNo, pieces }: Body, templates: ContentTemplates): readonly string[] {
  return [...new Set(listIds(typeNo, pieces.slice(PIECES.fields), templates))];
}

function listIds(typeNo: number, values: readonly string[], templates: ContentTemplates): readonly string[] {
  const fields = templates.typesByNo.get(typeNo)?.fields ?? [];
  return fields.flatMap(({ type, slot }) => {
    const value = values[slot] ?? '';
    if (value === '') return [];
    if (type === 'content_links') return parseIds(value);
    if (type !== 'blocks') return [];
    return parseBlocks(value).flatMap(([blockTypeNo, , inner]) => listIds(blockTypeNo, inner, templates));
  });
}
