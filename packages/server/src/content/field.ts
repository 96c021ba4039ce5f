// Fields and content types, and the accessor of each field type in the API.

import type { FieldBody, ObjectType } from '@galley/wire';

/** The properties that all field bodies have in common. */
export type FieldHead = Pick<FieldBody, 'id' | 'name' | 'handle' | 'help_text' | 'type'>;

type AccessorOf<Body> = Body extends FieldBody ? Exclude<keyof Body, keyof FieldHead> : never;

export const FIELD_ACCESSORS = {
  text: 'text',
  number: 'number',
  boolean: 'is_on',
  date: 'date',
  list: 'list',
  option: 'selected_option',
  assets: 'assets',
  blocks: 'blocks',
  content_links: 'content_links',
} as const satisfies { readonly [Type in FieldBody['type']]: AccessorOf<Extract<FieldBody, { type: Type }>> };

export type FieldType = keyof typeof FIELD_ACCESSORS;

export interface Option {
  readonly label: string;
  readonly value: string;
}

/** The settings of a field. Each setting applies only to some field types. */
export interface FieldSettings {
  readonly format?: 'plain' | 'markdown' | 'html' | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly integer?: boolean | undefined;
  readonly options?: readonly Option[] | undefined;
  readonly allowed_kinds?: readonly string[] | undefined;
  readonly allowed_types?: readonly string[] | undefined;
  readonly min_items?: number | undefined;
  readonly max_items?: number | undefined;
}

export interface Field {
  readonly no: number;
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly helpText: string | null;
  readonly type: FieldType;
  readonly isRequired: boolean;
  readonly settings: FieldSettings;
  /** Readers cannot see a hidden field; its values are kept. */
  readonly isHidden: boolean;
  /**
   * The position of the field's value in stored content. It is never reused, so fields can be reordered, renamed and deleted without
   * changing stored content.
   */
  readonly slot: number;
  /** Whether content without a value is marked. A query can then find it through an index. */
  readonly marksMissing: boolean;
}

export interface ContentType {
  readonly no: number;
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly objectType: ObjectType;
  readonly uriPattern: string;
  /** In display order. */
  readonly fields: readonly Field[];
}

/** The maximum nesting depth of blocks. */
export const MAX_BLOCK_DEPTH = 4;
