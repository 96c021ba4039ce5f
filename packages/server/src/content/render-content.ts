// Renders content as JSON text. The pieces were typeset when the content was saved; rendering adds the data that can change without
// the content being saved.
//
// A short body may embed the same large data many times. When strings are joined with `+`, V8 copies nothing until the result is read,
// but its length is known. So the size of a response is known before any of it is copied. Text that becomes too long is left incomplete,
// which can be detected from its length.

import type { AssetBody, AuthorBody, ContentLinkBody } from '@galley/wire';
import { MOST_ANSWER_BYTES } from './answer-limit.ts';
import { type Body, isAscii, PIECES, parseIds } from './body.ts';
import type { ContentTemplates, FieldTemplate, TypeTemplate } from './content-templates.ts';
import { OPEN_GRAPH_END, OPEN_GRAPH_URL_GAP, type TypesetBlock } from './typeset.ts';

/** A content object as it is stored for readers. */
export interface SetContent {
  readonly body: Body;
}

export type ShownAuthor = AuthorBody;

/** An asset as it is stored. */
export interface ShownAsset extends Omit<AssetBody, 'is_image' | 'focal_point'> {
  /** For an uploaded file, the path on this service; otherwise a web address. */
  readonly url: string;
  /** Null for an asset that has only a web address. */
  readonly sha256: string | null;
  readonly focal_x: number | null;
  readonly focal_y: number | null;
}

/** The data that rendering adds to the pieces. */
export interface Related {
  readonly authors: ReadonlyMap<number, ShownAuthor>;
  readonly assets: ReadonlyMap<string, ShownAsset>;
  readonly links: ReadonlyMap<string, SetContent>;
  /** For linked content: the ids of the content that it links to and that the reader may see. */
  readonly visibleIds: ReadonlySet<string>;
  /** The maximum number of characters in the text. */
  readonly mostCharacters: number;
}

/** Only one level of links is followed: the links in linked content are plain ids. */
type Depth = 'object' | 'linked';

/** If the text is longer than `related.mostCharacters`, it is incomplete. */
export function renderContent(row: SetContent, related: Related, templates: ContentTemplates): string {
  const { pieces, typeNo, authorNo } = row.body;
  const type = typeOf(typeNo, templates);
  const author = authorNo === null ? undefined : related.authors.get(authorNo);
  const url = renderUrl(piece(pieces, PIECES.uri), templates);
  return (
    piece(pieces, PIECES.head) +
    url +
    piece(pieces, PIECES.language) +
    (author === undefined ? 'null' : renderAuthor(author).text) +
    type.member +
    renderSeo(piece(pieces, PIECES.seo), url) +
    renderFields(type, pieces, PIECES.fields, related, templates, 'object') +
    piece(pieces, PIECES.foot)
  );
}

const MOST_BYTES_OF_CHARACTER = 3;

/** Whether the text is too large for a response. Counts bytes only if necessary, because counting takes as long as building the text. */
export function isTooLarge(text: string): boolean {
  if (text.length * MOST_BYTES_OF_CHARACTER <= MOST_ANSWER_BYTES) return false;
  return text.length > MOST_ANSWER_BYTES || Buffer.byteLength(text) > MOST_ANSWER_BYTES;
}

/** Whether the rows are known to render as pure ASCII, not counting their links. */
export function rendersAscii(rows: readonly SetContent[], related: Related, templates: ContentTemplates): boolean {
  if (!templates.areAscii || related.links.size > 0 || related.assets.size > 0) return false;
  for (const { body } of rows) {
    const author = body.authorNo === null ? undefined : related.authors.get(body.authorNo);
    if (!body.isAscii || (author !== undefined && !renderAuthor(author).isAscii)) return false;
  }
  return true;
}

function piece(pieces: readonly string[], index: number): string {
  return pieces[index] ?? '';
}

