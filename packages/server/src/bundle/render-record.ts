// Renders the lines of a bundle. Properties have a fixed order, and defaults are omitted, so the same site always produces the same
// bytes.

import { buildFileVersion } from '../content/asset-path.ts';
import type { Site } from '../content/catalog.ts';
import type { ContentType, Field, FieldSettings } from '../content/field.ts';
import type { FieldValue, FieldValues } from '../content/field-value.ts';
import { buildFocalPoint } from '../content/render-content.ts';
import { EMPTY_SEO, type OpenGraph, type Seo } from '../content/seo.ts';
import { formatTimestamp } from '../content/timestamp.ts';
import { buildUri, type UriParts } from '../content/uri.ts';
import type { AuthorRow } from '../storage/sites/authors.ts';
import type { ExportedAsset, ExportedContent, ExportedVersion } from '../storage/sites/select-exported.ts';
import type { AbsentRecord } from './content-record.ts';

export function renderSiteRecord({ id, name, defaultLanguage, languages, url }: Site): string {
  return renderLine({ kind: 'site', id, name, default_language: defaultLanguage, languages, url });
}

export function renderTypeRecord(
  { id, handle, name, objectType, uriPattern, fields }: ContentType,
  site: string,
): string {
  return renderLine({
    kind: 'content_type',
    id,
    site,
    handle,
    name,
    object_type: objectType,
    uri_pattern: uriPattern,
    fields: fields.map(renderField),
  });
}

function renderField({ id, handle, name, type, isRequired, isHidden, helpText, settings }: Field) {
  return {
    id,
    handle,
    name,
    type,
    ...(isRequired && { required: true }),
    ...(isHidden && { hidden: true }),
    ...(helpText !== null && { help_text: helpText }),
    ...renderSettings(settings),
  };
}

/** JSON omits undefined properties. */
function renderSettings(settings: FieldSettings): FieldSettings {
  return {
    format: settings.format,
    min_length: settings.min_length,
    max_length: settings.max_length,
    min: settings.min,
    max: settings.max,
    integer: settings.integer,
    options: settings.options?.map(({ label, value }) => ({ label, value })),
    allowed_kinds: settings.allowed_kinds,
    allowed_types: settings.allowed_types,
    min_items: settings.min_items,
    max_items: settings.max_items,
  };
}

export function renderAuthorRecord({ id, name, email, profile_photo_url }: AuthorRow, site: string): string {
  return renderLine({ kind: 'author', id, site, name, email, profile_photo_url });
}

export function renderAssetRecord(asset: ExportedAsset, site: string): string {
  const { id, name, description, folder, tags } = asset;
  const focalPoint = buildFocalPoint(asset);
  const source = asset.sha256 === null ? renderAddress(asset) : renderFile(asset, asset.sha256);
  return renderLine({
    ...{ kind: 'asset', id, site, name, description, ...source },
    ...(focalPoint !== null && { focal_point: focalPoint }),
    ...(folder !== '' && { folder }),
    ...(tags.length > 0 && { tags }),
  });
}

function renderAddress({ path, url, extension, size, mime_type, width, height }: ExportedAsset) {
  return { path, url, extension, size, mime_type, width, height };
}

function renderFile({ width, height, placeholder, colour, ...asset }: ExportedAsset, sha256: string) {
  return { file: buildBundlePath(sha256, asset.file_name ?? ''), sha256, width, height, placeholder, colour };
}

/**
 * The path of an exported file in its bundle's folder. Files with the same name do not collide, not even on a system that ignores case,
 * and files with the same bytes and the same name are written once.
 */
export function buildBundlePath(sha256: string, fileName: string): string {
  return `files/${buildFileVersion(sha256)}/${fileName}`;
}

function renderLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

const OPEN_GRAPH_MEMBERS = [
  'title',
  'description',
  'image_secure_url',
  'image_width',
  'image_height',
  'image_alt',
  'url',
] as const satisfies readonly (keyof OpenGraph)[];
const SEO_MEMBERS = ['title', 'description', 'robots', 'canonical_url'] as const satisfies readonly (keyof Seo)[];

/** The other properties of the line. Contains only values of fields that the type has. */
interface ContentSurroundings {
  readonly siteId: string;
  readonly defaultLanguage: string;
  readonly type: ContentType;
  readonly publishedFields: FieldValues | null;
  readonly newestFields: FieldValues;
  readonly absent: AbsentRecord | null;
}

/**
 * Renders the published version, or the newest one if nothing is published; `draft` contains the properties that differ in a newer
 * version. Importing the line recreates the same content.
 */
