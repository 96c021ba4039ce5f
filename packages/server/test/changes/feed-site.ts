// A site of its own for each test of the change feed and its stream, so that the tests can share a service.

import type { ChangeListBody, ManagedContentBody } from '@galley/wire';
import type { Manager } from '../management/manager.ts';
import { ChangeReader, type FeedParameters } from './change-reader.ts';
import { EventReader, type StreamRequest } from './event-reader.ts';

const TIMES = {
  published_at: '2026-01-01T12:00:00+00:00',
  created_at: '2026-01-01T12:00:00+00:00',
  updated_at: '2026-01-01T12:00:00+00:00',
};

let sites = 0;

/** Closes its streams when it goes out of scope. */
export class FeedSite implements Disposable {
  readonly manager: Manager;
  readonly id: string;
  /** The site's path in the management API. */
  readonly path: string;
  /** A key for this site only. */
  readonly key: { readonly id: string; readonly token: string };
  readonly reader: ChangeReader;
  readonly #opened: EventReader[] = [];
  #saves = 0;

  static async open(manager: Manager): Promise<FeedSite> {
    sites += 1;
    const id = `s_feed_${sites}`;
    await manager.service.importRecords(listRecords(id));
    return new FeedSite(manager, id, await manager.service.createKey({ sites: [id] }));
  }

  private constructor(manager: Manager, id: string, key: FeedSite['key']) {
    this.manager = manager;
    this.id = id;
    this.path = `/sites/${id}`;
    this.key = key;
    this.reader = this.openReader(key.token);
  }

  get records(): readonly object[] {
    return listRecords(this.id);
  }

  openReader(token: string): ChangeReader {
    return new ChangeReader(this.manager.service.url, token, this.id);
  }

  async stream(parameters: FeedParameters = {}, members: Partial<StreamRequest> = {}): Promise<EventReader> {
    const { url } = this.manager.service;
    const stream = await EventReader.open({ url, token: this.key.token, site: this.id, parameters, ...members });
    this.#opened.push(stream);
    return stream;
  }

  post(id: string, members: object = {}): object {
    return buildPost(this.id, id, members);
  }

  async import(...records: readonly object[]): Promise<void> {
    await this.manager.service.importRecords(records);
  }

  async save(id: string, members: object): Promise<void> {
    const path = `${this.path}/content/${id}`;
    const { version } = await this.manager.expectOk<ManagedContentBody>('GET', path);
    await this.manager.expectOk('PUT', path, { version, ...members });
  }

  async publish(id: string, members: object = {}): Promise<void> {
    this.#saves += 1;
    await this.save(id, { name: `${id} ${this.#saves}`, ...members });
    await this.manager.expectOk('POST', `${this.path}/content/${id}/publish`, {});
  }

  async act(id: string, action: 'unpublish' | 'archive'): Promise<void> {
    await this.manager.expectOk('POST', `${this.path}/content/${id}/${action}`, { confirm: true });
  }

  async deleteForGood(id: string): Promise<void> {
    await this.act(id, 'archive');
    await this.manager.expectOk('DELETE', `${this.path}/content/${id}?confirm=${id}`);
  }

  async rename(path: string, name: string): Promise<void> {
    await this.manager.expectOk('PATCH', `${this.path}/${path}`, { name });
  }

  async move(url: string): Promise<void> {
    await this.manager.expectOk('PATCH', this.path, { url });
  }

  async delete(): Promise<void> {
    await this.manager.expectOk('DELETE', `${this.path}?confirm=${this.id}`);
  }

  [Symbol.dispose](): void {
    for (const stream of this.#opened) stream[Symbol.dispose]();
  }
}

export function summarize(changes: ChangeListBody['changes']): string[] {
  return changes.map(({ kind, id }) => `${kind} ${id}`);
}

/** Reads pages until there is nothing more to read for now. */
export async function readSync(stream: EventReader): Promise<void> {
  let page = await stream.page();
  while (page.has_more) page = await stream.page();
}

function buildPost(site: string, id: string, members: object = {}): object {
  const head = { kind: 'content', site, content_type: 'post', language: 'en', status: 'published' };
  return { ...head, id, slug: id, name: id, ...TIMES, ...members };
}

function listRecords(site: string): readonly object[] {
  const languages = ['en', 'de'];
  const fields = [
    { handle: 'related', type: 'content_links' },
    { handle: 'photos', type: 'assets' },
    { handle: 'text', type: 'text' },
  ];
  const type = { kind: 'content_type', site };
  return [
    { kind: 'site', id: site, name: 'Feed', default_language: 'en', languages, url: 'https://feed.example' },
    { kind: 'author', site, id: 'u_ada', name: 'Ada' },
    { kind: 'asset', site, id: 'a_photo', name: 'Photo', url: 'https://files.example/photo.jpg' },
    { ...type, id: 't_post', handle: 'post', name: 'Post', uri_pattern: 'posts/{slug}', fields },
    { ...type, id: 't_note', handle: 'note', name: 'Note', uri_pattern: '{slug}', fields: [] },
    buildPost(site, 'c_a', { author: 'u_ada', fields: { photos: { assets: ['a_photo'] } } }),
    buildPost(site, 'c_b', { author: 'u_ada', fields: { related: { content_links: ['c_a'] } } }),
    buildPost(site, 'c_c', { fields: { related: { content_links: ['c_b'] } } }),
    buildPost(site, 'c_de', { language: 'de' }),
    buildPost(site, 'c_note', { content_type: 'note' }),
    buildPost(site, 'c_draft', { status: 'draft', published_at: undefined, author: 'u_ada' }),
  ];
}
