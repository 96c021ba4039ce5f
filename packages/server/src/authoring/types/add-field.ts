import { buildFieldParts, type FieldDefinition } from '../../content/content-type-definition.ts';
import type { Fault } from '../../content/fault.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { findDefinitionFaults } from '../../content/find-definition-faults.ts';
import { buildId } from '../../content/ids.ts';
import { insertField, moveGeneration } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { findField, findType } from './find-type.ts';
import { findTakenFieldIds, refuseTaken } from './refuse-taken.ts';
import { MOST_FIELDS } from './type-limits.ts';

/** Behind the others. Content that is there has no value in it, and is not touched. */
export function addField(
  desk: Desk,
  actor: Actor,
  siteId: string,
  typeName: string,
  definition: FieldDefinition,
): Promise<Field> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    const position = type.fields.length;
    if (position >= MOST_FIELDS) {
      throw new AuthoringRefusal(`A content type can have ${MOST_FIELDS} fields, and ${type.handle} has.`);
    }
    const faults = findDefinitionFaults(definition, catalog.types, '');
    if (faults.length > 0) throw refuseFaults(faults);
    refuseTaken([...findTakenHandle(type, definition), ...findTakenFieldIds([definition], catalog, '')]);
    const id = definition.id ?? buildId('field', job.newUuid());
    const parts = buildFieldParts(definition);
    await job.run(insertField(catalog.site.no, type.no, { id, position, ...parts }));
    await job.run(moveGeneration(catalog.site.no, true, job.now));
    const details = { type: type.handle, handle: parts.handle, field_type: parts.type };
    await job.note({ action: 'field.create', siteId, subjectId: id, subjectName: parts.name, details });
    return findField(findType(await findCatalog(job, siteId), type.id), id);
  });
}

function findTakenHandle(type: ContentType, { handle }: FieldDefinition): readonly Fault[] {
  const isTaken = type.fields.some((field) => field.handle === handle);
  return isTaken ? [{ path: 'handle', message: `is taken by a field of ${type.handle}` }] : [];
}
