import { type Fault, listNames } from '../../content/fault.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { orderFields as orderFieldRows } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { findType } from './find-type.ts';

/** @param names ids or handles of all fields of the type, each once */
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
    else if (fields.includes(field))
      faults.push({ path, message: `names ${field.handle}, which stands there already` });
    else fields.push(field);
  }
  const missing = type.fields.filter((field) => !fields.includes(field)).map(({ handle }) => handle);
  if (missing.length > 0)
    faults.push({ path: 'fields', message: `must name every field; missing: ${listNames(missing)}` });
  if (faults.length > 0) throw refuseFaults(faults);
  return fields;
}
