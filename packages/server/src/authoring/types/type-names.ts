// Finds content types and fields by id or handle, and ensures that ids and handles stay unique and unchanged.

import type { Catalog } from '../../content/catalog.ts';
import type { FieldDefinition } from '../../content/content-type-definition.ts';
import { buildFault, type Fault } from '../../content/fault.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';

export function findType({ types, typesByHandle, site }: Catalog, name: string): ContentType {
  const type = types.find(({ id }) => id === name) ?? typesByHandle.get(name);
  if (type === undefined) throw refuseAbsent(`Site ${site.id} does not have the content type ${name}.`);
  return type;
}

export function findField(type: ContentType, name: string): Field {
  const field = type.fields.find(({ id }) => id === name) ?? type.fields.find(({ handle }) => handle === name);
  if (field === undefined) throw refuseAbsent(`Content type ${type.handle} does not have the field ${name}.`);
  return field;
}

/**
 * Reports all faults together: as a conflict if all of them are name clashes, otherwise as invalid.
 * @param taken clashes with existing names
 * @param faults all other faults
 */
export function refuseTaken(taken: readonly Fault[], faults: readonly Fault[]): void {
  if (faults.length > 0) throw refuseFaults([...faults, ...taken]);
  if (taken.length === 0) return;
  throw new AuthoringRefusal('A name or id is already in use.', { reason: 'conflict', code: 'taken', faults: taken });
}

/** Field ids are unique within a site. */
export function findTakenFieldIds(
  definitions: readonly FieldDefinition[],
  catalog: Catalog,
  path: string,
): readonly Fault[] {
  return definitions.flatMap(({ id }, index) => {
    const owner = catalog.types.find((type) => type.fields.some((field) => field.id === id));
    if (id === null || owner === undefined) return [];
    const message = `is taken by a field of ${owner.handle}`;
    return [{ path: path === '' ? 'id' : `${path}[${index}].id`, message, code: 'taken' }];
  });
}

/** Front ends and saved content rely on these properties, so they cannot change. They may be sent again with the same values. */
export function findFixedFaults(
  given: Readonly<Record<string, unknown>>,
  fixed: Readonly<Record<string, string>>,
): readonly Fault[] {
  return Object.entries(fixed).flatMap(([member, value]) => {
    const wanted = Object.hasOwn(given, member) ? given[member] : undefined;
    if (wanted === undefined || wanted === value) return [];
    const rule = `is fixed after the first save and must stay ${value}`;
    return [buildFault(member, rule, wanted, { code: 'fixed', values: { value } })];
  });
}
