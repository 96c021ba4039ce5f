import type { Catalog } from '../../content/catalog.ts';
import type { FieldDefinition } from '../../content/content-type-definition.ts';
import type { Fault } from '../../content/fault.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';

/**
 * All that is wrong is told at once: a conflict, unless something could not be there even without what is there.
 * @param taken what clashes with what is there
 * @param faults what is wrong besides
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
