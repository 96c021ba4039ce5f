import type { Catalog } from '../../content/catalog.ts';
import type { FieldParts } from '../../content/content-type-definition.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { buildPlace, findPlacedValues } from '../../content/placed-values.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Reader } from '../reader.ts';
import { locateField } from './locate-values.ts';
import { walkHolders } from './walk-saved.ts';

/** Content keeps an option that goes, but cannot be published with it again: whoever takes it away sees how much that is. */
export async function refuseLosingOptions(
  reader: Reader,
  catalog: Catalog,
  type: ContentType,
  field: Field,
  next: FieldParts,
): Promise<void> {
  const kept = new Set(next.settings.options?.map(({ value }) => value));
  const removed = (field.settings.options ?? []).map(({ value }) => value).filter((value) => !kept.has(value));
  if (removed.length === 0) return;
  const uses = new Map(removed.map((value) => [value, 0]));
  let contents = 0;
  for await (const versions of walkHolders(reader.run, locateField(catalog, type, field))) {
    const values = versions.flatMap(({ fields }) => findPlacedValues(fields, buildPlace(type, field)));
    const selected = new Set(values.flatMap((value) => ('selected_option' in value ? value.selected_option : [])));
    const lost = removed.filter((value) => selected.has(value));
    if (lost.length > 0) contents += 1;
    for (const value of lost) uses.set(value, (uses.get(value) ?? 0) + 1);
  }
  if (contents === 0) return;
  const objects = contents === 1 ? '1 content object has' : `${contents} content objects have`;
  const message = `${objects} selected an option of ${field.handle} that would go. To go on, add confirm=${field.handle} to the query.`;
  const options = [...uses].filter(([, count]) => count > 0).map(([value, count]) => ({ value, contents: count }));
  throw new AuthoringRefusal(message, {
    reason: 'conflict',
    details: { contents_with_value: contents, options, confirm: field.handle },
  });
}
