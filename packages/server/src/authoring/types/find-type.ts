// Content types and fields as a path names them: by id, or else by handle.

import type { Catalog } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

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
