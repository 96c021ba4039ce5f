// What a definition must meet beyond its own shape: the types that a field allows must be there, and of the fitting kind.

import { buildFault, type Fault, listNames } from './fault.ts';
import type { ContentType, FieldSettings, FieldType } from './field.ts';

type KnownType = Pick<ContentType, 'handle' | 'objectType'>;

/** @param path where the field's definition stands; empty for a body that is one */
export function findDefinitionFaults(
  field: { readonly type: FieldType; readonly settings: FieldSettings },
  types: readonly KnownType[],
  path: string,
): readonly Fault[] {
  const isBlocks = field.type === 'blocks';
  const fitting = types.filter((type) => (type.objectType === 'block') === isBlocks).map((type) => type.handle);
  const place = path === '' ? 'allowed_types' : `${path}.allowed_types`;
  const rule = `must be one of the site's ${isBlocks ? 'block types' : 'page and entry types'}: ${listNames(fitting)}`;
  return (field.settings.allowed_types ?? []).flatMap((handle, index) =>
    fitting.includes(handle) ? [] : [buildFault(`${place}[${index}]`, rule, handle)],
  );
}
