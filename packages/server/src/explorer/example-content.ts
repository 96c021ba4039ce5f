// The content in the document's examples. The wire types ensure that it has the same form as real responses.

import type { AuthorBody, ContentBody, ContentTypeBody, FieldsBody, SeoBody } from '@galley/wire';

const SITE_URL = 'https://saltmarsh.example';

const AUTHOR: AuthorBody = {
  id: 'u_0198c0de4a7b7c1e9f3a5b2d8e6f1a01',
  name: 'Ines Halloran',
  email: 'ines@saltmarsh.example',
  profile_photo_url: null,
};

const POST_TYPE: ContentTypeBody = {
  id: 't_0198c0de51d27a3ba4c6e80f2b9d7c02',
  name: 'Post',
  handle: 'post',
  object_type: 'page',
};

const QUOTE_TYPE: ContentTypeBody = {
  id: 't_0198c0de5f0471e8b7d9a13c4e5f6a03',
  name: 'Quote',
  handle: 'quote',
  object_type: 'block',
};

const EXCERPT_FIELD = {
  id: 'f_0198c0de6a1e7f42a8b3c5d7e9f10204',
  name: 'Excerpt',
  handle: 'excerpt',
  help_text: 'One or two sentences for lists.',
  type: 'text',
} as const;

const MINUTES_FIELD = {
  id: 'f_0198c0de6a1e7f42a8b3c5d7e9f10205',
  name: 'Reading time',
  handle: 'minutes',
  help_text: null,
  type: 'number',
} as const;

const RELATED_FIELD = {
  id: 'f_0198c0de6a1e7f42a8b3c5d7e9f1020c',
  name: 'Related',
  handle: 'related',
  help_text: null,
  type: 'content_links',
} as const;

/** An object with a field of every type, as a fetch by id returns it. */
export const EXAMPLE_CONTENT: ContentBody = {
  ...buildPost(
    'c_0198f2c4a1b07c3e9d5e6f7081920a11',
    'tide-tables',
    'Reading a tide table',
    '2026-03-01T08:00:00+00:00',
  ),
  fields: {
    excerpt: { ...EXCERPT_FIELD, text: 'Two highs, two lows, and the hour you must not miss.' },
    minutes: { ...MINUTES_FIELD, number: 6 },
    featured: {
      id: 'f_0198c0de6a1e7f42a8b3c5d7e9f10206',
      name: 'Featured',
      handle: 'featured',
      help_text: null,
      type: 'boolean',
      is_on: true,
    },
    walk_date: {
      id: 'f_0198c0de6a1e7f42a8b3c5d7e9f10207',
      name: 'Date of the walk',
      handle: 'walk_date',
      help_text: null,
      type: 'date',
      date: '2026-03-21T06:30:00+00:00',
    },
    packing: {
      id: 'f_0198c0de6a1e7f42a8b3c5d7e9f10208',
      name: 'Packing list',
      handle: 'packing',
      help_text: null,
      type: 'list',
      list: [
        { sort: 1, text: 'Rubber boots' },
        { sort: 2, text: 'A watch' },
      ],
    },
    difficulty: {
      id: 'f_0198c0de6a1e7f42a8b3c5d7e9f10209',
      name: 'Difficulty',
      handle: 'difficulty',
      help_text: null,
      type: 'option',
      selected_option: { label: 'Easy', value: 'easy' },
    },
    photos: {
      id: 'f_0198c0de6a1e7f42a8b3c5d7e9f1020a',
      name: 'Photos',
      handle: 'photos',
      help_text: null,
      type: 'assets',
      assets: [
        {
          sort: 1,
          asset: {
            id: 'a_0198f2c47d3e7b90a2c4e6f80a1b2c31',
            name: 'Low water',
            description: 'The marsh at low water, seen from the dyke.',
            path: 'assets/a_0198f2c47d3e7b90a2c4e6f80a1b2c31/low-water.jpg',
            url: `${SITE_URL}/assets/a_0198f2c47d3e7b90a2c4e6f80a1b2c31/low-water.jpg`,
            extension: 'jpg',
            size: 184_320,
            mime_type: 'image/jpeg',
            is_image: true,
            width: 1600,
            height: 900,
            focal_point: { x: 62, y: 40 },
            placeholder: 'HAgOFYJ4d3+AiHh3h3eIeIiAiPd4gHcI',
          },
        },
      ],
    },
    body: {
      id: 'f_0198c0de6a1e7f42a8b3c5d7e9f1020b',
      name: 'Body',
      handle: 'body',
      help_text: null,
      type: 'blocks',
      blocks: [
        {
          name: 'Opening',
          sort: 1,
          content_type: QUOTE_TYPE,
          fields: {
            words: {
              id: 'f_0198c0de6a1e7f42a8b3c5d7e9f1020d',
              name: 'Words',
              handle: 'words',
              help_text: null,
              type: 'text',
              text: 'The sea keeps better time than we do.',
            },
          },
        },
      ],
    },
    related: {
      ...RELATED_FIELD,
      content_links: [
        {
          sort: 1,
          content_link: {
            id: 'c_0198f2c4a1b07c3e9d5e6f7081920a12',
            published_at: '2026-02-14T09:15:00+00:00',
            name: 'Birds of the outer bank',
            slug: 'outer-bank-birds',
            uri: 'blog/outer-bank-birds',
            url: `${SITE_URL}/blog/outer-bank-birds`,
            fields: {
              excerpt: { ...EXCERPT_FIELD, text: 'Who winters here, and where to stand.' },
              related: { ...RELATED_FIELD, content_links: ['c_0198f2c4a1b07c3e9d5e6f7081920a11'] },
            },
          },
        },
      ],
    },
  },
};

/** Two short objects, as in a list. */
export const EXAMPLE_LIST: readonly ContentBody[] = [
  {
    ...buildPost(
      'c_0198f2c4a1b07c3e9d5e6f7081920a13',
      'spring-floods',
      'When the spring floods come',
      '2026-03-04T07:30:00+00:00',
    ),
    fields: buildShortFields('Three mornings a year the path is gone.', 4),
  },
  {
    ...buildPost(
      'c_0198f2c4a1b07c3e9d5e6f7081920a12',
      'outer-bank-birds',
      'Birds of the outer bank',
      '2026-02-14T09:15:00+00:00',
    ),
    fields: buildShortFields('Who winters here, and where to stand.', null),
  },
];

function buildPost(
  id: string,
  slug: string,
  name: string,
  publishedAt: string,
): Omit<ContentBody, 'fields'> & { fields: FieldsBody } {
  const uri = `blog/${slug}`;
  const url = `${SITE_URL}/${uri}`;
  return {
    id,
    published_at: publishedAt,
    slug,
    name,
    uri,
    url,
    language: 'en',
    author: AUTHOR,
    content_type: POST_TYPE,
    seo: buildSeo(name, url),
    fields: {},
    created_at: '2026-02-10T16:40:12+00:00',
    updated_at: publishedAt,
  };
}

function buildSeo(title: string, url: string): SeoBody {
  return {
    title,
    description: null,
    robots: null,
    canonical_url: null,
    open_graph: {
      title: null,
      description: null,
      image_secure_url: null,
      image_width: null,
      image_height: null,
      image_alt: null,
      url,
    },
  };
}

function buildShortFields(excerpt: string, minutes: number | null): FieldsBody {
  return {
    excerpt: { ...EXCERPT_FIELD, text: excerpt },
    minutes: { ...MINUTES_FIELD, number: minutes },
  };
}
