// Two sites full of content that must stay hidden: drafts, scheduled, unpublished and archived content, pending changes, and
// content on the other site. Every hidden text value contains a unique marker, so any leak can be identified.

import type { BundleRecord, ContentRecord, FieldRecord, FieldValues, PendingChanges } from './bundle.ts';

const MARKER = /zqx\d+secret/gi;

interface SecretSite {
  readonly records: readonly BundleRecord[];
  readonly site: string;
  readonly foreignSite: string;
  readonly visibleIds: readonly string[];
  readonly hiddenIds: readonly string[];
  readonly markers: readonly string[];
}

export function markersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(MARKER)].map(([marker]) => marker.toLowerCase()))];
}

const HIDDEN_STATES = {
  draft: { status: 'draft' },
  scheduled: { status: 'draft', publish_at: '2999-01-01T00:00:00+00:00' },
  unpublished: { status: 'unpublished' },
  archived: { status: 'archived' },
} as const;

const PUBLISHED = { status: 'published', published_at: '2024-05-01T10:00:00+00:00' } as const;

export function buildSecretSite(prefix: string): SecretSite {
  const markers: string[] = [];
  const secret = () => {
    markers.push(`zqx${markers.length}secret`);
    return markers.at(-1) ?? '';
  };
  const site = `s_${prefix}`;
  const foreignSite = `s_${prefix}_other`;
  const option = secret();

  const hiddenIds = Object.keys(HIDDEN_STATES).flatMap((state) => [`c_${prefix}_${state}`, `c_${prefix}_${state}_fr`]);
  const foreignIds = [`c_${prefix}_foreign`, `c_${prefix}_foreign_draft`];
  const visibleIds = ['one', 'two', 'three', 'four', 'five', 'one_fr'].map((name) => `c_${prefix}_${name}`);
  const allIds = [...hiddenIds, ...foreignIds, ...visibleIds];

  const fields = (text: () => string, asset: string, colour: string | null): FieldValues => ({
    title: { text: text() },
    body: { text: `${text()} and ${text()}` },
    tags: { list: [text(), text()] },
    colour: { selected_option: colour },
    photos: { assets: [asset] },
    parts: {
      blocks: [
        {
          content_type: 'hero',
          name: text(),
          fields: {
            title: { text: text() },
            related: { content_links: allIds },
            parts: {
              blocks: [
                {
                  content_type: 'hero',
                  name: text(),
                  fields: { body: { text: text() }, related: { content_links: allIds } },
                },
              ],
            },
          },
        },
      ],
    },
    related: { content_links: allIds },
  });
  const secretParts = (asset: string): Required<Pick<PendingChanges, 'name' | 'slug' | 'seo' | 'fields'>> => ({
    name: secret(),
    slug: secret(),
    seo: {
      title: secret(),
      description: secret(),
      robots: secret(),
      canonical_url: `https://example.com/${secret()}`,
      open_graph: {
        title: secret(),
        description: secret(),
        image_alt: secret(),
        url: `https://example.com/${secret()}`,
      },
    },
    fields: fields(secret, asset, option),
  });
  const base = (id: string): Omit<ContentRecord, 'status' | 'slug' | 'name' | 'fields'> => ({
    kind: 'content',
    id,
    site,
    content_type: 'post',
    author: `u_${prefix}`,
    language: id.endsWith('_fr') ? 'fr' : 'en',
    translation_of: id.endsWith('_fr') ? id.slice(0, -3) : null,
    created_at: '2024-05-01T10:00:00+00:00',
    updated_at: '2024-05-01T10:00:00+00:00',
  });

  const hidden = Object.entries(HIDDEN_STATES).flatMap(([state, status]) =>
    ['', '_fr'].map((suffix) => ({
      ...base(`c_${prefix}_${state}${suffix}`),
      ...status,
      ...secretParts(`a_${prefix}_hidden`),
    })),
  );
  const foreign = foreignIds.map((id, index) => ({
    ...base(id),
    ...(index === 0 ? PUBLISHED : HIDDEN_STATES.draft),
    site: foreignSite,
    author: `u_${prefix}_other`,
    ...secretParts(`a_${prefix}_foreign`),
  }));
  // The first two visible objects have pending changes.
  const visible = visibleIds.map((id, index) => ({
    ...base(id),
    ...PUBLISHED,
    slug: `open-${index}`,
    name: `Open ${index % 2}`,
    fields: fields(() => `open text ${index % 3}`, `a_${prefix}_open`, index === 0 ? 'open' : null),
    ...(index < 2 && { draft: secretParts(`a_${prefix}_hidden`) }),
  }));
  const draftTranslation = {
    ...base(`c_${prefix}_two_fr`),
    ...HIDDEN_STATES.draft,
    ...secretParts(`a_${prefix}_hidden`),
  };

  const siteRecords = (
    id: string,
    word: () => string,
    assets: readonly string[],
    author: string,
  ): readonly BundleRecord[] => [
    { kind: 'site', id, name: word(), default_language: 'en', languages: ['en', 'fr'], url: 'https://example.com' },
    { kind: 'author', id: author, site: id, name: word(), email: null, profile_photo_url: null },
    ...['post', 'hero'].map(
      (handle): BundleRecord => ({
        kind: 'content_type',
        id: `t_${id}_${handle}`,
        site: id,
        handle,
        name: word(),
        object_type: handle === 'hero' ? 'block' : 'page',
        ...(handle === 'post' && { uri_pattern: 'blog/{slug}' }),
        fields: typeFields(word, option, id === foreignSite),
      }),
    ),
    ...assets.map(
      (asset): BundleRecord => ({
        kind: 'asset',
        id: asset,
        site: id,
        name: asset.endsWith('_open') ? 'Photo' : secret(),
        description: asset.endsWith('_open') ? null : secret(),
        path: `assets/${asset}.jpg`,
        url: `https://cdn.example.com/${asset.endsWith('_open') ? 'open' : secret()}.jpg`,
        extension: 'jpg',
        size: 1,
        mime_type: 'image/jpeg',
      }),
    ),
  ];
  return {
    site,
    foreignSite,
    visibleIds,
    hiddenIds: [...hiddenIds, ...foreignIds, draftTranslation.id],
    markers,
    records: [
      ...siteRecords(site, () => 'Open', [`a_${prefix}_open`, `a_${prefix}_hidden`], `u_${prefix}`),
      ...siteRecords(foreignSite, secret, [`a_${prefix}_foreign`], `u_${prefix}_other`),
      ...hidden,
      ...foreign,
      ...visible,
      draftTranslation,
    ],
  };
}

function typeFields(word: () => string, option: string, isForeign: boolean): readonly FieldRecord[] {
  const options = [
    { label: 'Open', value: 'open' },
    { label: option, value: option },
  ];
  return [
    { handle: 'title', name: word(), type: 'text', help_text: word() },
    { handle: 'body', name: word(), type: 'text' },
    { handle: 'tags', name: word(), type: 'list' },
    { handle: 'colour', name: word(), type: 'option', options },
    { handle: 'photos', name: word(), type: 'assets' },
    { handle: 'parts', name: word(), type: 'blocks' },
    { handle: 'related', name: word(), type: 'content_links' },
    ...(isForeign ? [{ handle: 'elsewhere', name: word(), type: 'text' as const }] : []),
  ];
}
