// The content used to measure filters. Each object has a value for each kind of filter, and the value can be rare, occasional or common. No
// value depends on a sort key, except in the two deliberately hard cases. Newer versions, drafts and translations have their own names,
// but do not change how rare a value is. The content is the same in every run.

import { buildText, createRandom, formatTime, identifyArticle, SITE_ID, writeRecords } from './content.ts';

/** The share of objects that a filter matches: 1 in 50,000, 1 in 1,000, 1 in 4 (booleans: 1 in 2), or none. */
export const RARITIES = ['rare', 'occasional', 'common', 'none'] as const;

export type Rarity = (typeof RARITIES)[number];

const RARE_EVERY = 50_000;
const OCCASIONAL_EVERY = 1000;
const COMMON_EVERY = 4;
/** The number of different values among objects whose value is not rare, occasional or common. */
const OTHER_VALUES = 20;
const NAME_LENGTH = 24;
const SUMMARY_LENGTH = 60;
const PRIORITIES = 1000;
const LOWEST_PRIORITIES = 100;
const LACKS_PRIORITY_EVERY = 10;
/** The categories are this many objects apart, so that no page contains only categories. */
const OBJECTS_A_CATEGORY = 40;

/** Each value has its own salt, so that the kinds of filters are independent of each other. */
const SALTS = {
  author: 1,
  type: 2,
  topic: 3,
  pages: 4,
  format: 5,
  category: 6,
  on: 7,
  off: 8,
  half: 9,
  mark: 10,
  version: 11,
  translation: 12,
} as const;

/** The language of the translations; all other objects are in the default language. */
export const TRANSLATED = 'fr';
/** One published object in this many has a newer version that is not published. */
const VERSION_EVERY = 20;
/** There is one draft for each group of this many published objects. */
const DRAFT_EVERY = 20;
const TRANSLATION_EVERY = 10;

const VALUES = [...RARITIES, ...Array.from({ length: OTHER_VALUES }, (_, index) => `other-${index}`)] as const;
export const NUMBERS = { rare: 1, occasional: 2, common: 3, none: 4 } as const;
export const TYPES = {
  rare: 'notice',
  occasional: 'report',
  common: 'essay',
  none: 'leaflet',
  other: 'article',
} as const;
/** Writes a bundle with `count` published objects in the default language, including the categories; drafts and translations are extra. */
export function writeFilteredBundle(path: string, count: number): void {
  const categories = RARITIES.map(buildCategory);
  const published = count - categories.length;
  const written = published + Math.floor(published / DRAFT_EVERY);
  const translations = Math.floor(published / TRANSLATION_EVERY);
  writeRecords(path, [...listCatalogRecords(), ...categories], written + translations, (index) => {
    if (index >= written) return buildTranslation(index - written);
    return index < published ? buildPublished(index) : { ...buildArticle(index), status: 'draft' };
  });
}

function listCatalogRecords(): readonly object[] {
  const site = SITE_ID;
  return [
    {
      kind: 'site',
      id: site,
      name: 'Bench',
      default_language: 'en',
      languages: ['en', TRANSLATED],
      url: 'https://a.example',
    },
    ...VALUES.map((value) => ({ kind: 'author', id: `u_${value}`, site, name: `Author ${value}` })),
    buildType('category', []),
    ...Object.values(TYPES).map((handle) =>
      buildType(
        handle,
        handle === TYPES.none ? [...ARTICLE_FIELDS, { handle: 'never_on', type: 'boolean' }] : ARTICLE_FIELDS,
      ),
    ),
  ];
}

const SWITCHES = ['half', 'rarely_on', 'sometimes_on', 'rarely_off', 'sometimes_off', 'never_off'] as const;

const ARTICLE_FIELDS = [
  { handle: 'summary', type: 'text' },
  { handle: 'priority', type: 'number' },
  { handle: 'topic', type: 'text' },
  { handle: 'mark', type: 'text' },
  { handle: 'pages', type: 'number' },
  { handle: 'format', type: 'option', options: VALUES.map((value) => ({ label: value, value })) },
  { handle: 'category', type: 'content_links', allowed_types: ['category'] },
  ...SWITCHES.map((handle) => ({ handle, type: 'boolean' })),
] as const;

function buildType(handle: string, fields: readonly { readonly handle: string; readonly type: string }[]): object {
  return {
    kind: 'content_type',
    id: `t_${handle}`,
    site: SITE_ID,
    handle,
    name: handle,
    object_type: 'page',
    fields: fields.map((field, index) => ({ id: `f_${handle.at(0)}${index}`, ...field })),
  };
}

export function findCategory(rarity: Rarity): { readonly id: string; readonly publishedAt: number } {
  const { id, publishedAt } = identifyArticle((RARITIES.indexOf(rarity) + 0.5) * OBJECTS_A_CATEGORY);
  // A category is published one minute later than the article it replaces. Its ID is derived from that time, like all IDs.
  const time = publishedAt + 60_000;
  return { id: `c_${time.toString(16).padStart(12, '0')}${id.slice(14)}`, publishedAt: time };
}

