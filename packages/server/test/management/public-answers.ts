// A small site with public and non-public records of every kind, and requests for everything that is public. Nothing is cached,
// so every response is rendered from the database.

import { sql } from 'kysely';
import { defineStatement, query } from '../../src/storage/statement.ts';
import type { Engine } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';

export const SITE = 's_shown';

/** All content has one of these ids, so tests can request content even before it is created. */
export const CONTENT_IDS = ['c_1', 'c_2', 'c_de', 'c_old', 'c_draft', 'c_plain', 'c_new', 'c_newer'] as const;

type Headers = Readonly<Record<string, string>>;

interface Request {
  readonly path: string;
  readonly headers: Headers;
}

interface PublicAnswer {
  /** The body as it was received, or the status if it is not 200. */
  readonly body: string;
  readonly etag: string | null;
}

/** Numbers that change with the site. Other processes compare them to detect changes. */
export interface SiteNumbers {
  readonly generation: number;
  readonly preview_generation: number;
  readonly catalog: number;
}

/** All public responses at one point in time, by request. */
export interface PublicAnswers {
  readonly numbers: SiteNumbers;
  readonly answers: ReadonlyMap<string, PublicAnswer>;
}

const AT_ONCE = 4;

const QUERIES = [
  '',
  ...['published_at', 'created_at:desc', 'updated_at', 'name', 'name:desc', 'slug', 'uri:desc'].map(bySort),
  ...['title.text', 'rank.number:desc', 'more.text', 'words.text', 'secret.text'].map(bySort),
  ...['article', 'plain', 'quote'].map((handle) => `content_type=${handle}`),
  ...['u_shown', 'u_draft', 'u_free'].map((id) => `author=${id}`),
  'slug=one',
  'fields[text][title]=One',
  'fields[number][rank]=1',
  'fields[is_on][is_pinned]=false',
  'fields[selected_option][mood]=calm',
  'fields[content_links][related][id]=c_2',
  'content_type[]=article&author[]=u_shown&match=any&sort=rank.number',
];

const LANGUAGES: readonly Headers[] = [
  {},
  ...['de', 'fr', 'it'].map((language) => ({ 'x-service-language': language })),
];
const FALLBACK = 'fallback_default_language=true';
const SIMPLE = { 'x-service-simple-pagination': 'true' };
const PREVIEW = { 'x-service-preview': 'true' };

const REQUESTS: readonly Request[] = [
  ...QUERIES.map((text) => ({ path: `?limit=2&${text}`, headers: {} })),
  ...LANGUAGES.flatMap((headers) => [
    { path: `?${FALLBACK}`, headers },
    { path: `?limit=1&page=2&${FALLBACK}&sort=name`, headers: { ...headers, ...SIMPLE } },
    { path: '?limit=2', headers: { ...headers, ...SIMPLE } },
  ]),
  ...CONTENT_IDS.map((id) => ({ path: `/${id}`, headers: {} })),
  ...CONTENT_IDS.map((id) => ({ path: `/${id}?${FALLBACK}`, headers: { 'x-service-language': 'de' } })),
];

const PREVIEWS: readonly Request[] = [
  { path: '?sort=name', headers: PREVIEW },
  ...CONTENT_IDS.map((id) => ({ path: `/${id}`, headers: PREVIEW })),
];

function bySort(sort: string): string {
  return `sort=${sort}`;
}

const selectNumbers = defineStatement(
  () => sql`select generation, preview_generation, catalog from sites where id = 's_shown'`,
);

export class PublicSite {
  readonly manager: Manager;
  /** Response bodies by request and ETag. Two responses with the same ETag must be identical. */
  readonly #bodies = new Map<string, string>();

  private constructor(manager: Manager) {
    this.manager = manager;
  }

  static async open(now: () => number, engine: Engine): Promise<PublicSite> {
    const manager = await startManager({ GALLEY_CACHE_MB: '0' }, { now, engine });
    await manager.service.importRecords(RECORDS);
    return new PublicSite(manager);
  }

