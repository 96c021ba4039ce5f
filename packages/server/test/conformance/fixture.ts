// The content for the conformance tests: a site with content of every type and status, and a second site.

import { at, author, content, contentType, type FieldParts, PLAIN, PRESS, site } from './records.ts';

/** One field of each type. */
export const ARTICLE_FIELDS: readonly FieldParts[] = [
  { id: 'f_headline', handle: 'headline', name: 'Headline', type: 'text', help_text: 'One line.' },
  { id: 'f_rank', handle: 'rank', name: 'Rank', type: 'number' },
  { id: 'f_featured', handle: 'featured', name: 'Featured', type: 'boolean' },
  { id: 'f_starts', handle: 'starts', name: 'Starts', type: 'date' },
  { id: 'f_tags', handle: 'tags', name: 'Tags', type: 'list' },
  {
    id: 'f_mood',
    handle: 'mood',
    name: 'Mood',
    type: 'option',
    options: [
      { label: 'Calm', value: 'calm' },
      { label: 'Wild', value: 'wild' },
    ],
  },
  { id: 'f_gallery', handle: 'gallery', name: 'Gallery', type: 'assets' },
  { id: 'f_body', handle: 'body', name: 'Body', type: 'blocks' },
  { id: 'f_related', handle: 'related', name: 'Related', type: 'content_links' },
];

export function article(fields: readonly FieldParts[]): object {
  const parts = { name: 'Article', object_type: 'page', uri_pattern: '{language}/articles/{slug}' };
  return contentType(PRESS, 'article', fields, parts);
}

const NOTE = contentType(
  PRESS,
  'note',
  [
    { id: 'f_note_headline', handle: 'headline', name: 'Line', type: 'text' },
    { id: 'f_note_rank', handle: 'rank', name: 'Place', type: 'number' },
    { id: 'f_note_mentions', handle: 'mentions', name: 'Mentions', type: 'content_links' },
  ],
  { name: 'Note', uri_pattern: 'notes/{slug}' },
);

/** A type with none of the fields that articles and notes share. */
const PERSON = contentType(PRESS, 'person', [{ id: 'f_born', handle: 'born', name: 'Born', type: 'date' }], {
  name: 'Person',
  uri_pattern: 'people/{slug}',
});

const SECTION = contentType(
  PRESS,
  'section',
  [
    { id: 'f_title', handle: 'title', name: 'Title', type: 'text' },
    { id: 'f_pictures', handle: 'pictures', name: 'Pictures', type: 'assets' },
    { id: 'f_parts', handle: 'parts', name: 'Parts', type: 'blocks' },
    { id: 'f_see_also', handle: 'see_also', name: 'See also', type: 'content_links' },
  ],
  { name: 'Section', object_type: 'block' },
);

export const COVER = {
  id: 'a_cover',
  name: 'Cover',
  description: 'A harbour at dawn',
  path: 'assets/a_cover/cover.jpg',
  url: 'https://cdn.example/cover.jpg',
  extension: 'jpg',
  size: 12_345,
  mime_type: 'image/jpeg',
  width: 800,
  height: 600,
};

export const PAPER = {
  id: 'a_paper',
  name: 'Paper',
  description: null,
  path: 'assets/a_paper/paper.pdf',
  url: '/assets/paper.pdf',
  extension: 'pdf',
  size: 99,
  mime_type: 'application/pdf',
  width: null,
  height: null,
};

export const FULL_SEO = {
  title: 'A title for engines',
  description: 'What it is about',
  robots: 'noindex',
  canonical_url: 'https://elsewhere.example/full',
  open_graph: {
    title: 'A title for friends',
    description: 'Look at this',
    image_secure_url: 'https://cdn.example/og.jpg',
    image_width: 1200,
    image_height: 630,
    image_alt: 'A harbour',
    url: 'https://press.example/og',
  },
};

/** An article with a value in every field and every SEO property. */
const FULL = content({
  id: 'c_full',
  content_type: 'article',
  author: 'u_ada',
  name: 'Full “quoted” \\ story',
  published_at: at(20),
  created_at: at(3),
  updated_at: '2024-01-21T15:30:45+02:00',
  seo: FULL_SEO,
  fields: {
    headline: { text: 'Full\nstory' },
    rank: { number: 7 },
    featured: { is_on: true },
    starts: { date: '2024-02-29T23:59:59-01:00' },
    tags: { list: ['sea', 'sky'] },
    mood: { selected_option: 'wild' },
    gallery: { assets: ['a_paper', 'a_cover'] },
    body: {
      blocks: [
        {
          content_type: 'section',
          name: 'Opening',
          fields: {
            title: { text: 'Level 1' },
            pictures: { assets: ['a_cover'] },
            see_also: { content_links: ['c_draft', 'c_bare'] },
            parts: { blocks: [nestedSection(2)] },
          },
        },
        { content_type: 'section', fields: {} },
      ],
    },
    related: { content_links: ['c_draft', 'c_linked', 'c_gone', 'c_bare', 'c_archived'] },
  },
});

