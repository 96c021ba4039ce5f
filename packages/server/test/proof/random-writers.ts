// Changes a site at random, as several editors working at the same time would, through any node and through imports. Everything that
// readers of the site must never see contains SECRET: drafts, hidden fields, unused authors, and all of another site.

import { setTimeout } from 'node:timers/promises';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createApiKey } from '../../src/authoring/api-keys.ts';
import { createManagementToken } from '../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importText } from '../import/export-database.ts';
import { proofSize } from '../oracle/proof.ts';
import { toLines } from '../support/small-site.ts';

/** The refusals after which writers try again. A busy machine also refuses connections to the database. */
const REPEATED = proofSize(/./, /"(not_saved|import_running)"/);

export const SITE = 's_mirrored';
const OTHER_SITE = 's_elsewhere';
export const SECRET = 'zq7hidden';
/** Part of every name that readers may see, followed by a number that only increases. */
export const OPEN = 'Open';

const CONTENTS = Array.from({ length: 60 }, (_, index) => `c_${index}`);
/** Only imports change these. */
const IMPORTED = Array.from({ length: 200 }, (_, index) => `c_imported_${index}`);
const GUARDED = Array.from({ length: 4 }, (_, index) => `c_guarded_${index}`);
const DRAFTS = Array.from({ length: 4 }, (_, index) => `c_${SECRET}_${index}`);
const AUTHORS = Array.from({ length: 5 }, (_, index) => `u_${index}`);
const ASSETS = Array.from({ length: 4 }, (_, index) => `a_${index}`);
/** The content on the other site. Even an event without text would give it away. */
const ELSEWHERE = Array.from({ length: 8 }, (_, index) => `c_${SECRET}_elsewhere_${index}`);
/** The last change of a run. A reader that has received it is up to date. */
export const LAST = 'c_last';

function buildSite(site: string, name: string, contents: readonly object[]): readonly object[] {
  const fields = [
    { handle: 'text', type: 'text' },
    { handle: 'related', type: 'content_links' },
    { handle: 'photos', type: 'assets' },
    { handle: 'inner', type: 'text', hidden: true },
  ];
  return [
    { kind: 'site', id: site, name, default_language: 'en', languages: ['en'], url: 'https://mirrored.example' },
    ...AUTHORS.map((id) => ({ kind: 'author', site, id, name: `${OPEN} 0` })),
    { kind: 'author', site, id: `u_${SECRET}`, name: SECRET },
    ...ASSETS.map((id) => ({ kind: 'asset', site, id, name: `${OPEN} 0`, url: `https://files.example/${id}.jpg` })),
    { kind: 'content_type', site, id: 't_post', handle: 'post', name: 'Post', uri_pattern: 'posts/{slug}', fields },
    ...contents,
  ];
}

function buildContent(site: string, id: string, name: string, members: object = {}): object {
  const slug = id.replace('c_', '').replaceAll('_', '-');
  const head = { kind: 'content', site, id, content_type: 'post', language: 'en', slug, name, status: 'published' };
  return { ...head, published_at: '2026-01-01T12:00:00+00:00', ...members };
}

const RECORDS: readonly object[] = [
  ...buildSite(SITE, 'Mirrored', [
    ...[...CONTENTS, ...GUARDED].map((id) => buildContent(SITE, id, `${OPEN} 0`)),
    ...DRAFTS.map((id) =>
      buildContent(SITE, id, SECRET, { status: 'draft', published_at: undefined, author: `u_${SECRET}` }),
    ),
    buildContent(SITE, LAST, `${OPEN} 0`, { status: 'draft', published_at: undefined }),
  ]),
  ...buildSite(
    OTHER_SITE,
    SECRET,
    ELSEWHERE.map((id) => buildContent(OTHER_SITE, id, SECRET)),
  ),
];

export interface SiteAccess {
  /** The token of an API key that can read only the mirrored site. */
  readonly key: string;
  readonly managementToken: string;
}

