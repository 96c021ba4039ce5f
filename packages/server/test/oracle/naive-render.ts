// Renders a visible content object as a response body. The service generates field ids, so the oracle uses placeholders instead:
// `field:<content type id>:<handle>`. The comparison binds each placeholder to one id and checks that the id never changes.

import type {
  AssetBody,
  AssetItemBody,
  AuthorBody,
  BlockBody,
  ContentBody,
  ContentLinkBody,
  ContentTypeBody,
  FieldsBody,
  LinkedFieldsBody,
  SeoBody,
  Timestamp,
} from '@galley/wire';
import type { BlockValue, ContentTypeRecord, FieldRecord, FieldValue, FieldValues, SiteRecord } from './bundle.ts';
import { milliseconds, type Reading, type VisibleContent } from './naive-reading.ts';

/** The position of the first list item, asset, block or link. */
const FIRST_POSITION = 1;

/** The two forms in which fields contain links: as whole objects or, inside a linked object, as plain ids. */
interface FieldsByForm {
  readonly objects: FieldsBody;
  readonly ids: LinkedFieldsBody;
}

type LinkForm = keyof FieldsByForm;

type BlockOf<Form extends LinkForm> = Omit<BlockBody, 'fields'> & { readonly fields: FieldsByForm[Form] };

export function renderContent(content: VisibleContent, reading: Reading): ContentBody {
  const url = renderUrl(content.uri, reading.site);
  return {
    id: content.id,
    published_at: renderTime(content.publishedAt),
    slug: content.slug,
    name: content.name,
    uri: content.uri,
    url,
    language: content.language,
    author: renderAuthor(content.author, reading),
    content_type: renderType(content.type),
    seo: renderSeo(content, url),
    fields: renderFields(content.type, content.fields, reading, 'objects'),
    created_at: formatTime(content.createdAt),
    updated_at: formatTime(content.updatedAt),
  };
}

function renderTime(time: number | null): Timestamp | null {
  return time === null ? null : formatTime(time);
}

function formatTime(time: number): Timestamp {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

function renderUrl(uri: string, site: SiteRecord): string | null {
  return site.url === null ? null : `${site.url.replace(/\/+$/, '')}/${uri}`;
}

function renderAuthor(id: string | null, reading: Reading): AuthorBody | null {
  const author = reading.records.find((record) => record.kind === 'author' && record.id === id);
  if (author?.kind !== 'author') return null;
  return { id: author.id, name: author.name, email: author.email, profile_photo_url: author.profile_photo_url };
}

function renderType(type: ContentTypeRecord): ContentTypeBody {
  return { id: type.id, name: type.name, handle: type.handle, object_type: type.object_type };
}

function renderSeo({ seo, name }: VisibleContent, url: string | null): SeoBody {
  const graph = seo.open_graph ?? {};
  return {
    title: seo.title ?? name,
    description: seo.description ?? null,
    robots: seo.robots ?? null,
    canonical_url: seo.canonical_url ?? null,
    open_graph: {
      title: graph.title ?? null,
      description: graph.description ?? null,
      image_secure_url: graph.image_secure_url ?? null,
      image_width: graph.image_width ?? null,
      image_height: graph.image_height ?? null,
      image_alt: graph.image_alt ?? null,
      url: graph.url ?? url,
    },
  };
}

function renderFields<Form extends LinkForm>(
  type: ContentTypeRecord,
  values: FieldValues,
  reading: Reading,
  links: Form,
): FieldsByForm[Form] {
  const entries = type.fields.map((field) => {
    const head = {
      id: `field:${type.id}:${field.handle}`,
      name: field.name,
      handle: field.handle,
      help_text: field.help_text ?? null,
      type: field.type,
    };
    return [field.handle, { ...head, ...renderValue(field, values[field.handle] ?? {}, reading, links) }];
  });
  return Object.fromEntries(entries);
}

function renderValue(field: FieldRecord, value: FieldValue, reading: Reading, links: LinkForm): object {
  switch (field.type) {
    case 'text':
      return { text: value.text ?? null };
    case 'number':
      return { number: value.number ?? null };
    case 'boolean':
      return { is_on: value.is_on ?? false };
    case 'date':
      return { date: typeof value.date === 'string' ? formatTime(milliseconds(value.date)) : null };
    case 'list':
      return { list: (value.list ?? []).map((text, index) => ({ sort: index + FIRST_POSITION, text })) };
    case 'option':
      return { selected_option: field.options?.find((option) => option.value === value.selected_option) ?? null };
    case 'assets':
      return { assets: renderAssets(value.assets ?? [], reading) };
    case 'blocks':
      return { blocks: renderBlocks(value.blocks ?? [], reading, links) };
    case 'content_links':
      return { content_links: renderLinks(value.content_links ?? [], reading, links) };
  }
}

function renderAssets(ids: readonly string[], reading: Reading): readonly AssetItemBody[] {
  const assets = ids.map((id) => reading.records.find((record) => record.kind === 'asset' && record.id === id));
  return assets
    .filter((record) => record?.kind === 'asset')
    .map((asset, index) => {
      const body: AssetBody = {
        id: asset.id,
        name: asset.name,
        description: asset.description,
        path: asset.path,
        url: asset.url,
        extension: asset.extension,
        size: asset.size,
        mime_type: asset.mime_type,
        is_image: asset.mime_type.startsWith('image/'),
        width: asset.width ?? null,
        height: asset.height ?? null,
        focal_point: null,
        placeholder: null,
      };
      return { sort: index + FIRST_POSITION, asset: body };
    });
}

function renderBlocks<Form extends LinkForm>(
  blocks: readonly BlockValue[],
  reading: Reading,
  links: Form,
): readonly BlockOf<Form>[] {
  return blocks.map((block, index) => {
    const type = reading.types.find((candidate) => candidate.handle === block.content_type);
    if (type === undefined) throw new Error(`a block has the unknown type ${block.content_type}`);
    return {
      name: block.name ?? null,
      sort: index + FIRST_POSITION,
      content_type: renderType(type),
      fields: renderFields(type, block.fields, reading, links),
    };
  });
}

/** Links that this reader is not allowed to see are left out completely and leave no gap in the positions. */
function renderLinks(ids: readonly string[], reading: Reading, links: LinkForm): readonly unknown[] {
  const linked = visibleLinks(ids, reading);
  if (links === 'ids') return linked.map((content) => content.id);
  return linked.map((content, index) => {
    const body: ContentLinkBody = {
      id: content.id,
      published_at: renderTime(content.publishedAt),
      name: content.name,
      slug: content.slug,
      uri: content.uri,
      url: renderUrl(content.uri, reading.site),
      fields: renderFields(content.type, content.fields, reading, 'ids'),
    };
    return { sort: index + FIRST_POSITION, content_link: body };
  });
}

export function visibleLinks(ids: readonly string[], reading: Reading): readonly VisibleContent[] {
  return ids
    .map((id) => reading.contents.find((content) => content.id === id))
    .filter((content) => content !== undefined);
}
