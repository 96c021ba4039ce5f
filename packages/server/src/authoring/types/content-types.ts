// Creates, changes and deletes content types, and reorders their fields.

import type { Catalog } from '../../content/catalog.ts';
import { buildFieldParts, findDefinitionFaults, type NewContentType } from '../../content/content-type-definition.ts';
import { type Fault, listNames } from '../../content/fault.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { buildId } from '../../content/ids.ts';
import { dropBlocks, findBlocks } from '../../content/placed-values.ts';
import { chooseUriPattern } from '../../content/uri.ts';
import { countContentOfType } from '../../storage/types/saved-values.ts';
import {
  deleteContentType,
  insertContentType,
  insertField,
  orderFields as orderFieldRows,
  updateContentType,
} from '../../storage/types/write-types.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, openReader, type Reader, work } from '../desk.ts';
import { findCatalog } from '../sites/find-site.ts';
import { MOST_FIELDS } from './add-field.ts';
import { dropValues, locateBlocks, walkHolders } from './saved-values.ts';
import { findFixedFaults, findTakenFieldIds, findType, refuseTaken } from './type-names.ts';

/** Limited, because every node loads all of a site's content types and fields together. */
const MOST_TYPES = 500;

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
    throw new AuthoringRefusal(`A site can have at most ${MOST_TYPES} content types.`, {
      reason: 'invalid',
      code: 'limit_reached',
    });
  }
  const { handle, object_type: objectType, fields } = definition;
  const types = [...catalog.types, { handle, objectType }];
  const faults: Fault[] = fields.flatMap((field, index) => findDefinitionFaults(field, types, `fields[${index}]`));
  if (fields.length > MOST_FIELDS) {
    const message = `must have at most ${MOST_FIELDS} items, has ${fields.length}`;
    faults.push({ path: 'fields', message, code: 'too_many', values: { max: MOST_FIELDS, count: fields.length } });
  }
  refuseTaken([...findTakenNames(definition, catalog), ...findTakenFieldIds(fields, catalog, 'fields')], faults);
}

function findTakenNames({ id, handle }: NewContentType, catalog: Catalog): readonly Fault[] {
  const faults: Fault[] = [];
  const namesake = catalog.typesByHandle.get(handle);
  if (namesake !== undefined) {
    const values = { id: namesake.id, name: namesake.name };
    faults.push({ path: 'handle', message: `is taken by the content type ${namesake.id}`, code: 'taken', values });
  }
  if (catalog.types.some((type) => type.id === id)) {
    faults.push({ path: 'id', message: 'is taken by a content type', code: 'taken' });
  }
  return faults;
}

export interface TypeChange {
  readonly name?: string | undefined;
  /** Applies to content that is saved or published from now on. Published content keeps its uri. */
  readonly uri_pattern?: string | undefined;
  /** The handle and the object type cannot be changed, but may be sent again with the same values. */
  readonly handle?: string | undefined;
  readonly object_type?: string | undefined;
}

export function updateType(
  desk: Desk,
  actor: Actor,
  siteId: string,
  typeName: string,
  change: TypeChange,
): Promise<ContentType> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    const faults = findFixedFaults({ ...change }, { handle: type.handle, object_type: type.objectType });
    if (faults.length > 0) throw refuseFaults(faults);
    const changed = { ...type, name: change.name ?? type.name, uriPattern: change.uri_pattern ?? type.uriPattern };
    if (changed.name === type.name && changed.uriPattern === type.uriPattern) return type;
    await job.run(updateContentType(type.no, changed, job.now));
    const before = { name: type.name, uri_pattern: type.uriPattern };
    const subject = { subjectId: type.id, subjectName: changed.name };
    await job.note({ action: 'type.update', siteId, ...subject, details: { handle: type.handle, before } });
    return changed;
  });
}

/** @param names the ids or handles of all fields of the type, each given once */
export function orderFields(
  desk: Desk,
  actor: Actor,
  siteId: string,
  typeName: string,
  names: readonly string[],
): Promise<ContentType> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    const fields = parseOrder(type, names);
    const handles = fields.map(({ handle }) => handle);
    const before = type.fields.map(({ handle }) => handle);
    if (handles.join() === before.join()) return type;
    await job.run(orderFieldRows(type.no, fields, job.now));
    const subject = { subjectId: type.id, subjectName: type.name };
    await job.note({ action: 'type.order_fields', siteId, ...subject, details: { handle: type.handle, before } });
    return { ...type, fields };
  });
}