function buildCategory(rarity: Rarity): object {
  const { id, publishedAt } = findCategory(rarity);
  return {
    ...buildFrame(id, publishedAt),
    content_type: 'category',
    slug: rarity,
    name: `Category ${rarity}`,
    fields: {},
  };
}

function buildPublished(index: number): object {
  const article = buildArticle(index);
  return isChosen(index, SALTS.version, VERSION_EVERY)
    ? { ...article, draft: { name: buildName(index, SALTS.version) } }
    : article;
}

/** The translation of one article in each group of `TRANSLATION_EVERY`, with a different name and the same values. */
function buildTranslation(group: number): object {
  const index = findChosen(group, SALTS.translation, TRANSLATION_EVERY);
  const article = buildArticle(index);
  const name = buildName(index, SALTS.translation);
  return { ...article, id: `${article.id}_${TRANSLATED}`, language: TRANSLATED, translation_of: article.id, name };
}

function buildArticle(index: number) {
  const { id, publishedAt } = identifyArticle(index);
  const random = createRandom(index + 0x2000_0000);
  const summary = buildText(random, SUMMARY_LENGTH);
  const priority = Math.floor(random() * PRIORITIES);
  const hasPriority = index % LACKS_PRIORITY_EVERY !== 0;
  const half = draw(index, SALTS.half) < 0.5;
  const [on, off] = [findRarity(index, SALTS.on), findRarity(index, SALTS.off)];
  const switches = {
    half,
    rarely_on: on === 'rare',
    sometimes_on: on === 'occasional',
    rarely_off: off !== 'rare',
    sometimes_off: off !== 'occasional',
    never_off: true,
  };
  const type = findRarity(index, SALTS.type);
  const pages = findRarity(index, SALTS.pages);
  const category = findRarity(index, SALTS.category);
  return {
    ...buildFrame(id, publishedAt),
    content_type: TYPES[type ?? 'other'],
    author: `u_${chooseValue(index, SALTS.author)}`,
    slug: buildSlug(index),
    name: buildName(index),
    fields: {
      summary: { text: summary },
      ...(hasPriority ? { priority: { number: priority } } : {}),
      topic: { text: chooseValue(index, SALTS.topic) },
      mark: { text: chooseMark(index, hasPriority && priority < LOWEST_PRIORITIES, half) },
      pages: { number: pages === undefined ? 100 + chooseOther(index, SALTS.pages) : NUMBERS[pages] },
      format: { selected_option: chooseValue(index, SALTS.format) },
      ...(category === undefined ? {} : { category: { content_links: [findCategory(category).id] } }),
      ...Object.fromEntries(
        Object.entries(switches).flatMap(([handle, isOn]) => (isOn ? [[handle, { is_on: true }]] : [])),
      ),
    },
  };
}

/** Creates the hard cases: `lowest` depends on the priority, and `apart` never occurs together with `half`. */
function chooseMark(index: number, isLowest: boolean, half: boolean): string {
  if (isLowest) return 'lowest';
  return half || draw(index, SALTS.mark) < 0.5 ? 'plain' : 'apart';
}

function buildFrame(id: string, publishedAt: number) {
  const time = formatTime(publishedAt);
  return {
    kind: 'content',
    id,
    site: SITE_ID,
    language: 'en',
    status: 'published',
    published_at: time,
    created_at: time,
    updated_at: time,
  } as const;
}

/** @param salt gives a newer version or a translation a name of its own */
function buildName(index: number, salt = 0): string {
  return buildText(createRandom(index + 0x3000_0000 + salt * 0x0800_0000), NAME_LENGTH);
}

export function buildSlug(index: number): string {
  return `${buildName(index).toLowerCase().replaceAll(' ', '-')}-${index}`;
}

function chooseValue(index: number, salt: number): string {
  return findRarity(index, salt) ?? `other-${chooseOther(index, salt)}`;
}

function chooseOther(index: number, salt: number): number {
  return Math.floor(draw(index, salt + 0x100) * OTHER_VALUES);
}

/** Exactly one object in every 50,000 is rare, and one in every 1,000 occasional, at a position determined by the salt. */
function findRarity(index: number, salt: number): 'rare' | 'occasional' | 'common' | undefined {
  if (isChosen(index, salt, RARE_EVERY)) return 'rare';
  if (isChosen(index, salt, OCCASIONAL_EVERY)) return 'occasional';
  return draw(index, salt) < 1 / COMMON_EVERY ? 'common' : undefined;
}

function isChosen(index: number, salt: number, every: number): boolean {
  return index === findChosen(Math.floor(index / every), salt, every);
}

/** The index of the one object that is chosen from a block of `every` objects. */
function findChosen(block: number, salt: number, every: number): number {
  return block * every + Math.floor(draw(block, salt + every) * every);
}

/** A number from 0 to 1, always the same for the same index and salt. */
function draw(index: number, salt: number): number {
  return createRandom(Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(salt, 0x85eb_ca6b))();
}
