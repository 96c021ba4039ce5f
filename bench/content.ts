// The content used in most measurements: a site with N articles, each about 2 KB of JSON, with the same text in every run. It
// includes the difficult cases for lists: equal priorities, and articles without a priority.

import { closeSync, openSync, writeSync } from 'node:fs';

export const SITE_ID = 's_bench';

const AUTHORS = 20;
const NAME_LENGTH = 40;
const SUMMARY_LENGTH = 240;
const BODY_LENGTH = 440;
const PRIORITIES = 1000;
/** Every tenth article has no priority, so a list sorted by priority ends with articles that have no value. */
const LACKS_PRIORITY_EVERY = 10;
const FIRST_PUBLISHED = Date.UTC(2020, 0, 1);
const MINUTES_BETWEEN = 17;
const RECORDS_A_WRITE = 1000;

const WORDS = (
  'paper press type ink plate proof galley margin column folio gutter leaf spine quire ream deckle serif stem bowl ' +
  'river harbour mill valley winter summer garden bridge market lantern window kitchen station morning evening letter ' +
  'slow quiet bright narrow wide early late old young small careful patient honest plain useful warm cold deep long ' +
  'reads writes prints folds binds carries keeps finds turns opens follows answers builds mends gathers measures ' +
  'of the and to in with from over under between after before without against through across behind beside'
).split(' ');

export interface ArticleIdentity {
  readonly id: string;
  readonly publishedAt: number;
}

/** IDs are ordered by time, like those the service generates. */
export function identifyArticle(index: number): ArticleIdentity {
  const publishedAt = FIRST_PUBLISHED + index * MINUTES_BETWEEN * 60_000;
  const random = createRandom(index + 1);
  const tail = Array.from({ length: 4 }, () =>
    Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0'),
  ).join('');
  return { id: `c_${publishedAt.toString(16).padStart(12, '0')}7000${tail}`, publishedAt };
}

/** A record in bundle format. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', '+00:00');
}

/** Writes a bundle with `count` articles. */
export function writeBundle(path: string, count: number): void {
  writeRecords(path, listCatalogRecords(), count, buildArticle);
}

/**
 * Writes a bundle that gives the first articles new names.
 * @param mark six characters at the end of each new name
 */
export function writeRenamed(path: string, count: number, mark: string): void {
  writeRecords(path, [], count, (index) => {
    const article = buildArticle(index);
    return { ...article, name: `${article.name.slice(0, -mark.length)}${mark}` };
  });
}

/** Writes the same articles for other systems, one line of JSON each, without the properties that only bundles have. */
export function writeArticles(path: string, count: number): void {
  writeRecords(path, [], count, (index) => {
    const { name, slug, published_at, fields } = buildArticle(index);
    const { summary, body, priority } = fields;
    return { name, slug, published_at, summary: summary.text, body: body.text, priority: priority?.number ?? null };
  });
}

export function writeRecords(
  path: string,
  first: readonly object[],
  count: number,
  buildRecord: (index: number) => object,
): void {
  const file = openSync(path, 'w');
  try {
    let lines = first.map(toLine);
    for (let index = 0; index < count; index++) {
      lines.push(toLine(buildRecord(index)));
      if (lines.length >= RECORDS_A_WRITE) {
        writeSync(file, lines.join(''));
        lines = [];
      }
    }
    writeSync(file, lines.join(''));
  } finally {
    closeSync(file);
  }
}

function toLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

function listCatalogRecords(): readonly object[] {
  const site = SITE_ID;
  return [
    { kind: 'site', id: site, name: 'Bench', default_language: 'en', url: 'https://bench.example' },
    {
      kind: 'content_type',
      id: 't_article',
      site,
      handle: 'article',
      name: 'Article',
      object_type: 'page',
      uri_pattern: 'articles/{slug}',
      fields: [
        { handle: 'summary', name: 'Summary', type: 'text' },
        { handle: 'body', name: 'Body', type: 'text' },
        { handle: 'priority', name: 'Priority', type: 'number' },
      ],
    },
    ...Array.from({ length: AUTHORS }, (_, index) => ({
      kind: 'author',
      id: `u_${index}`,
      site,
      name: `Author ${index}`,
      email: `author-${index}@bench.example`,
    })),
  ];
}

interface Article {
  readonly name: string;
  readonly slug: string;
  readonly published_at: string;
  readonly fields: {
    readonly summary: { readonly text: string };
    readonly body: { readonly text: string };
    readonly priority?: { readonly number: number };
  };
}

function buildArticle(index: number): Article {
  const { id, publishedAt } = identifyArticle(index);
  const random = createRandom(index + 0x1000_0000);
  const name = buildText(random, NAME_LENGTH);
  const time = formatTime(publishedAt);
  const priority = Math.floor(random() * PRIORITIES);
  const article = {
    kind: 'content',
    id,
    site: SITE_ID,
    content_type: 'article',
    author: `u_${Math.floor(random() * AUTHORS)}`,
    language: 'en',
    slug: `${name.toLowerCase().replaceAll(' ', '-')}-${index}`,
    name,
    status: 'published',
    published_at: time,
    created_at: time,
    updated_at: time,
    fields: {
      summary: { text: buildText(random, SUMMARY_LENGTH) },
      body: { text: buildText(random, BODY_LENGTH) },
      ...(index % LACKS_PRIORITY_EVERY === 0 ? {} : { priority: { number: priority } }),
    },
  };
  return article;
}

/** Words that add up to exactly this many characters. */
export function buildText(random: () => number, length: number): string {
  let text = '';
  while (text.length < length) {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    text += text === '' ? word.charAt(0).toUpperCase() + word.slice(1) : ` ${word}`;
  }
  const cut = text.slice(0, length);
  return cut.endsWith(' ') ? `${cut.slice(0, -1)}s` : cut;
}

/** Numbers from 0 to 1, always the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