function parseOrder(type: ContentType, names: readonly string[]): readonly Field[] {
  const faults: Fault[] = [];
  const fields: Field[] = [];
  for (const [index, name] of names.entries()) {
    const field = type.fields.find(({ id }) => id === name) ?? type.fields.find(({ handle }) => handle === name);
    const path = `fields[${index}]`;
    if (field === undefined)
      faults.push({ path, message: `is not a field of ${type.handle}, got ${JSON.stringify(name.slice(0, 64))}` });
    else if (fields.includes(field)) faults.push({ path, message: `repeats ${field.handle}`, code: 'duplicate' });
    else fields.push(field);
  }
  const missing = type.fields.filter((field) => !fields.includes(field)).map(({ handle }) => handle);
  if (missing.length > 0)
    faults.push({ path: 'fields', message: `must name every field; missing: ${listNames(missing)}` });
  if (faults.length > 0) throw refuseFaults(faults);
  return fields;
}

/**
 * Refused while anything uses the type. Blocks in old versions are deleted with their type. Uses are counted before the transaction, to
 * keep the transaction short.
 */
export async function deleteType(desk: Desk, actor: Actor, siteId: string, typeName: string): Promise<void> {
  const reader = openReader(desk, actor);
  const asked = await findCatalog(reader, siteId);
  const askedType = findType(asked, typeName);
  await desk.precondition?.(reader);
  refuseUsed(asked, askedType, await countUses(reader, asked, askedType));
  await work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    refuseUsed(catalog, type, await job.run(countContentOfType(type.no)));
    if (type.objectType === 'block') await dropUnseenBlocks(job, catalog, type);
    await job.run(deleteContentType(type.no, job.now));
    const subject = { subjectId: type.id, subjectName: type.name };
    await job.note({ action: 'type.delete', siteId, ...subject, details: { handle: type.handle } });
  });
  await desk.storage.eraseTraces();
}

async function countUses(reader: Reader, catalog: Catalog, type: ContentType): Promise<number> {
  if (type.objectType !== 'block') return reader.run(countContentOfType(type.no));
  let count = 0;
  for await (const versions of walkHolders(reader.run, locateBlocks(catalog, type))) {
    if (versions.some(({ fields }) => findBlocks(fields, type.handle).length > 0)) count += 1;
  }
  return count;
}

/** @param contents the number of objects that have this type or contain blocks of it */
function refuseUsed(catalog: Catalog, type: ContentType, contents: number): void {
  const allowedBy = listFieldsThatAllow(catalog, type);
  if (contents === 0 && allowedBy.length === 0) return;
  const objects = contents === 1 ? 'content object' : 'content objects';
  const use = type.objectType === 'block' ? `${objects} with blocks of this type` : `${objects} of this type`;
  const naming = allowedBy.length === 0 ? '' : `, and it is listed in the allowed_types of ${allowedBy.join(', ')}`;
  throw new AuthoringRefusal(`Content type ${type.handle} is in use: ${contents} ${use}${naming}.`, {
    reason: 'conflict',
    code: 'in_use',
    details: { contents, allowed_by: allowedBy },
  });
}

/** Formatted as `type.field`. Excludes the type's own fields, which are deleted with it. */
function listFieldsThatAllow({ types }: Catalog, type: ContentType): readonly string[] {
  return types
    .filter((other) => other.no !== type.no)
    .flatMap((other) =>
      other.fields
        .filter(({ settings }) => settings.allowed_types?.includes(type.handle))
        .map((field) => `${other.handle}.${field.handle}`),
    );
}

/** Refuses the deletion if content that was saved after the count contains blocks of the type. */
function dropUnseenBlocks(job: Job, catalog: Catalog, type: ContentType): Promise<void> {
  return dropValues(job, catalog, locateBlocks(catalog, type), ({ fields, standing }) => {
    if (standing !== null && findBlocks(fields, type.handle).length > 0) refuseUsed(catalog, type, 1);
    return dropBlocks(fields, type.handle);
  });
}