function typeOf(typeNo: number, templates: ContentTemplates): TypeTemplate {
  const type = templates.typesByNo.get(typeNo);
  if (type === undefined) throw new Error(`Content has the unknown type number ${typeNo}`);
  return type;
}

/** @param escapedUri a uri that is already escaped for a JSON string */
function renderUrl(escapedUri: string, templates: ContentTemplates): string {
  return templates.urlStart === null ? 'null' : `${templates.urlStart}${escapedUri}"`;
}

/** An unset open_graph.url falls back to the content's url. */
function renderSeo(seo: string, url: string): string {
  if (!seo.endsWith(OPEN_GRAPH_URL_GAP)) return seo;
  return seo.slice(0, -OPEN_GRAPH_URL_GAP.length) + url + OPEN_GRAPH_END;
}

interface AuthorText {
  readonly text: string;
  readonly isAscii: boolean;
}

/** The same author appears in many objects, so the JSON is cached. */
const authorTexts = new WeakMap<ShownAuthor, AuthorText>();

function renderAuthor(author: ShownAuthor): AuthorText {
  const known = authorTexts.get(author);
  if (known !== undefined) return known;
  const { id, name, email, profile_photo_url } = author;
  const text = JSON.stringify({ id, name, email, profile_photo_url } satisfies AuthorBody);
  const rendered = { text, isAscii: isAscii(text) };
  authorTexts.set(author, rendered);
  return rendered;
}

function renderFields(
  type: TypeTemplate,
  pieces: readonly string[],
  firstPiece: number,
  related: Related,
  templates: ContentTemplates,
  depth: Depth,
): string {
  let text = '';
  for (const field of type.fields) {
    const stored = pieces[firstPiece + field.slot];
    // A field that was added after the content was saved has no piece.
    const isEmpty = stored === undefined || stored === '';
    const value = isEmpty ? field.empty : renderValue(field, stored, related, templates, depth);
    if (value.length > related.mostCharacters) return value;
    text += field.start + value;
    if (text.length > related.mostCharacters) return text;
  }
  return type.fields.length === 0 ? text : `${text}}`;
}

function renderValue(
  field: FieldTemplate,
  value: string,
  related: Related,
  templates: ContentTemplates,
  depth: Depth,
): string {
  switch (field.type) {
    case 'option':
      return renderOption(field.options, value);
    case 'assets':
      return renderAssets(parseIds(value), related);
    case 'blocks':
      return renderBlocks(parseBlocks(value), related, templates, depth);
    case 'content_links':
      return depth === 'object'
        ? renderLinks(parseIds(value), related, templates)
        : JSON.stringify(parseIds(value).filter((id) => related.visibleIds.has(id)));
    default:
      return value;
  }
}

/** @param value the JSON of the selected value, which may no longer be an option of the field */
export function renderOption(options: FieldTemplate['options'], value: string): string {
  return options.get(value) ?? `{"label":${value},"value":${value}}`;
}

function renderAssets(ids: readonly string[], related: Related): string {
  let text = '';
  let count = 0;
  for (const id of ids) {
    const asset = related.assets.get(id);
    if (asset === undefined) continue;
    count += 1;
    text += `${count === 1 ? '[' : ','}{"sort":${count},"asset":${renderAsset(asset)}}`;
    if (text.length > related.mostCharacters) return text;
  }
  return count === 0 ? '[]' : `${text}]`;
}

/**
 * Caches the text of large assets, because they may appear many times. For small assets, caching would cost more than
 * it saves.
 */
const largeAssets = new WeakMap<ShownAsset, string>();
const LARGE_CHARACTERS = 1000;

function renderAsset(asset: ShownAsset): string {
  if (asset.url.length + (asset.description?.length ?? 0) <= LARGE_CHARACTERS) return renderNewAsset(asset);
  const known = largeAssets.get(asset);
  if (known !== undefined) return known;
  const text = renderNewAsset(asset);
  largeAssets.set(asset, text);
  return text;
}

