// Content types and their fields in the management API.

import type { ObjectType } from './delivery.ts';

/** A choice of an option field: people read the label, content holds the value. */
export interface FieldOptionBody {
  readonly label: string;
  readonly value: string;
}

/** A field as it is defined. Settings stand beside its type; those that are not set, or do not belong to the type, are absent. */
export interface ManagedFieldBody {
  readonly id: string;
  /** How content and front ends name the field; fixed after the first save. */
  readonly handle: string;
  readonly name: string;
  /** Fixed after the first save. */
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'list' | 'option' | 'assets' | 'blocks' | 'content_links';
  /** Whether content needs a value here to be published. */
  readonly required: boolean;
  /** Whether readers are not shown the field; its values are kept. */
  readonly hidden: boolean;
  readonly help_text: string | null;
  readonly format?: 'plain' | 'markdown' | 'html' | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Whether only whole numbers are allowed. */
  readonly integer?: boolean | undefined;
  readonly options?: readonly FieldOptionBody[] | undefined;
  /** Media types, or beginnings of them, like `image/`. */
  readonly allowed_kinds?: readonly string[] | undefined;
  /** Handles of the block types, or of the linked types, that may stand here. */
  readonly allowed_types?: readonly string[] | undefined;
  readonly min_items?: number | undefined;
  readonly max_items?: number | undefined;
}

/** A content type with its fields, in the order in which they are shown. */
export interface ManagedTypeBody {
  readonly id: string;
  /** Fixed after the first save. */
  readonly handle: string;
  readonly name: string;
  /** Fixed after the first save. */
  readonly object_type: ObjectType;
  /** How the uri of content is made, like `blog/{slug}`. */
  readonly uri_pattern: string;
  readonly fields: readonly ManagedFieldBody[];
}

/** All content types of a site. */
export interface ManagedTypeListBody {
  readonly data: readonly ManagedTypeBody[];
}