export function renderContentRecord(content: ExportedContent, around: ContentSurroundings): string {
  const { record, firstOfGroup, newest, published } = content;
  const top = published ?? newest;
  const topFields = around.publishedFields ?? around.newestFields;
  const topUri = published === null ? content.previewUri : content.publishedUri;
  const hasDraft = published !== null && newest !== published;
  const seo = renderSeoChanges(EMPTY_SEO, top.seo);
  const line = {
    kind: 'content',
    id: record.id,
    site: around.siteId,
    content_type: around.type.handle,
    author: top.authorId,
    language: record.language,
    translation_of: firstOfGroup === record.id ? null : firstOfGroup,
    slug: top.slug,
    name: top.name,
    ...renderUri(top, topUri, content, around),
    status: record.status,
    published_at: renderTime(record.publishedAt),
    created_at: renderTime(record.createdAt),
    updated_at: renderTime(top.savedAt),
    publish_at: renderTime(record.publishAt),
    unpublish_at: renderTime(record.unpublishAt),
    ...(Object.keys(seo).length > 0 && { seo }),
    fields: topFields,
    ...(hasDraft && { draft: renderDraft(content, top, topFields, around) }),
    ...(around.absent !== null && { absent: around.absent }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** JSON omits undefined properties. */
function renderTime(time: number | null): string | undefined {
  return time === null ? undefined : formatExactTime(time);
}

/** If the type's pattern has changed, published content keeps its old uri, so the line must contain it. */
function renderUri(
  version: ExportedVersion,
  shownUri: string | null,
  { record: { id, language } }: ExportedContent,
  { type, defaultLanguage }: ContentSurroundings,
) {
  if (version.uri !== null) return { uri: version.uri };
  const parts: UriParts = { slug: version.slug, id, language, defaultLanguage };
  const isOlder = shownUri !== null && shownUri !== buildUri(type.uriPattern, parts);
  return isOlder ? { shown_uri: shownUri } : {};
}

function renderDraft(
  content: ExportedContent,
  base: ExportedVersion,
  baseFields: FieldValues,
  around: ContentSurroundings,
) {
  const { newest, previewUri } = content;
  const seo = renderSeoChanges(base.seo, newest.seo);
  const fields = renderFieldChanges(around.type, baseFields, around.newestFields);
  const { shown_uri } = renderUri(newest, previewUri, content, around);
  return {
    ...(newest.name !== base.name && { name: newest.name }),
    ...(newest.slug !== base.slug && { slug: newest.slug }),
    ...(newest.uri !== base.uri && { uri: newest.uri }),
    ...(shown_uri !== undefined && { shown_uri }),
    ...(newest.authorId !== base.authorId && { author: newest.authorId }),
    ...(newest.savedAt !== base.savedAt && { updated_at: formatExactTime(newest.savedAt) }),
    ...(Object.keys(seo).length > 0 && { seo }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

/** Returns the properties that differ, with null for those that were removed. */
function renderSeoChanges(base: Seo, changed: Seo) {
  const openGraph = renderChanges(OPEN_GRAPH_MEMBERS, base.open_graph, changed.open_graph);
  return {
    ...renderChanges(SEO_MEMBERS, base, changed),
    ...(Object.keys(openGraph).length > 0 && { open_graph: openGraph }),
  };
}

function renderChanges<Member extends string>(
  members: readonly Member[],
  base: Readonly<Record<Member, string | number | null>>,
  changed: Readonly<Record<Member, string | number | null>>,
): Readonly<Record<string, string | number | null>> {
  const different = members.filter((member) => base[member] !== changed[member]);
  return Object.fromEntries(different.map((member) => [member, changed[member]]));
}

/** Returns the values that differ, with null for those that were removed. */
function renderFieldChanges(type: ContentType, base: FieldValues, changed: FieldValues) {
  const changes = new Map<string, FieldValue | null>();
  for (const { handle } of type.fields) {
    const [before, after] = [base, changed].map((values) => findValue(values, handle));
    if (JSON.stringify(before) !== JSON.stringify(after)) changes.set(handle, after ?? null);
  }
  return Object.fromEntries(changes);
}

function findValue(values: FieldValues, handle: string): FieldValue | undefined {
  return Object.hasOwn(values, handle) ? values[handle] : undefined;
}

/**
 * Formats a time for a bundle, like `2024-05-01T10:00:00.250+00:00`. The API returns whole seconds, but times are stored to the
 * millisecond, and lists are sorted by the stored times.
 */
export function formatExactTime(time: number): string {
  const fraction = ((time % 1000) + 1000) % 1000;
  const text = formatTimestamp(time);
  return fraction === 0 ? text : text.replace('+', `.${String(fraction).padStart(3, '0')}+`);
}
