// The parts of a content object that tests read.

import type { BlockBody, ContentBody, ContentLinkItemBody, FieldBody } from '@galley/wire';

/** A content object or a block inside one. */
export interface WithFields {
  readonly fields: ContentBody['fields'];
}

/** A field's value without the field's description. */
export function accessorOf(object: WithFields, handle: string): unknown {
  const { id: _id, name: _name, handle: _handle, help_text: _help, type: _type, ...value } = fieldOf(object, handle);
  return value;
}

export function fieldOf({ fields }: WithFields, handle: string): FieldBody {
  const field = fields[handle];
  if (field === undefined) throw new Error(`There is no field ${handle}`);
  return field;
}

export function blocksOf(object: WithFields, handle: string): readonly BlockBody[] {
  const field = fieldOf(object, handle);
  return field.type === 'blocks' ? field.blocks : [];
}

export function linkItemsOf(object: WithFields, handle: string): readonly ContentLinkItemBody[] {
  const field = fieldOf(object, handle);
  return field.type === 'content_links' ? field.content_links : [];
}
