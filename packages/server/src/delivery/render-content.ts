// Content as JSON text: the pieces that were set when it was saved, joined with what is read now. No parsing where a
// piece is final; no database, no clock.

import { formatTimestamp } from '../content/timestamp.ts';
import { PIECE_SEPARATOR, PIECES, type TypesetBlock } from '../content/typeset.ts';
import type { AssetRow, AuthorRow, ContentRow, LinkedRow, Related } from '../storage/port.ts';
import type { ContentTemplates, FieldTemplate, TypeTemplate } from './content-templates.ts';

/** Links are followed once: the links of linked content are plain ids. */
type Depth = 'object' | 'linked';

export function renderContent(row: ContentRow, related: Related, templates: ContentTemplates): string {
  const pieces = row.body.split(PIECE_SEPARATOR);
  const type = typeOf(row.type_no, templates);
  const author = row.author_no === null ? undefined : related.authors.get(row.author_no);
  return (
    piece(pieces, PIECES.head) +
    renderUrl(piece(pieces, PIECES.uri), templates) +
    piece(pieces, PIECES.language) +
    (author === undefined ? 'null' : renderAuthor(author)) +
    ',"content_type":' +
    type.body +
    piece(pieces, PIECES.seo) +
    renderFields(type, pieces, PIECES.fields, related, templates, 'object') +
    piece(pieces, PIECES.foot)
  );
}

function piece(pieces: readonly string[], index: number): string {
  return pieces[index] ?? '';
}

function typeOf(typeNo: number, templates: ContentTemplates): TypeTemplate {
  const type = templates.typesByNo.get(typeNo);
  if (type === undefined) throw new Error(`Content of the unknown type number ${typeNo}`);
  return type;
}

/** @param escapedUri as it stands inside a JSON string */
function renderUrl(escapedUri: string, templates: ContentTemplates): string {
  return templates.urlStart === null ? 'null' : `${templates.urlStart}${escapedUri}"`;
}

/** Authors are read once and stand in many objects. */
const authorTexts = new WeakMap<AuthorRow, string>();

function renderAuthor(author: AuthorRow): string {
  const known = authorTexts.get(author);
  if (known !== undefined) return known;
  const { id, name, email, profile_photo_url } = author;
  const text = JSON.stringify({ id, name, email, profile_photo_url });
  authorTexts.set(author, text);
  return text;
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
    const value = pieces[firstPiece + field.slot];
    text += field.start;
    // A field that was added after the content was saved has no piece at all.
    text += value === undefined || value === '' ? field.empty : renderValue(field, value, related, templates, depth);
    text += '}';
  }
  return text;
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
      return field.options.get(value) ?? `{"label":${value},"value":${value}}`;
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

function renderAssets(ids: readonly string[], related: Related): string {
  const assets = ids.flatMap((id) => related.assets.get(id) ?? []);
  return `[${assets.map((asset, index) => `{"sort":${index + 1},"asset":${renderAsset(asset)}}`).join(',')}]`;
}

function renderAsset(asset: AssetRow): string {
  const { id, name, description, path, url, extension, size, mime_type, width, height } = asset;
  const is_image = mime_type.startsWith('image/');
  return JSON.stringify({ id, name, description, path, url, extension, size, mime_type, is_image, width, height });
}

function renderBlocks(
  blocks: readonly TypesetBlock[],
  related: Related,
  templates: ContentTemplates,
  depth: Depth,
): string {
  const texts = blocks.map(([typeNo, name, values], index) => {
    const type = typeOf(typeNo, templates);
    const fields = renderFields(type, values, 0, related, templates, depth);
    return `{"name":${JSON.stringify(name)},"sort":${index + 1},"content_type":${type.body},"fields":{${fields}}}`;
  });
  return `[${texts.join(',')}]`;
}

/** A link to what the reader may not see is left out; the places of the others close up. */
function renderLinks(ids: readonly string[], related: Related, templates: ContentTemplates): string {
  const rows = ids.flatMap((id) => related.links.get(id) ?? []);
  const texts = rows.map((row, index) => `{"sort":${index + 1},"content_link":${renderLink(row, related, templates)}}`);
  return `[${texts.join(',')}]`;
}

/** Rows are read anew for each answer, in which many objects may link to the same one. */
const linkTexts = new WeakMap<LinkedRow, string>();

function renderLink(row: LinkedRow, related: Related, templates: ContentTemplates): string {
  const known = linkTexts.get(row);
  if (known !== undefined) return known;
  const text = renderNewLink(row, related, templates);
  linkTexts.set(row, text);
  return text;
}

function renderNewLink(row: LinkedRow, related: Related, templates: ContentTemplates): string {
  const pieces = row.body.split(PIECE_SEPARATOR);
  const { id, name, slug, uri } = row;
  const published_at = row.published_at === null ? null : formatTimestamp(row.published_at);
  const head = JSON.stringify({ id, published_at, name, slug, uri }).slice(0, -1);
  const url = renderUrl(piece(pieces, PIECES.uri), templates);
  const type = typeOf(row.type_no, templates);
  const fields = renderFields(type, pieces, PIECES.fields, related, templates, 'linked');
  return `${head},"url":${url},"fields":{${fields}}}`;
}

/** Pieces hold what typesetting wrote. */
function parseIds(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

function parseBlocks(text: string): readonly TypesetBlock[] {
  return JSON.parse(text) as readonly TypesetBlock[];
}
