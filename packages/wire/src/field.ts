import type { ContentTypeBody, FieldsBody, Timestamp } from './delivery.ts';

interface FieldHead<Type extends string> {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly help_text: string | null;
  readonly type: Type;
}

/** Plain text, markdown or HTML, by the field's setting. */
export interface TextFieldBody extends FieldHead<'text'> {
  readonly text: string | null;
}

/** A number; integers are exact to 2^53. */
export interface NumberFieldBody extends FieldHead<'number'> {
  readonly number: number | null;
}

/** A switch; off where it was never set. */
export interface BooleanFieldBody extends FieldHead<'boolean'> {
  readonly is_on: boolean;
}

/** A point in time. */
export interface DateFieldBody extends FieldHead<'date'> {
  readonly date: Timestamp | null;
}

/** One line of a list field. */
export interface ListItemBody {
  readonly sort: number;
  readonly text: string;
}

/** An ordered list of short texts. */
export interface ListFieldBody extends FieldHead<'list'> {
  readonly list: readonly ListItemBody[];
}

/** The chosen entry of an option field. */
export interface OptionBody {
  readonly label: string;
  readonly value: string;
}

/** One choice out of the field's options. */
export interface OptionFieldBody extends FieldHead<'option'> {
  readonly selected_option: OptionBody | null;
}

/** A file that content refers to. */
export interface AssetBody {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  readonly size: number;
  readonly mime_type: string;
  readonly is_image: boolean;
  readonly width: number | null;
  readonly height: number | null;
}

/** An asset with its place in the field. */
export interface AssetItemBody {
  readonly sort: number;
  readonly asset: AssetBody;
}

/** An ordered list of assets. */
export interface AssetsFieldBody extends FieldHead<'assets'> {
  readonly assets: readonly AssetItemBody[];
}

/** One block with its own fields. */
export interface BlockBody {
  readonly name: string | null;
  readonly sort: number;
  readonly content_type: ContentTypeBody;
  readonly fields: FieldsBody;
}

/** An ordered list of blocks, which may hold blocks themselves. */
export interface BlocksFieldBody extends FieldHead<'blocks'> {
  readonly blocks: readonly BlockBody[];
}

/** A linked content object. Its own links are listed as plain ids. */
export interface ContentLinkBody {
  readonly id: string;
  readonly published_at: Timestamp | null;
  readonly name: string;
  readonly slug: string;
  readonly uri: string;
  readonly url: string | null;
  readonly fields: Readonly<Record<string, FieldBody | LinkedIdsFieldBody>>;
}

/** A linked content object with its place in the field. */
export interface ContentLinkItemBody {
  readonly sort: number;
  readonly content_link: ContentLinkBody;
}

/** An ordered list of links to other content objects. */
export interface ContentLinksFieldBody extends FieldHead<'content_links'> {
  readonly content_links: readonly ContentLinkItemBody[];
}

/** The links of a linked content object: ids only, so that links never nest without end. */
export interface LinkedIdsFieldBody extends FieldHead<'content_links'> {
  readonly content_links: readonly string[];
}

/** A custom field's value with its description; `type` tells which accessor it has. */
export type FieldBody =
  | TextFieldBody
  | NumberFieldBody
  | BooleanFieldBody
  | DateFieldBody
  | ListFieldBody
  | OptionFieldBody
  | AssetsFieldBody
  | BlocksFieldBody
  | ContentLinksFieldBody;
