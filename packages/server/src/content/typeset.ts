// Typesets content: when a version is saved, prepares everything that the delivery API needs from it. The body (body.ts) is JSON text in
// pieces, with gaps for all data that can change without the content being saved: author, content type, field names, option labels, assets,
// linked content and the site's URL.

import type { ListItemBody, SeoBody } from '@galley/wire';
import { buildTextDigest, encodeBody } from './body.ts';
import type { ContentType, Field } from './field.ts';
import { type BlockValue, collectReferences, type FieldValue, type FieldValues } from './field-value.ts';
import type { Seo } from './seo.ts';
import { buildTextKey } from './text-key.ts';
import { formatTimestamp } from './timestamp.ts';

/** A block in a body: the number of its type, its name, and its values by slot. */
export type TypesetBlock = readonly [typeNo: number, name: string | null, values: readonly string[]];

export interface ContentState {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly uri: string;
  readonly language: string;
  readonly authorNo: number | null;
  readonly seo: Seo;
  readonly fields: FieldValues;
  readonly publishedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TypesetText {
  readonly fieldNo: number;
  readonly key: string | null;
  readonly digest: string | null;
}

export interface TypesetNumber {
  readonly fieldNo: number;
  readonly key: number | null;
}

export interface TypesetToken {
  readonly fieldNo: number;
  readonly token: string;
}

export interface Typeset {
  readonly body: string;
  readonly nameKey: string;
  readonly slugKey: string;
  readonly uriKey: string;
  /** One entry for each text field of the type. The key is null if the field has no value. */
  readonly texts: readonly TypesetText[];
  readonly numbers: readonly TypesetNumber[];
  readonly tokens: readonly TypesetToken[];
  /** The ids of all linked content, including links in blocks. */
  readonly links: readonly string[];
}

/** The end of the seo piece, after its last property, open_graph.url. */
export const OPEN_GRAPH_END = '}},"fields":{';
/** The end if open_graph.url is unset: `null` is replaced with the content's url. A url that is set ends with a quotation mark instead. */
export const OPEN_GRAPH_URL_GAP = `null${OPEN_GRAPH_END}`;

/** A switch's tokens. A switch that is off or was never set has a token only if its field marks missing values. */
export const IS_ON_TOKEN = '1';
export const IS_OFF_TOKEN = '0';

export function typesetContent(
  state: ContentState,
  type: ContentType,
  typesByHandle: ReadonlyMap<string, ContentType>,
): Typeset {
  const { links, assets } = collectReferences(type, state.fields, typesByHandle);
  const body = encodeBody(type.no, state.authorNo, [
    encodeIds(links),
    encodeIds(assets),
    buildHead(state),
    JSON.stringify(state.uri).slice(1, -1),
    `,"language":${JSON.stringify(state.language)},"author":`,
    `,"seo":${buildSeo(state)},"fields":{`,
    `},"created_at":"${formatTimestamp(state.createdAt)}","updated_at":"${formatTimestamp(state.updatedAt)}"}`,
    ...buildValuePieces(type, state.fields, typesByHandle),
  ]);
  const texts: TypesetText[] = [];
  const numbers: TypesetNumber[] = [];
  const tokens: TypesetToken[] = [];
  for (const field of type.fields) {
    if (field.type === 'text') texts.push(buildText(field, state.fields));
    else if (field.type === 'number') numbers.push(buildNumber(field, state.fields));
    else tokens.push(...buildTokens(field, state.fields));
  }
  const { name, slug, uri } = state;
  const keys = { nameKey: buildTextKey(name), slugKey: buildTextKey(slug), uriKey: buildTextKey(uri) };
  return { body, ...keys, texts, numbers, tokens, links };
}

function encodeIds(ids: readonly string[]): string {
  return ids.length === 0 ? '' : JSON.stringify(ids);
}

function buildHead(state: ContentState): string {
  const publishedAt = state.publishedAt === null ? 'null' : `"${formatTimestamp(state.publishedAt)}"`;
  return `{"id":"${state.id}","published_at":${publishedAt},"slug":${JSON.stringify(state.slug)},"name":${JSON.stringify(state.name)},"uri":${JSON.stringify(state.uri)},"url":`;
}

function buildSeo(state: ContentState): string {
  const { title, description, robots, canonical_url, open_graph } = state.seo;
  const body: SeoBody = { title: title ?? state.name, description, robots, canonical_url, open_graph };
  return JSON.stringify(body);
}

function buildValuePieces(
  type: ContentType,
  values: FieldValues,
  typesByHandle: ReadonlyMap<string, ContentType>,
): readonly string[] {
  const pieces: string[] = [];
  for (const field of type.fields) {
    while (pieces.length <= field.slot) pieces.push('');
    const value = findValue(values, field);
    if (value !== undefined) pieces[field.slot] = buildValuePiece(value, typesByHandle);
  }
  return pieces;
}

function findValue(values: FieldValues, field: Field): FieldValue | undefined {
  return Object.hasOwn(values, field.handle) ? values[field.handle] : undefined;
}

function buildValuePiece(value: FieldValue, typesByHandle: ReadonlyMap<string, ContentType>): string {
  if ('text' in value) return JSON.stringify(value.text);
  if ('number' in value) return JSON.stringify(value.number);
  if ('is_on' in value) return String(value.is_on);
  if ('date' in value) return JSON.stringify(value.date);
  if ('list' in value) return JSON.stringify(value.list.map(buildItem));
  if ('selected_option' in value) return JSON.stringify(value.selected_option);
  if ('assets' in value) return JSON.stringify(value.assets);
  if ('content_links' in value) return JSON.stringify(value.content_links);
  return JSON.stringify(value.blocks.flatMap((block) => buildBlock(block, typesByHandle)));
}

function buildItem(text: string, index: number): ListItemBody {
  return { sort: index + 1, text };
}

function buildBlock(block: BlockValue, typesByHandle: ReadonlyMap<string, ContentType>): readonly TypesetBlock[] {
  const type = typesByHandle.get(block.content_type);
  return type === undefined ? [] : [[type.no, block.name, buildValuePieces(type, block.fields, typesByHandle)]];
}

function buildText(field: Field, values: FieldValues): TypesetText {
  const value = findValue(values, field);
  if (value === undefined || !('text' in value)) return { fieldNo: field.no, key: null, digest: null };
  return { fieldNo: field.no, key: buildTextKey(value.text), digest: buildTextDigest(value.text) };
}

function buildNumber(field: Field, values: FieldValues): TypesetNumber {
  const value = findValue(values, field);
  return { fieldNo: field.no, key: value !== undefined && 'number' in value ? value.number : null };
}

function buildTokens(field: Field, values: FieldValues): readonly TypesetToken[] {
  const value = findValue(values, field);
  const fieldNo = field.no;
  if (field.type === 'boolean') {
    if (value !== undefined && 'is_on' in value && value.is_on) return [{ fieldNo, token: IS_ON_TOKEN }];
    return field.marksMissing ? [{ fieldNo, token: IS_OFF_TOKEN }] : [];
  }
  if (value === undefined) return [];
  if ('selected_option' in value) return [{ fieldNo, token: value.selected_option }];
  if ('content_links' in value) return value.content_links.map((token) => ({ fieldNo, token }));
  return [];
}
