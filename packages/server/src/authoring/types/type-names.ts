// Requests name content types and fields by id or handle. Here they are found, and kept unique and unchanged.

import type { Catalog } from '../../content/catalog.ts';
import type { FieldDefinition } from '../../content/content-type-definition.ts';
import { buildFault, type Fault } from '../../content/fault.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';

export function findType({ types, typesByHandle, site }: Catalog, name: string): ContentType {
  const type = types.find(({ id }) => id === name) ?? typesByHandle.get(name);
  if (type === undefined) throw refuseAbsent(`The site ${site.id} has no content type ${name}.`);
  return type;
}

export function findField(type: ContentType, name: string): Field {
  const field = type.fields.find(({ id }) => id === name) ?? type.fields.find(({ handle }) => handle === name);
  if (field === undefined) throw refuseAbsent(`The content type ${type.handle} has no field ${name}.`);
  return field;
}

/**
 * Reports everything at once: as a conflict, unless something is wrong on its own.
 * @param taken clashes with existing names
 * @param faults everything else that is wrong
 */
export function refuseTaken(taken: readonly Fault[], faults: readonly Fault[]): void {
  if (faults.length > 0) throw refuseFaults([...faults, ...taken]);
  if (taken.length === 0) return;
  throw new AuthoringRefusal('What was sent clashes with what is there.', { reason: 'conflict', faults: taken });
}

/** Ids of fields are unique in the whole site. */
export function findTakenFieldIds(
  definitions: readonly FieldDefinition[],
  catalog: Catalog,
  path: string,
): readonly Fault[] {
  return definitions.flatMap(({ id }, index) => {
    const owner = catalog.types.find((type) => type.fields.some((field) => field.id === id));
    if (id === null || owner === undefined) return [];
    return [{ path: path === '' ? 'id' : `${path}[${index}].id`, message: `is taken by a field of ${owner.handle}` }];
  });
}

/** Front ends and saved content rely on members that must not change. They may be sent again as they are. */
export function findFixedFaults(
  given: Readonly<Record<string, unknown>>,
  fixed: Readonly<Record<string, string>>,
): readonly Fault[] {
  return Object.entries(fixed).flatMap(([member, value]) => {
    const wanted = Object.hasOwn(given, member) ? given[member] : undefined;
    if (wanted === undefined || wanted === value) return [];
    return [buildFault(member, `is fixed after the first save and must stay ${value}`, wanted)];
  });
}
