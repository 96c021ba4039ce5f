import { setImmediate as takeTurn } from 'node:timers/promises';
import type { Catalog } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { buildPlace, dropPlacedValues, findPlacedValues } from '../../content/placed-values.ts';
import { forgetDepartedField } from '../../storage/publication/forget-departed-keys.ts';
import { purgeFieldKeys } from '../../storage/publication/rewrite-content.ts';
import { deleteField as deleteFieldRow, orderFields } from '../../storage/types/write-types.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, type Job, openReader, type Reader, work } from '../desk.ts';
import { findCatalog } from '../sites/find-site.ts';
import { dropValues, locateField, walkHolders } from './saved-values.ts';
import { findField, findType } from './type-names.ts';
import type { FieldPath } from './update-field.ts';

/** @param confirm the field's handle; without it, the call is refused with a message that says how much would be lost */
export async function deleteField(
  desk: Desk,
  actor: Actor,
  { siteId, typeName, fieldName }: FieldPath,
  confirm: string | undefined,
): Promise<void> {
  const reader = openReader(desk, actor);
  const asked = await findCatalog(reader, siteId);
  const askedType = findType(asked, typeName);
  const askedField = findField(askedType, fieldName);
  await desk.precondition?.(reader);
  if (confirm !== askedField.handle) throw await refuseUnconfirmed(reader, asked, askedType, askedField);
  await work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    const field = findField(type, fieldName);
    await dropField(job, catalog, type, field);
    const details = { type: type.handle, handle: field.handle, field_type: field.type };
    await job.note({ action: 'field.delete', siteId, subjectId: field.id, subjectName: field.name, details });
  });
  await desk.storage.eraseTraces();
}

async function refuseUnconfirmed(
  reader: Reader,
  catalog: Catalog,
  type: ContentType,
  field: Field,
): Promise<AuthoringRefusal> {
  const place = buildPlace(type, field);
  let contents = 0;
  for await (const versions of walkHolders(reader.run, locateField(catalog, type, field))) {
    if (versions.some(({ fields }) => findPlacedValues(fields, place).length > 0)) contents += 1;
  }
  const message = `${describeLoss(field, contents)} To continue, add confirm=${field.handle} to the query.`;
  const details = { contents_with_value: contents, confirm: field.handle };
  return new AuthoringRefusal(message, { reason: 'conflict', code: 'values_lost', details });
}

function describeLoss({ handle }: Field, contents: number): string {
  if (contents === 0) return `No content has a value in the field ${handle}, but older versions may.`;
  const objects = contents === 1 ? '1 content object' : `${contents} content objects`;
  return `Deleting the field ${handle} would permanently delete its values in ${objects}.`;
}

async function dropField(job: Job, catalog: Catalog, type: ContentType, field: Field): Promise<void> {
  const place = buildPlace(type, field);
  await dropValues(job, catalog, locateField(catalog, type, field), ({ fields }) => dropPlacedValues(fields, place));
  // Let other work run between the steps.
  while (await job.run(purgeFieldKeys(field.no))) await takeTurn();
  for (const model of ['published', 'preview'] as const) await forgetKeptKeys(job, model, catalog.site.no, field.no);
  await job.run(deleteFieldRow({ typeNo: type.no, no: field.no }, job.now));
  const remaining = type.fields.filter(({ no }) => no !== field.no);
  await job.run(orderFields(type.no, remaining, job.now));
}

async function forgetKeptKeys(
  job: Job,
  model: 'published' | 'preview',
  siteNo: number,
  fieldNo: number,
): Promise<void> {
  let from: string | null = '';
  while (from !== null) {
    const next: string | null = await job.run(forgetDepartedField(model, siteNo, fieldNo, from));
    from = next;
    await takeTurn();
  }
}
