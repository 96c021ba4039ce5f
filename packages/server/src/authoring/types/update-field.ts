// Changes to a field. Saved content is not touched: what is outside of new settings stays readable, and has to meet them
// when it is published next. Only a value that is required must be there at once.

import type { Catalog } from '../../content/catalog.ts';
import {
  buildFieldParts,
  describeField,
  type FieldParts,
  fieldDefinition,
  isSameField,
} from '../../content/content-type-definition.ts';
import type { Field } from '../../content/field.ts';
import { findDefinitionFaults } from '../../content/find-definition-faults.ts';
import { parseWithSchema } from '../../content/parse-with-schema.ts';
import { selectPreviewGeneration, updateField as updateFieldRow } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { openReader } from '../reader.ts';
import { findField, findType } from './find-type.ts';
import { findFixedFaults } from './refuse-fixed.ts';
import { refuseLacking } from './refuse-lacking.ts';
import { refuseLosingOptions } from './refuse-losing-options.ts';

export interface FieldPath {
  readonly siteId: string;
  readonly typeName: string;
  readonly fieldName: string;
}

/** Members of a field's definition; null takes a setting away. */
export type FieldChange = Readonly<Record<string, unknown>>;

/** @param confirm the field's handle, where options that content has selected may go */
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

/** The definition as it will be is parsed as a whole, so that its settings fit each other. */
function parseChange(catalog: Catalog, field: Field, change: FieldChange): FieldParts {
  const { id, handle, type } = field;
  const fixed = findFixedFaults(change, { id, handle, type });
  // Settings are held against the type that stays.
  const parsed = parseWithSchema(fieldDefinition, { ...describeField(field), ...change, id, handle, type });
  if (!parsed.ok) throw refuseFaults([...fixed, ...parsed.problem]);
  const parts = buildFieldParts(parsed.value);
  // What was there before may name types that have never been there: imports are free to.
  const isAllowedNew = JSON.stringify(parts.settings.allowed_types) !== JSON.stringify(field.settings.allowed_types);
  const faults = [...fixed, ...(isAllowedNew ? findDefinitionFaults(parts, catalog.types, '') : [])];
  if (faults.length > 0) throw refuseFaults(faults);
  return parts;
}