export async function prepareSites(storage: Storage, folder: string): Promise<SiteAccess> {
  await importText(storage, folder, toLines(RECORDS));
  const desk = createDesk(storage);
  const rights = { name: 'Mirrors', siteIds: [SITE], mayPreview: false, expiresAt: null, rateLimit: null };
  const { token: key } = await createApiKey(desk, COMMAND_ACTOR, rights);
  const owner = { name: 'Writers', role: 'owner', expiresAt: null } as const;
  const { token: managementToken } = await createManagementToken(desk, COMMAND_ACTOR, owner);
  return { key, managementToken };
}

export interface WriterOptions {
  /** The database that imports write to. Like `galley import`, they run alongside the nodes. */
  readonly storage: Storage;
  readonly folder: string;
}

/** An import changes up to this many content objects. */
const MOST_IMPORTED = 40;
/** How often a writer imports. Imports never account for more than half of all changes. */
const IMPORTS = 0.045;

export class RandomWriters {
  readonly #nodes: readonly string[];
  readonly #headers: Readonly<Record<string, string>>;
  /** The latest known version of each content object, by path. */
  readonly #versions = new Map<string, number>();
  /** The published content, as far as is known: another writer may be changing it. */
  readonly #published = new Set<string>([...CONTENTS, ...GUARDED]);
  readonly #created = new Set<string>();
  /** Starts above the numbers in the imported slugs. */
  #count = 1000;
  #changes = 0;
  #imported = 0;
  #isImporting = false;
  #retries = 0;
  readonly #options: WriterOptions;

  constructor(nodes: readonly string[], { managementToken }: SiteAccess, options: WriterOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#headers = { authorization: `Bearer ${managementToken}`, 'content-type': 'application/json' };
  }

  /** How many changes readers can see. */
  get changes(): number {
    return this.#changes;
  }

  /** How many of these changes were imported. */
  get imported(): number {
    return this.#imported;
  }

  /** How many writes were repeated because the service did not get to them in time. */
  get retries(): number {
    return this.#retries;
  }