function renderNewAsset(asset: ShownAsset): string {
  const { id, name, description, path, url, extension, size, mime_type, width, height, placeholder } = asset;
  const body: AssetBody = {
    id,
    name,
    description,
    path,
    url,
    extension,
    size,
    mime_type,
    is_image: mime_type.startsWith('image/'),
    width,
    height,
    focal_point: buildFocalPoint(asset),
    placeholder,
  };
  return JSON.stringify(body);
}

export function buildFocalPoint({ focal_x: x, focal_y: y }: Pick<ShownAsset, 'focal_x' | 'focal_y'>) {
  return x === null || y === null ? null : { x, y };
}

export function hasFiles({ assets }: Related): boolean {
  for (const { sha256 } of assets.values()) if (sha256 !== null) return true;
  return false;
}

/** Puts the base of our URLs in front of the paths of uploaded files. */
export function placeFiles(related: Related, baseUrl: string): Related {
  if (!hasFiles(related)) return related;
  const assets = new Map<string, ShownAsset>();
  for (const [id, asset] of related.assets) {
    assets.set(id, asset.sha256 === null ? asset : { ...asset, url: `${baseUrl}${asset.url}` });
  }
  return { ...related, assets };
}

function renderBlocks(
  blocks: readonly TypesetBlock[],
  related: Related,
  templates: ContentTemplates,
  depth: Depth,
): string {
  let text = '';
  let count = 0;
  for (const [typeNo, name, values] of blocks) {
    const type = typeOf(typeNo, templates);
    const fields = renderFields(type, values, 0, related, templates, depth);
    if (fields.length > related.mostCharacters) return fields;
    count += 1;
    text += `${count === 1 ? '[' : ','}{"name":${JSON.stringify(name)},"sort":${count}${type.member},"fields":{${fields}}}`;
    if (text.length > related.mostCharacters) return text;
  }
  return count === 0 ? '[]' : `${text}]`;
}

/** Omits links to content that the reader is not allowed to see. */
function renderLinks(ids: readonly string[], related: Related, templates: ContentTemplates): string {
  let text = '';
  let count = 0;
  for (const id of ids) {
    const row = related.links.get(id);
    if (row === undefined) continue;
    const link = renderLink(row, related, templates);
    if (link.length > related.mostCharacters) return link;
    count += 1;
    text += `${count === 1 ? '[' : ','}{"sort":${count},"content_link":${link}}`;
    if (text.length > related.mostCharacters) return text;
  }
  return count === 0 ? '[]' : `${text}]`;
}

/** Many objects in one response may link to the same row. */
const linkTexts = new WeakMap<SetContent, string>();

function renderLink(row: SetContent, related: Related, templates: ContentTemplates): string {
  const known = linkTexts.get(row);
  if (known !== undefined) return known;
  const text = renderNewLink(row, related, templates);
  linkTexts.set(row, text);
  return text;
}

/** Everything that readers see is taken from the body, because the body is protected by a digest. */
function renderNewLink(row: SetContent, related: Related, templates: ContentTemplates): string {
  const { pieces, typeNo } = row.body;
  const { id, published_at, name, slug, uri } = parseHead(piece(pieces, PIECES.head));
  const head = JSON.stringify({ id, published_at, name, slug, uri } satisfies Head).slice(0, -1);
  const url = renderUrl(piece(pieces, PIECES.uri), templates);
  const type = typeOf(typeNo, templates);
  const fields = renderFields(type, pieces, PIECES.fields, related, templates, 'linked');
  return `${head},"url":${url},"fields":{${fields}}}`;
}

type Head = Omit<ContentLinkBody, 'url' | 'fields'>;

/** @param head the object up to the value of its url, which typesetting leaves out */
function parseHead(head: string): Head {
  return JSON.parse(`${head}null}`) as Head;
}

/** Pieces contain only JSON that the typesetting step has written. */
export function parseBlocks(text: string): readonly TypesetBlock[] {
  return JSON.parse(text) as readonly TypesetBlock[];
}