  /** Reads all public responses. Throws if the same ETag was sent with two different bodies, including in previews. */
  async read(): Promise<PublicAnswers> {
    const numbers = await this.readNumbers();
    const answers = new Map<string, PublicAnswer>();
    const requests = [...REQUESTS, ...PREVIEWS].values();
    const askAll = async (): Promise<void> => {
      for (const request of requests) answers.set(nameRequest(request), await this.#ask(request));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askAll));
    for (const request of PREVIEWS) answers.delete(nameRequest(request));
    return { numbers, answers };
  }

  async readNumbers(): Promise<SiteNumbers> {
    const [numbers] = await this.manager.service.storage.read(query<SiteNumbers>(selectNumbers));
    if (numbers === undefined) throw new Error(`The site ${SITE} does not exist`);
    return numbers;
  }

  async #ask(request: Request): Promise<PublicAnswer> {
    const { status, headers, text: received } = await this.manager.read(SITE, request.path, request.headers);
    // The service can be overloaded while the machine is running other tests. In that case, the request is sent again.
    if (status === 503) return this.#ask(request);
    const etag = headers.get('etag');
    const text = status === 200 ? received : `${status}`;
    if (etag === null) return { body: text, etag };
    const name = `${nameRequest(request)} ${etag}`;
    const known = this.#bodies.get(name) ?? text;
    if (known !== text) throw new Error(`Two different responses to ${name}:\n${known}\n${text}`);
    this.#bodies.set(name, text);
    return { body: text, etag };
  }

  close(): Promise<void> {
    return this.manager.close();
  }
}

function nameRequest({ path, headers }: Request): string {
  return `${path} ${JSON.stringify(headers)}`;
}

/** The requests that returned 200 before and return a different response now. */
export function listOther(before: PublicAnswers, after: PublicAnswers, part: 'body' | 'etag'): readonly string[] {
  return [...before.answers].flatMap(([name, answer]) =>
    answer.etag === null || answer[part] === after.answers.get(name)?.[part] ? [] : [name],
  );
}

const HEAD = { site: SITE, language: 'en', content_type: 'article', status: 'published' } as const;
const TIMES = { created_at: '2024-01-01T12:00:00+00:00', updated_at: '2024-01-01T12:00:00+00:00' } as const;
const PUBLISHED = { ...TIMES, published_at: '2024-01-01T12:00:00+00:00' } as const;

function asset(id: string): object {
  return { kind: 'asset', site: SITE, id, name: id, url: `https://files.example/${id}.jpg`, width: 4, height: 3 };
}

function author(id: string): object {
  return { kind: 'author', site: SITE, id, name: id };
}

export const FIELDS = {
  title: { handle: 'title', name: 'Title', type: 'text' },
  rank: { handle: 'rank', name: 'Rank', type: 'number' },
  is_pinned: { handle: 'is_pinned', name: 'Pinned', type: 'boolean' },
  mood: {
    handle: 'mood',
    name: 'Mood',
    type: 'option',
    options: ['calm', 'loud', 'odd'].map((value) => ({ label: value, value })),
  },
  more: { handle: 'more', name: 'More', type: 'text' },
} as const;

const RECORDS: readonly object[] = [
  {
    kind: 'site',
    id: SITE,
    name: 'Shown',
    default_language: 'en',
    languages: ['en', 'de', 'fr'],
    url: 'https://a.example',
  },
  { kind: 'site', id: 's_other', name: 'Other', default_language: 'en', languages: ['en'] },
  ...['u_shown', 'u_draft', 'u_free'].map(author),
  ...['a_shown', 'a_draft', 'a_free'].map(asset),
  { kind: 'asset', site: SITE, id: 'a_local', name: 'Local', url: '/local.jpg' },
  {
    kind: 'content_type',
    id: 't_article',
    site: SITE,
    handle: 'article',
    name: 'Article',
    uri_pattern: '{language}/{slug}',
    fields: [
      FIELDS.title,
      FIELDS.rank,
      FIELDS.is_pinned,
      FIELDS.mood,
      { handle: 'related', type: 'content_links' },
      { handle: 'photos', type: 'assets' },
      { handle: 'body', type: 'blocks' },
      { handle: 'secret', type: 'text', hidden: true },
    ],
  },
  {
    kind: 'content_type',
    id: 't_plain',
    site: SITE,
    handle: 'plain',
    name: 'Plain',
    object_type: 'entry',
    fields: [FIELDS.title, FIELDS.more],
  },
  {
    kind: 'content_type',
    id: 't_quote',
    site: SITE,
    handle: 'quote',
    name: 'Quote',
    object_type: 'block',
    fields: [{ handle: 'words', type: 'text' }],
  },
  {
    kind: 'content_type',
    id: 't_unused',
    site: SITE,
    handle: 'unused',
    name: 'Unused',
    object_type: 'entry',
    fields: [],
  },
  {
    kind: 'content',
    ...HEAD,
    ...PUBLISHED,
    id: 'c_1',
    slug: 'one',
    name: 'One',
    author: 'u_shown',
    fields: {
      title: { text: 'One' },
      rank: { number: 1 },
      mood: { selected_option: 'calm' },
      related: { content_links: ['c_2', 'c_draft'] },
      photos: { assets: ['a_shown'] },
      body: { blocks: [{ name: 'Quote', content_type: 'quote', fields: { words: { text: 'Words' } } }] },
    },
  },
  { kind: 'content', ...HEAD, ...PUBLISHED, id: 'c_2', slug: 'two', name: 'Two', fields: { secret: { text: 'x' } } },
  {
    kind: 'content',
    ...HEAD,
    ...PUBLISHED,
    id: 'c_de',
    slug: 'eins',
    name: 'Eins',
    language: 'de',
    translation_of: 'c_1',
  },
  { kind: 'content', ...HEAD, ...TIMES, id: 'c_old', slug: 'old', name: 'Old', status: 'archived' },
  {
    kind: 'content',
    ...HEAD,
    ...TIMES,
    id: 'c_draft',
    slug: 'draft',
    name: 'Draft',
    status: 'draft',
    author: 'u_draft',
    fields: { photos: { assets: ['a_draft'] }, mood: { selected_option: 'odd' } },
  },
  {
    kind: 'content',
    ...HEAD,
    ...TIMES,
    id: 'c_plain',
    content_type: 'plain',
    slug: 'plain',
    name: 'Plain',
    status: 'draft',
  },
];
