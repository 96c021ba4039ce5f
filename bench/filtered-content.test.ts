import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { FILTER_KINDS, FILTER_PAIRS } from './filter-kinds.ts';
import { writeFilteredBundle } from './filtered-content.ts';

interface Article {
  readonly kind: string;
  readonly id: string;
  readonly language: string;
  readonly status: string;
  readonly name: string;
  readonly translation_of?: string;
  readonly draft?: { readonly name: string };
  readonly slug: string;
  readonly author: string;
  readonly content_type: string;
  readonly fields: {
    readonly topic: { readonly text: string };
    readonly mark: { readonly text: string };
    readonly priority?: { readonly number: number };
    readonly pages: { readonly number: number };
    readonly format: { readonly selected_option: string };
    readonly category?: { readonly content_links: readonly string[] };
  } & Readonly<Record<string, { readonly is_on?: boolean } | undefined>>;
}

/** Enough objects for one rare object of each kind, plus the four categories. */
const SIZE = 50_004;
let contents: readonly Article[];
/** The published articles in the default language. */
let articles: readonly Article[];

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const path = join(folder, 'bundle.ndjson');
    writeFilteredBundle(path, SIZE);
    const records = readFileSync(path, 'utf8').trimEnd().split('\n').map(parseArticle);
    contents = records.filter(({ kind }) => kind === 'content');
    articles = contents.filter(({ content_type, language, status }) => {
      return content_type !== 'category' && language === 'en' && status === 'published';
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The benchmark wrote the line itself, so it needs no validation. */
function parseArticle(line: string): Article {
  return JSON.parse(line) as Article;
}

/** Reads a filter's parameter. The returned function evaluates it on an article. */
function buildFilter(parameter: string): (article: Article) => boolean {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(parameter) ?? [];
  const [, accessor, handle = '', by] = /^fields\[(\w+)\]\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
  if (name === 'author' || name === 'slug' || name === 'content_type') return (article) => article[name] === value;
  if (accessor === 'text') return ({ fields }) => fields.topic.text === value;
  if (accessor === 'number') return ({ fields }) => fields.pages.number === Number(value);
  if (accessor === 'selected_option') return ({ fields }) => fields.format.selected_option === value;
  if (accessor === 'is_on') return ({ fields }) => (fields[handle]?.is_on === true) === (value === 'true');
  return ({ fields }) => by === 'id' && fields.category?.content_links[0] === value;
}

const found = new Map<string, readonly boolean[]>();

/** Returns, for each article, whether it matches the filter. */
function find(parameter: string): readonly boolean[] {
  const known = found.get(parameter) ?? articles.map(buildFilter(parameter));
  found.set(parameter, known);
  return known;
}

function count(first: string, second = first): number {
  const others = find(second);
  return find(first).filter((isFound, index) => isFound && others[index]).length;
}

test('generates the requested number of published objects, and adds drafts and translations', () => {
  const drafts = contents.filter(({ status }) => status === 'draft');
  const translations = contents.filter(({ language }) => language === 'fr');
  expect(articles.length).toBe(SIZE - 4);
  expect([drafts.length, translations.length]).toEqual([2500, 5000]);
  expect(contents.length).toBe(SIZE + drafts.length + translations.length);
  expect(new Set(contents.map(({ id }) => id)).size).toBe(contents.length);
});

test('gives some objects a newer version, or a translation with the same values', () => {
  const newer = articles.filter(({ draft }) => draft !== undefined);
  expect(newer.length).toBe(2500);
  expect(newer.every(({ name, draft }) => draft?.name !== name)).toBe(true);
  const originals = new Map(articles.map((article) => [article.id, article]));
  for (const { translation_of = '', name, fields, author } of contents.filter(({ language }) => language === 'fr')) {
    const original = originals.get(translation_of);
    expect(JSON.stringify([fields, author])).toBe(JSON.stringify([original?.fields, original?.author]));
    expect(name).not.toBe(original?.name);
  }
});

// A link by slug matches the same objects as a link by ID.
test.each(FILTER_KINDS.filter(({ name }) => name !== 'link by slug'))(
  'generates the expected number of objects with rare, fairly common and very common values: $name',
  ({ name, queries }) => {
    const { rare, occasional, common, none } = queries;
    if (rare) expect(count(rare)).toBe(1);
    if (none) expect(count(none)).toBe(0);
    // One object in every thousand, or one fewer if one of those objects has the rare value.
    if (occasional) expect(count(occasional)).toSatisfy((found: number) => found === 50 || found === 49);
    if (common) expect(count(common) / SIZE).toBeCloseTo(name.startsWith('switch') ? 0.5 : 0.25, 1);
  },
);

test('pairs a common value of one filter with every value of another', () => {
  expect(FILTER_PAIRS.map(({ name, queries }) => [name, queries.occasional])).toEqual([
    ['content type and author', 'content_type=essay&author=u_occasional'],
    ['author and link by id', expect.stringMatching(/^author=u_common&fields\[content_links\]\[category\]\[id\]=c_/)],
    ['link by id and option', expect.stringMatching(/=c_\w+&fields\[selected_option\]\[format\]=occasional$/)],
  ]);
});

test('generates independent values for different filters', () => {
  const commons = FILTER_KINDS.flatMap(({ name, queries }) => (name === 'link by slug' ? [] : (queries.common ?? [])));
  for (const [index, one] of commons.entries()) {
    for (const other of commons.slice(index + 1)) {
      // These two filters match the two values of one boolean field.
      if (one.includes('[half]') && other.includes('[half]')) continue;
      expect(count(one, other) / SIZE).toBeCloseTo((count(one) / SIZE) * (count(other) / SIZE), 1);
    }
  }
});

test('generates two hard cases: matches only at the end of the sort order, and two common filters that never match the same object', () => {
  const lowest = articles.filter(({ fields }) => fields.mark.text === 'lowest');
  expect(lowest.length / SIZE).toBeCloseTo(0.09, 2);
  expect(lowest.every(({ fields }) => (fields.priority?.number ?? Number.NaN) < 100)).toBe(true);
  const apart = articles.filter(({ fields }) => fields.mark.text === 'apart');
  expect(apart.length / SIZE).toBeCloseTo(0.23, 1);
  expect(apart.some(({ fields }) => fields.half?.is_on)).toBe(false);
});
