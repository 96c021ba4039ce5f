// The attribute for values that cannot contain a mark: `data-galley-edit="<content ID> <field path> <language>"`. IDs, paths and languages
// contain no spaces.

import { decodeMark, hasMark, type Mark } from './mark.ts';

export const EDIT_ATTRIBUTE = 'data-galley-edit';

/** The properties of a content object, or of linked content, that `editAttributes` uses. */
export interface EditableContent {
  readonly id: string;
  readonly name: string;
  readonly language?: string | undefined;
  /** Present in previews that were requested with the source map header. */
  readonly source_map?: readonly object[] | undefined;
}

/** The attributes of an element, or none. */
export interface EditAttributes {
  readonly 'data-galley-edit'?: string;
}

/**
 * Attributes for the element that shows a value without a mark: a number, a date, an option or a picture. They also make a whole container
 * editable, such as the element around rendered Markdown. Without a source map, as on the published site, there are none.
 *
 * @param content the content object, or linked content
 * @param path the path of the field in that object
 *
 * @example
 * const attributes = editAttributes(article, 'fields.reading_time');
 * // In JSX and Svelte: <span {...attributes}>; in Vue: <span v-bind="attributes">
 */
export function editAttributes(content: EditableContent, path: string): EditAttributes {
  // Only top-level objects have a source map, but the name of linked content has a mark.
  if (content.source_map === undefined && !hasMark(content.name)) return {};
  const language = content.language ?? decodeMark(content.name)?.language;
  return { [EDIT_ATTRIBUTE]: [content.id, path, language].join(' ').trim() };
}

/** Undefined if the attribute is missing or incomplete. */
export function parseEditAttribute(value: string | null): Mark | undefined {
  const [id, path, language] = value?.trim().split(/\s+/) ?? [];
  return id && path ? { id, path, language } : undefined;
}