function nestedSection(level: number): object {
  const parts = level === 4 ? {} : { parts: { blocks: [nestedSection(level + 1)] } };
  const seeAlso = level === 4 ? { see_also: { content_links: ['c_bare', 'c_gone'] } } : {};
  return { content_type: 'section', fields: { title: { text: `Level ${level}` }, ...seeAlso, ...parts } };
}

const ARTICLES = [
  FULL,
  content({ id: 'c_bare', content_type: 'article', name: 'Bare', published_at: at(19), updated_at: at(5) }),
  content({
    id: 'c_linked',
    content_type: 'article',
    author: 'u_bo',
    name: 'Linked',
    published_at: at(18),
    fields: {
      headline: { text: 'Linked story' },
      rank: { number: -2 },
      mood: { selected_option: 'calm' },
      gallery: { assets: ['a_cover'] },
      body: {
        blocks: [
          {
            content_type: 'section',
            name: 'Inside',
            fields: {
              title: { text: 'Inside linked content' },
              pictures: { assets: ['a_paper'] },
              see_also: { content_links: ['c_gone', 'c_full'] },
            },
          },
        ],
      },
      related: { content_links: ['c_draft', 'c_full', 'c_archived', 'c_bare', 'c_pending'] },
    },
  }),
  content({
    id: 'c_pending',
    content_type: 'article',
    author: 'u_ada',
    name: 'Pending',
    published_at: at(17),
    fields: { headline: { text: 'As published' }, rank: { number: 7 }, related: { content_links: ['c_bare'] } },
    draft: {
      name: 'Pending, changed',
      fields: { headline: { text: 'As changed' }, related: { content_links: ['c_draft', 'c_bare'] } },
    },
  }),
];

/** Content that public readers must never see. Previews show some of it. */
const HIDDEN = [
  content({
    id: 'c_draft',
    content_type: 'article',
    status: 'draft',
    name: 'Draft',
    fields: { headline: { text: 'Not yet' }, rank: { number: 7 } },
  }),
  content({ id: 'c_gone', content_type: 'article', status: 'unpublished', name: 'Gone' }),
  content({ id: 'c_archived', content_type: 'article', status: 'archived', name: 'Archived' }),
];

const NOTES = [
  content({
    id: 'c_note_sea',
    author: 'u_bo',
    slug: 'sea',
    name: 'Sea',
    published_at: at(12),
    fields: {
      headline: { text: 'Linked story' },
      rank: { number: 7 },
      mentions: { content_links: ['c_linked', 'c_bare', 'c_draft'] },
    },
  }),
  content({
    id: 'c_note_sky',
    author: 'u_ada',
    slug: 'sky',
    name: 'Sky',
    published_at: at(11),
    fields: { headline: { text: 'linked story' }, rank: { number: 2.5 }, mentions: { content_links: ['c_linked'] } },
  }),
];

const PEOPLE = [
  // The same slug as a note: slugs are unique only within a content type.
  content({ id: 'c_person_sky', content_type: 'person', slug: 'sky', name: 'Sky Person', published_at: at(10) }),
];

const TRANSLATIONS = [
  content({
    id: 'c_full_fr',
    content_type: 'article',
    language: 'fr',
    translation_of: 'c_full',
    slug: 'complet',
    name: 'Complet',
    published_at: at(15),
  }),
  content({
    id: 'c_bare_fr',
    content_type: 'article',
    language: 'fr',
    translation_of: 'c_bare',
    slug: 'nu',
    name: 'Nu',
    status: 'draft',
  }),
  content({ id: 'c_only_de', language: 'de', slug: 'nur', name: 'Nur Deutsch', published_at: at(14) }),
  content({ id: 'c_only_fr', language: 'fr', slug: 'sea', name: 'Mer', published_at: at(13) }),
];

const PLAIN_SITE = [
  site(PLAIN),
  contentType(PLAIN, 'page', [{ handle: 'summary', type: 'text' }], { id: 't_page', object_type: 'page' }),
  content({ id: 'c_plain', site: PLAIN, content_type: 'page', name: 'Plain', published_at: at(2) }),
  content({ id: 'c_plain_too', site: PLAIN, content_type: 'page', name: 'Plain too', published_at: at(1) }),
];

/** Published content in the default language, most recently published first: the result of a list request without parameters. */
export const LISTED = [
  'c_full',
  'c_bare',
  'c_linked',
  'c_pending',
  'c_note_sea',
  'c_note_sky',
  'c_person_sky',
] as const;

export const RECORDS: readonly object[] = [
  site(PRESS, { name: 'The Press', languages: ['en', 'fr', 'de'], url: 'https://press.example/' }),
  author('u_ada', 'Ada', { email: 'ada@press.example', profile_photo_url: 'https://cdn.example/ada.jpg' }),
  author('u_bo', 'Bo'),
  article(ARTICLE_FIELDS),
  NOTE,
  PERSON,
  SECTION,
  { kind: 'asset', site: PRESS, ...COVER },
  { kind: 'asset', site: PRESS, ...PAPER },
  ...ARTICLES,
  ...HIDDEN,
  ...NOTES,
  ...PEOPLE,
  ...TRANSLATIONS,
  ...PLAIN_SITE,
];
