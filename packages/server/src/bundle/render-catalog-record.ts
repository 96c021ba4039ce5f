// The lines of a bundle for what content refers to. Members stand in a fixed order, and what has its default is left
// out, so that the same site always gives the same bytes.

import type { Site } from '../content/catalog.ts';
import type { ContentType, Field, FieldSettings } from '../content/field.ts';
import type { AssetRow, AuthorRow } from '../storage/port.ts';

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

/** JSON leaves out what is undefined. */
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

export function renderAssetRecord(asset: AssetRow, site: string): string {
  const { id, name, description, path, url, extension, size, mime_type, width, height } = asset;
  const file = { path, url, extension, size, mime_type, width, height };
  return renderLine({ kind: 'asset', id, site, name, description, ...file });
}

function renderLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
