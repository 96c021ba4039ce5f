// The parameters of the list endpoint. The types of sort keys and field filters come from the fields of the content types.

import type { ContentHandle, ContentOf, SiteShape } from './site.ts';

/** One value, or several in array syntax. */
export type OneOrMore<Value> = Value | readonly Value[];

/** The attributes that every content object can be sorted by. */
export type SortAttribute = 'published_at' | 'created_at' | 'updated_at' | 'name' | 'slug' | 'uri';

/** `asc` or `desc`. */
export type SortDirection = 'asc' | 'desc';

type FieldsOf<Content> = Content extends { readonly fields: infer Fields } ? Fields : never;

/** The handles of all fields that have the given type, in a union of content objects. */
type FieldHandle<Fields, Type extends string> = Fields extends unknown
  ? string extends keyof Fields
    ? string
    : {
        [Handle in keyof Fields & string]: Fields[Handle] extends { readonly type: Type } ? Handle : never;
      }[keyof Fields & string]
  : never;

/** A sort key: an attribute, or a text or number field as `<handle>.text` or `<handle>.number`. */
export type SortKey<Content> =
  | SortAttribute
  | `${FieldHandle<FieldsOf<Content>, 'text'>}.text`
  | `${FieldHandle<FieldsOf<Content>, 'number'>}.number`;

/** A sort key with or without its direction, such as `name`, `name:asc` or `rank.number:desc`. */
export type Sort<Content> = SortKey<Content> | `${SortKey<Content>}:${SortDirection}`;

type OptionValue<Fields, Handle extends string> = Fields extends unknown
  ? string extends keyof Fields
    ? string
    : Handle extends keyof Fields
      ? Fields[Handle] extends { readonly selected_option: { readonly value: infer Value } | null }
        ? Value
        : never
      : never
  : never;

/** Allows no filter if no field has the type. An object type without properties would accept any filter. */
type Filters<Handle extends string, ByHandle> = ([Handle] extends [never] ? never : ByHandle) | undefined;

type FiltersOf<Handle extends string, Value> = Filters<Handle, { readonly [Name in Handle]?: Value | undefined }>;

/** Exact matches on custom fields, by the field's accessor and handle. */
export interface FieldFilters<Content> {
  readonly text?: FiltersOf<FieldHandle<FieldsOf<Content>, 'text'>, OneOrMore<string>>;
  readonly number?: FiltersOf<FieldHandle<FieldsOf<Content>, 'number'>, OneOrMore<number>>;
  readonly is_on?: FiltersOf<FieldHandle<FieldsOf<Content>, 'boolean'>, OneOrMore<boolean>>;
  readonly selected_option?: Filters<
    FieldHandle<FieldsOf<Content>, 'option'>,
    {
      readonly [Handle in FieldHandle<FieldsOf<Content>, 'option'>]?:
        | OneOrMore<OptionValue<FieldsOf<Content>, Handle>>
        | undefined;
    }
  >;
  readonly content_links?: FiltersOf<FieldHandle<FieldsOf<Content>, 'content_links'>, LinkFilter>;
}

/** Matches content that links to certain other content. */
export interface LinkFilter {
  readonly id?: OneOrMore<string> | undefined;
  readonly slug?: OneOrMore<string> | undefined;
}

/**
 * The parameters of the list endpoint. Undefined parameters are omitted from the request.
 * @example
 * const params: ListParams<Site, 'article'> = {
 *   content_type: 'article',
 *   sort: ['reading_time.number:desc', 'name'],
 *   fields: { is_on: { is_featured: true } },
 *   limit: 10,
 * };
 */
export interface ListParams<Site extends SiteShape, Handle extends ContentHandle<Site> = ContentHandle<Site>> {
  /** Author ids. */
  readonly author?: OneOrMore<string> | undefined;
  /** Content type handles. */
  readonly content_type?: OneOrMore<Handle> | undefined;
  /** Content type ids. */
  readonly content_type_id?: OneOrMore<string> | undefined;
  /** The position to continue from, in cursor mode. `nextPage` and `prevPage` set it. */
  readonly cursor?: string | undefined;
  /** Whether to list content in the default language if it does not exist in the requested one. */
  readonly fallback_default_language?: boolean | undefined;
  /** Exact matches on custom fields. */
  readonly fields?: FieldFilters<ContentOf<Site, Handle>> | undefined;
  /** From 1 to 100; the server's default is 20. */
  readonly limit?: number | undefined;
  /** Whether all values of a parameter must match, or whether one is enough. */
  readonly match?: 'all' | 'any' | undefined;
  /** The page number in simple mode, starting at 1. */
  readonly page?: number | undefined;
  readonly slug?: OneOrMore<string> | undefined;
  /** The server's default is `published_at:desc`. */
  readonly sort?: OneOrMore<Sort<ContentOf<Site, Handle>>> | undefined;
}
