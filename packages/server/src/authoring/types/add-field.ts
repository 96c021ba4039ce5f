import type { Catalog } from '../../content/catalog.ts';
import { buildFieldParts, type FieldDefinition, findDefinitionFaults } from '../../content/content-type-definition.ts';
import type { Fault } from '../../content/fault.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { buildId } from '../../content/ids.ts';
import { selectPreviewGeneration } from '../../storage/sites/select-catalog.ts';
import { insertField } from '../../storage/types/write-types.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, openReader, work } from '../desk.ts';
import { findCatalog } from '../sites/find-site.ts';
import { refuseLacking } from './refuse-lacking.ts';
import { findField, findTakenFieldIds, findType, refuseTaken } from './type-names.ts';

/** Limited, because every node loads all of a site's content types and fields together. */
export const MOST_FIELDS = 200;

/**
 * Adds the field after the existing ones. Existing content stays as it is, without a value for the new field, so a
 * required field can only be added to a type without published content.
 */
export async function addField(
  desk: Desk,
  actor: Actor,
  siteId: string,
  typeName: string,
  definition: FieldDefinition,
): Promise<Field> {
  const parts = buildFieldParts(definition);
  const added = { no: 0, id: '', slot: 0, marksMissing: false, ...parts };
  const reader = openReader(desk, actor);
  const asked = await findCatalog(reader, siteId);
  const askedType = findType(asked, typeName);
  await desk.precondition?.(reader);
  refuseWrong(askedType, definition, asked);
  const seen = await refuseLacking(reader, asked, askedType, added, undefined);
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    refuseWrong(type, definition, catalog);
    const isAsSeen = seen === (await job.run(selectPreviewGeneration(catalog.site.no)));
    if (!isAsSeen) await refuseLacking(job, catalog, type, added, undefined);
    const id = definition.id ?? buildId('field', job.newUuid());
    const position = type.fields.length;
    await job.run(insertField(catalog.site.no, type.no, { id, position, ...parts }, job.now));
    const details = { type: type.handle, handle: parts.handle, field_type: parts.type };
    await job.note({ action: 'field.create', siteId, subjectId: id, subjectName: parts.name, details });
    return findField(findType(await findCatalog(job, siteId), type.id), id);
  });
}

function refuseWrong(type: ContentType, definition: FieldDefinition, catalog: Catalog): void {
  if (type.fields.length >= MOST_FIELDS) {
    throw new AuthoringRefusal(`A content type can have at most ${MOST_FIELDS} fields.`, {
      reason: 'invalid',
      code: 'limit_reached',
    });
  }
  refuseTaken(
    [...findTakenHandle(type, definition), ...findTakenFieldIds([definition], catalog, '')],
    findDefinitionFaults(definition, catalog.types, ''),
  );
}

function findTakenHandle(type: ContentType, { handle }: FieldDefinition): readonly Fault[] {
  const isTaken = type.fields.some((field) => field.handle === handle);
  return isTaken ? [{ path: 'handle', message: `is taken by a field of ${type.handle}`, code: 'taken' }] : [];
}
