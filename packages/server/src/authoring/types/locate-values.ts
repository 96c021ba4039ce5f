import type { Catalog } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import type { Where } from './walk-saved.ts';

/** Where values of a field may stand. */
export function locateField(catalog: Catalog, type: ContentType, field: Field): Where {
  if (type.objectType === 'block') return locateBlocks(catalog, type);
  return { typeNos: [type.no], text: `"${field.handle}":` };
}

/** Where blocks of a type may stand. */
export function locateBlocks({ types }: Catalog, type: ContentType): Where {
  const holders = types.filter(
    ({ objectType, fields }) => objectType !== 'block' && fields.some((field) => field.type === 'blocks'),
  );
  return { typeNos: holders.map(({ no }) => no), text: `"content_type":"${type.handle}"` };
}
