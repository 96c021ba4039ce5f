// The setup for most webhook tests: a site with content, a service that manages it, and a receiver for the calls.

import type { ManagedContentBody, NewWebhookBody, WebhookBody, WebhookCallBody } from '@galley/wire';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { SenderOptions } from '../../src/webhooks/sender.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { createTestDatabase, type Engine, type TestDatabase } from '../support/test-database.ts';
import { Receiver } from './receiver.ts';

export const SITE = 's_hooks';
export const HERE = `/sites/${SITE}`;
export const FAST: SenderOptions = { retryAfterMs: [20, 20, 20], attemptMs: 2000 };
/** Attempts to call a receiver that hangs do not end during the test. */
export const PATIENT: SenderOptions = { ...FAST, attemptMs: 600_000, leaseMs: 60_000 };
export const ENVIRONMENT = { GALLEY_WEBHOOK_ALLOW: '127.0.0.1', GALLEY_PUBLIC_URL: 'https://content.example' };

export function post(id: string, members: object = {}): object {
  const head = { kind: 'content', site: SITE, content_type: 'post', language: 'en', status: 'published' };
  return { ...head, id, slug: id, name: id, published_at: '2026-01-01T12:00:00+00:00', ...members };
}

/** A site with the content type `post`. */
export function listSiteRecords(site: string): readonly object[] {
  return [
    {
      kind: 'site',
      id: site,
      name: 'Hooks',
      default_language: 'en',
      languages: ['en', 'de'],
      url: 'https://hooks.example',
    },
    {
      kind: 'content_type',
      site,
      id: 't_post',
      handle: 'post',
      name: 'Post',
      uri_pattern: 'posts/{slug}',
      fields: [{ handle: 'text', type: 'text' }],
    },
  ];
}

const RECORDS: readonly object[] = [
  ...listSiteRecords(SITE),
  { kind: 'author', site: SITE, id: 'u_ada', name: 'Ada' },
  { kind: 'content_type', site: SITE, id: 't_note', handle: 'note', name: 'Note', uri_pattern: '{slug}', fields: [] },
  post('c_a', { author: 'u_ada' }),
  post('c_b', { author: 'u_ada' }),
  post('c_c'),
  post('c_de', { language: 'de' }),
  post('c_note', { content_type: 'note' }),
];

type LogLine = { readonly msg: string; readonly [name: string]: unknown };

export class HookDesk {
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  readonly logged: LogLine[];
  manager: Manager;
  #saves = 0;

  static async open(engine: Engine): Promise<HookDesk> {
    const database = await createTestDatabase(engine);
    const logged: LogLine[] = [];
    const manager = await startNode(database, logged);
    await manager.service.importRecords(RECORDS);
    return new HookDesk(database, manager, await Receiver.open(), logged);
  }

  private constructor(database: TestDatabase, manager: Manager, receiver: Receiver, logged: LogLine[]) {
    this.database = database;
    this.manager = manager;
    this.receiver = receiver;
    this.logged = logged;
  }

  async close(): Promise<void> {
    expect(this.receiver.faults).toEqual([]);
    await this.manager.close();
    await this.receiver[Symbol.asyncDispose]();
    await this.database.remove();
  }

  /** Starts another node with the same database. */
  startNode(environment?: Readonly<Record<string, string>>): Promise<Manager> {
    return startNode(this.database, this.logged, environment);
  }

  /** Starts the service again with other settings. */
  async restart(environment: Readonly<Record<string, string>>): Promise<void> {
    await this.manager.close();
    this.manager = await this.startNode(environment);
  }

  createWebhook(members: object = {}, path = '', site = SITE): Promise<NewWebhookBody> {
    const body = { name: 'Test', url: `${this.receiver.url}${path}`, ...members };
    return this.manager.expectOk<NewWebhookBody>('POST', `/sites/${site}/webhooks`, body);
  }

  readWebhook(id: string): Promise<WebhookBody> {
    return this.manager.expectOk<WebhookBody>('GET', `${HERE}/webhooks/${id}`);
  }

  async readCalls(id: string): Promise<readonly WebhookCallBody[]> {
    const path = `${HERE}/webhooks/${id}/calls?limit=100`;
    return (await this.manager.expectOk<{ data: WebhookCallBody[] }>('GET', path)).data;
  }

  /** Waits until this many of the webhook's calls have ended. */
  async settled(id: string, count: number): Promise<void> {
    const countEnded = async () => (await this.readCalls(id)).filter(({ state }) => state !== 'waiting').length;
    await expect.poll(countEnded, { interval: 20 }).toBe(count);
  }

  accept(count: number): Promise<void> {
    return this.receiver.waitUntil(({ accepted }) => accepted.length >= count);
  }

  async publish(id: string, members: object = {}, site = SITE): Promise<void> {
    this.#saves += 1;
    const path = `/sites/${site}/content/${id}`;
    const { version } = await this.manager.expectOk<ManagedContentBody>('GET', path);
    await this.manager.expectOk('PUT', path, { version, name: `${id} ${this.#saves}`, ...members });
    await this.manager.expectOk('POST', `${path}/publish`, {});
  }

  async unpublish(id: string): Promise<void> {
    await this.manager.expectOk('POST', `${HERE}/content/${id}/unpublish`, { confirm: true });
  }

  async deleteForGood(id: string): Promise<void> {
    await this.manager.expectOk('POST', `${HERE}/content/${id}/archive`, { confirm: true });
    await this.manager.expectOk('DELETE', `${HERE}/content/${id}?confirm=${id}`);
  }
}

export function createLog(logged: LogLine[]) {
  return pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
}

function startNode(
  database: TestDatabase,
  logged: LogLine[],
  environment: Readonly<Record<string, string>> = ENVIRONMENT,
): Promise<Manager> {
  const createDatabase = async () => ({ ...database, remove: async () => {} });
  return startManager(environment, { createDatabase, log: createLog(logged) });
}