  /** All ids that readers may have seen. */
  get ids(): readonly string[] {
    return [...CONTENTS, ...IMPORTED, ...GUARDED, ...this.#created, LAST];
  }

  /** Writes until all writers together have made this many changes. */
  async write(writers: number, changes: number): Promise<void> {
    const run = async (): Promise<void> => {
      while (this.#changes < changes) await this.#act();
    };
    await Promise.all(Array.from({ length: writers }, run));
  }

  async finish(): Promise<void> {
    await this.#publish(SITE, LAST, `${OPEN} ${this.#next()}`);
  }

  async #act(): Promise<void> {
    const mayImport = !this.#isImporting && this.#imported + MOST_IMPORTED < this.#changes / 2;
    if (mayImport && Math.random() < IMPORTS) return this.#import();
    const choice = Math.random() * 100;
    if (choice < 12) await this.#publish(SITE, pick(CONTENTS), `${OPEN} ${this.#next()}`);
    else if (choice < 75) await this.#toggle(pick(CONTENTS));
    else if (choice < 87) await this.#rename(`authors/${pick(AUTHORS)}`, `${OPEN} ${this.#next()}`);
    else if (choice < 91) await this.#rename(`assets/${pick(ASSETS)}`, `${OPEN} ${this.#next()}`);
    else if (choice < 94) await this.#createAndDelete();
    else if (choice < 96) await this.#save(SITE, pick([...GUARDED, ...DRAFTS]), `${SECRET} ${this.#next()}`);
    else if (choice < 98)
      await this.#call('PATCH', `/sites/${SITE}/authors/u_${SECRET}`, { name: `${SECRET} ${this.#next()}` });
    else await this.#publishElsewhere();
  }

  async #import(): Promise<void> {
    this.#isImporting = true;
    const { storage, folder } = this.#options;
    const size = 1 + Math.floor(Math.random() * MOST_IMPORTED);
    const start = Math.floor(Math.random() * (IMPORTED.length - size + 1));
    const ids = IMPORTED.slice(start, start + size);
    const records = ids.map((id) => {
      const isPublished = Math.random() < 0.8;
      const members = isPublished ? {} : { status: 'unpublished', published_at: undefined };
      return { id, isPublished, record: buildContent(SITE, id, `${OPEN} ${this.#next()}`, members) };
    });
    await importText(storage, folder, toLines(records.map(({ record }) => record)));
    const seen = records.filter(({ id, isPublished }) => isPublished || this.#published.has(id));
    this.#changes += seen.length;
    this.#imported += seen.length;
    for (const { id, isPublished } of records) {
      if (isPublished) this.#published.add(id);
      else this.#published.delete(id);
    }
    this.#isImporting = false;
  }

  /** Unpublishes the content if it is published, and publishes it otherwise. */
  async #toggle(id: string): Promise<void> {
    const path = `/sites/${SITE}/content/${id}`;
    const wasPublished = this.#published.delete(id);
    if (!wasPublished) this.#published.add(id);
    this.#note(
      wasPublished
        ? await this.#call('POST', `${path}/unpublish`, { confirm: true })
        : await this.#call('POST', `${path}/publish`, {}),
    );
  }

  async #publish(site: string, id: string, name: string): Promise<void> {
    if (!(await this.#save(site, id, name))) return;
    this.#published.add(id);
    this.#note(await this.#call('POST', `/sites/${site}/content/${id}/publish`, {}));
  }

  async #publishElsewhere(): Promise<void> {
    const id = pick(ELSEWHERE);
    if (!(await this.#save(OTHER_SITE, id, `${SECRET} ${this.#next()}`))) return;
    await this.#call('POST', `/sites/${OTHER_SITE}/content/${id}/publish`, {});
  }

  async #rename(path: string, name: string): Promise<void> {
    this.#note(await this.#call('PATCH', `/sites/${SITE}/${path}`, { name }));
  }

  async #createAndDelete(): Promise<void> {
    const id = `c_new_${this.#next()}`;
    this.#created.add(id);
    const here = `/sites/${SITE}/content`;
    await this.#call('POST', here, { id, content_type: 'post', name: `${OPEN} ${this.#next()}` });
    for (const action of ['publish', 'unpublish', 'archive']) {
      const answer = await this.#call('POST', `${here}/${id}/${action}`, action === 'publish' ? {} : { confirm: true });
      if (action !== 'archive') this.#note(answer);
    }
    this.#note(await this.#call('DELETE', `${here}/${id}?confirm=${id}`));
  }

  /** Returns false if another writer saved first. */
  async #save(site: string, id: string, name: string): Promise<boolean> {
    const path = `/sites/${site}/content/${id}`;
    const version = this.#versions.get(path) ?? Object((await this.#call('GET', path)).body).version;
    const linkable = site === SITE ? [...CONTENTS, ...DRAFTS] : ELSEWHERE;
    const related = Math.random() < 0.3 ? [pick(linkable)] : [];
    const body = {
      version,
      name,
      ...(Math.random() < 0.1 && { slug: name.toLowerCase().replaceAll(' ', '-') }),
      author: Math.random() < 0.5 ? pick(AUTHORS) : null,
      fields: {
        text: { text: name },
        related: { content_links: related },
        photos: { assets: Math.random() < 0.3 ? [pick(ASSETS)] : [] },
        inner: { text: SECRET },
      },
    };
    const saved = await this.#call('PUT', path, body);
    if (saved.status === 200) this.#versions.set(path, Object(saved.body).version);
    else this.#versions.delete(path);
    return saved.status === 200;
  }

  #note({ status }: { readonly status: number }): void {
    if (status < 300) this.#changes += 1;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  async #call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const init = { method, headers: this.#headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${pick(this.#nodes)}/manage/v1${path}`, init);
    const text = await response.text();
    // On a busy machine, a write may wait too long for its turn. The service then tells the writer when to try again, as it tells every
    // client.
    if (response.status === 503 && REPEATED.test(text)) {
      this.#retries += 1;
      await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 1));
      return this.#call(method, path, body);
    }
    if (response.status >= 500 || response.status === 422 || response.status === 400)
      throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

export function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}
