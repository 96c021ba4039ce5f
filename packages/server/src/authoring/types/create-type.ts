import type { Catalog } from '../../content/catalog.ts';
import { buildFieldParts, type NewContentType } from '../../content/content-type-definition.ts';
import type { Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import { findDefinitionFaults } from '../../content/find-definition-faults.ts';
import { buildId } from '../../content/ids.ts';
import { chooseUriPattern } from '../../content/uri.ts';
import { insertContentType, insertField } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { findType } from './find-type.ts';
import { findTakenFieldIds, refuseTaken } from './refuse-taken.ts';
import { MOST_FIELDS, MOST_TYPES } from './type-limits.ts';

export function createType(desk: Desk, actor: Actor, siteId: string, definition: NewContentType): Promise<ContentType> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const siteNo = catalog.site.no;
    refuseWrong(definition, catalog);
    const { handle, name, object_type: objectType } = definition;
    const uriPattern = definition.uri_pattern ?? chooseUriPattern(catalog.site.languages);
    const id = definition.id ?? buildId('contentType', job.newUuid());
    const typeNo = await job.run(insertContentType(siteNo, { id, handle, name, objectType, uriPattern }, job.now));
    for (const [position, field] of definition.fields.entries()) {
      const fieldId = field.id ?? buildId('field', job.newUuid());
      await job.run(insertField(siteNo, typeNo, { id: fieldId, position, ...buildFieldParts(field) }, job.now));
    }
    await job.note({ action: 'type.create', siteId, subjectId: id, subjectName: name, details: { handle } });
    return findType(await findCatalog(job, siteId), id);
  });
}

function refuseWrong(definition: NewContentType, catalog: Catalog): void {
  if (catalog.types.length >= MOST_TYPES) {
    throw new AuthoringRefusal(`A site can have ${MOST_TYPES} content types, and this one has.`);
  }
  const { handle, object_type: objectType, fields } = definition;
  const types = [...catalog.types, { handle, objectType }];
  const faults: Fault[] = fields.flatMap((field, index) => findDefinitionFaults(field, types, `fields[${index}]`));
  if (fields.length > MOST_FIELDS) {
    faults.push({ path: 'fields', message: `must be at most ${MOST_FIELDS}, got ${fields.length}` });
  }
  refuseTaken([...findTakenNames(definition, catalog), ...findTakenFieldIds(fields, catalog, 'fields')], faults);
}

function findTakenNames({ id, handle }: NewContentType, catalog: Catalog): readonly Fault[] {
  const namesake = catalog.typesByHandle.get(handle);
  return [
    ...(namesake === undefined ? [] : [{ path: 'handle', message: `is taken by the content type ${namesake.id}` }]),
    ...(catalog.types.some((type) => type.id === id) ? [{ path: 'id', message: 'is taken by a content type' }] : []),
  ];
}
