// Changes a field. Saved content stays as it is, and does not have to comply with the new settings until it is next published. However, a
// field can become required only if all published content has a value for it.

import type { Catalog } from '../../content/catalog.ts';
import {
  buildFieldParts,
  describeField,
  type FieldParts,
  fieldDefinition,
  findDefinitionFaults,
  isSameField,
} from '../../content/content-type-definition.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { parseWithSchema } from '../../content/parse-with-schema.ts';
import { buildPlace, findPlacedValues } from '../../content/placed-values.ts';
import { selectPreviewGeneration } from '../../storage/sites/select-catalog.ts';
import { updateField as updateFieldRow } from '../../storage/types/write-types.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, openReader, type Reader, work } from '../desk.ts';
import { findCatalog } from '../sites/find-site.ts';
import { refuseLacking } from './refuse-lacking.ts';
import { locateField, walkHolders } from './saved-values.ts';
import { findField, findFixedFaults, findType } from './type-names.ts';

export interface FieldPath {
  readonly siteId: string;
  readonly typeName: string;
  readonly fieldName: string;
}

/** Properties of a field definition; null removes a setting. */
export type FieldChange = Readonly<Record<string, unknown>>;

/** @param confirm the field's handle, required to remove options that are selected in content */
export async function updateField(
  desk: Desk,
  actor: Actor,
  { siteId, typeName, fieldName }: FieldPath,
  change: FieldChange,
  confirm: string | undefined,
): Promise<Field> {
  const reader = openReader(desk, actor);
  const asked = await findCatalog(reader, siteId);
  const askedType = findType(asked, typeName);
  const askedField = findField(askedType, fieldName);
  const askedParts = parseChange(asked, askedField, change);
  await desk.precondition?.(reader);
  const seen = await refuseLacking(reader, asked, askedType, { ...askedField, ...askedParts }, askedField);
  if (confirm !== askedField.handle) await refuseLosingOptions(reader, asked, askedType, askedField, askedParts);
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    const field = findField(type, fieldName);
    const parts = parseChange(catalog, field, change);
    if (isSameField(field, parts)) return field;
    const isAsSeen = seen === (await job.run(selectPreviewGeneration(catalog.site.no)));
    if (!isAsSeen) await refuseLacking(job, catalog, type, { ...field, ...parts }, field);
    const place = { typeNo: type.no, no: field.no };
    await job.run(updateFieldRow(place, { ...parts, position: type.fields.indexOf(field) }, job.now));
    const details = { type: type.handle, handle: field.handle, before: describeField(field) };
    await job.note({ action: 'field.update', siteId, subjectId: field.id, subjectName: parts.name, details });
    return { ...field, ...parts };
  });
}

/** Parses the whole changed definition, because its settings are checked together. */
function parseChange(catalog: Catalog, field: Field, change: FieldChange): FieldParts {
  const { id, handle, type } = field;
  const fixed = findFixedFaults(change, { id, handle, type });
  // The type cannot change, so settings are checked against the current type.
  const parsed = parseWithSchema(fieldDefinition, { ...describeField(field), ...change, id, handle, type });
  if (!parsed.ok) throw refuseFaults([...fixed, ...parsed.problem]);
  const parts = buildFieldParts(parsed.value);
  // Existing settings may refer to types that do not exist, because imports allow this.
  const isAllowedNew = JSON.stringify(parts.settings.allowed_types) !== JSON.stringify(field.settings.allowed_types);
  const faults = [...fixed, ...(isAllowedNew ? findDefinitionFaults(parts, catalog.types, '') : [])];
  if (faults.length > 0) throw refuseFaults(faults);
  return parts;
}

/** Content keeps a removed option, but cannot be published with it again. The refusal says how much content is affected. */
async function refuseLosingOptions(
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
  const objects = contents === 1 ? '1 content object uses' : `${contents} content objects use`;
  const message = `${objects} an option of ${field.handle} that would be removed. To continue, add confirm=${field.handle} to the query.`;
  const options = [...uses].filter(([, count]) => count > 0).map(([value, count]) => ({ value, contents: count }));
  throw new AuthoringRefusal(message, {
    reason: 'conflict',
    code: 'values_lost',
    details: { contents_with_value: contents, options, confirm: field.handle },
  });
}
