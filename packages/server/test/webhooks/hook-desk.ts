// The setup for webhook tests. The tests of a group share a service; each of them has a site, a receiver and senders of its own.

import { randomUUIDv7 } from 'node:crypto';
import type { ManagedContentBody, NewWebhookBody, WebhookBody, WebhookCallBody } from '@galley/wire';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { buildId } from '../../src/content/ids.ts';
import { createTargetRule } from '../../src/webhooks/allowed-targets.ts';
import { type Sender, type SenderOptions, type SenderParts, startSender } from '../../src/webhooks/sender.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { runSql } from '../support/run-sql.ts';
import { createTestDatabase, type Engine, type TestDatabase } from '../support/test-database.ts';
import { Receiver } from './receiver.ts';

/** Attempts and leases last longer than any test, so a slow machine cannot cause additional attempts. */
export const FAST: SenderOptions = { retryAfterMs: [20, 20, 20], attemptMs: 600_000, leaseMs: 300_000 };
const PUBLIC_URL = 'https://content.example';
export const ENVIRONMENT = { GALLEY_WEBHOOK_ALLOW: '127.0.0.1', GALLEY_PUBLIC_URL: PUBLIC_URL };

type LogLine = { readonly msg: string; readonly [name: string]: unknown };

class Clock {
  #aheadMs = 0;
  #stoppedAt: number | undefined;

  readonly now = (): number => (this.#stoppedAt ?? Date.now()) + this.#aheadMs;

  stop(): void {
    this.#stoppedAt = Date.now();
  }

  reset(): void {
    this.#stoppedAt = undefined;
    this.#aheadMs = 0;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}

interface Base {
  readonly database: TestDatabase;
  readonly logged: LogLine[];
  readonly clock: Clock;
  readonly manager: Manager;
}

/** Starts a service for a group of tests, and passes a desk to each of them. */
export function useHookDesk(engine: Engine, give: (desk: HookDesk) => void): void {
  let base: Base;
  let desk: HookDesk;
  beforeAll(async () => {
    const shared = { database: await createTestDatabase(engine), logged: [], clock: new Clock() };
    base = { ...shared, manager: await startNode(shared) };
  });
  beforeEach(async () => {
    desk = await HookDesk.open(base);
    give(desk);
  });
  afterEach(() => desk.close());
  afterAll(async () => {
    await base.manager.close();
    await base.database.remove();
  });
}

let sites = 0;

export class HookDesk {
  readonly database: TestDatabase;
  readonly manager: Manager;
  readonly receiver: Receiver;
  /** The clock of the service and of its senders. */
  readonly clock: Clock;
  /** The log of the service and of its senders, from the start of the test. */
  readonly logged: LogLine[];
  readonly site: string;
  /** The site's path in the management API. */
  readonly path: string;
  readonly #base: Base;
  readonly #senders: Sender[] = [];
  readonly #nodes: Manager[] = [];
  #saves = 0;

  static async open(base: Base): Promise<HookDesk> {
    sites += 1;
    base.logged.length = 0;
    const desk = new HookDesk(base, `s_hooks_${sites}`, await Receiver.open());
    await desk.import(...listRecords(desk.site));
    return desk;
  }

  private constructor(base: Base, site: string, receiver: Receiver) {
    this.#base = base;
    this.database = base.database;
    this.manager = base.manager;
    this.clock = base.clock;
    this.logged = base.logged;
    this.receiver = receiver;
    this.site = site;
    this.path = `/sites/${site}`;
  }

  async close(): Promise<void> {
    expect(this.receiver.faults).toEqual([]);
    // Senders stop immediately if the receiver does not keep their attempts waiting.
    await this.receiver[Symbol.asyncDispose]();
    for (const sender of this.#senders) await sender.stop();
    for (const node of this.#nodes) await node.close();
    for (const table of ['webhook_call_contents', 'webhook_calls', 'webhooks', 'leases']) {
      await runSql(this.manager.service.storage, `delete from ${table}`);
    }
    this.clock.reset();
  }

  /** Starts a sender with the desk's clock. */
  startSender(parts: Partial<SenderParts> = FAST): Sender {
    const sender = startSender({
      storage: this.manager.service.storage,
      log: createLog(this.logged),
      now: this.clock.now,
      newCallId: () => buildId('webhookCall', randomUUIDv7()),
      publicUrl: PUBLIC_URL,
      rules: { isAllowed: createTargetRule(['127.0.0.1/32']) },
      ...parts,
    });
    this.#senders.push(sender);
    return sender;
  }

  /** Starts another node with the same database. */
  async startNode(environment?: Readonly<Record<string, string>>): Promise<Manager> {
    const node = await startNode(this.#base, environment);
    this.#nodes.push(node);
    return node;
  }

  async import(...records: readonly object[]): Promise<void> {
    await this.manager.service.importRecords(records);
  }

  post(id: string, members: object = {}): object {
    return buildPost(this.site, id, members);
  }

  /** Imports many objects at once. */
  importMany(count: number, members: (index: number) => object = () => ({})): Promise<void> {
    return this.import(...Array.from({ length: count }, (_, index) => this.post(`c_many_${index}`, members(index))));
  }

  /** Adds a site with one content object, and returns its ID. */
  async addOtherSite(): Promise<string> {
    const other = `${this.site}_other`;
    await this.import(...listCatalog(other), buildPost(other, 'c_other', {}));
    return other;
  }

  createWebhook(members: object = {}, path = '', site = this.site): Promise<NewWebhookBody> {
    const body = { name: 'Test', url: `${this.receiver.url}${path}`, ...members };
    return this.manager.expectOk<NewWebhookBody>('POST', `/sites/${site}/webhooks`, body);
  }

  readWebhook(id: string): Promise<WebhookBody> {
    return this.manager.expectOk<WebhookBody>('GET', `${this.path}/webhooks/${id}`);
  }

  /** The newest calls first. */
  async readCalls(id: string): Promise<readonly WebhookCallBody[]> {
    const path = `${this.path}/webhooks/${id}/calls?limit=100`;
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

  async publish(id: string, members: object = {}, site = this.site): Promise<void> {
    this.#saves += 1;
    const path = `/sites/${site}/content/${id}`;
    const { version } = await this.manager.expectOk<ManagedContentBody>('GET', path);
    await this.manager.expectOk('PUT', path, { version, name: `${id} ${this.#saves}`, ...members });
    await this.manager.expectOk('POST', `${path}/publish`, {});
  }

  async unpublish(id: string): Promise<void> {
    await this.manager.expectOk('POST', `${this.path}/content/${id}/unpublish`, { confirm: true });
  }

  async deleteForGood(id: string): Promise<void> {
    await this.manager.expectOk('POST', `${this.path}/content/${id}/archive`, { confirm: true });
    await this.manager.expectOk('DELETE', `${this.path}/content/${id}?confirm=${id}`);
  }
}

function createLog(logged: LogLine[]) {
  return pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
}

function startNode(
  { database, logged, clock }: Omit<Base, 'manager'>,
  environment: Readonly<Record<string, string>> = ENVIRONMENT,
): Promise<Manager> {
  const createDatabase = async () => ({ ...database, remove: async () => {} });
  return startManager(environment, { createDatabase, log: createLog(logged), now: clock.now });
}

function buildPost(site: string, id: string, members: object): object {
  const head = { kind: 'content', site, content_type: 'post', language: 'en', status: 'published' };
  return { ...head, id, slug: id, name: id, published_at: '2026-01-01T12:00:00+00:00', ...members };
}

function listCatalog(site: string): readonly object[] {
  const type = { kind: 'content_type', site };
  const fields = [{ handle: 'text', type: 'text' }];
  const languages = ['en', 'de'];
  return [
    { kind: 'site', id: site, name: 'Hooks', default_language: 'en', languages, url: 'https://hooks.example' },
    { ...type, id: 't_post', handle: 'post', name: 'Post', uri_pattern: 'posts/{slug}', fields },
    { ...type, id: 't_note', handle: 'note', name: 'Note', uri_pattern: '{slug}', fields: [] },
  ];
}

function listRecords(site: string): readonly object[] {
  return [
    ...listCatalog(site),
    { kind: 'author', site, id: 'u_ada', name: 'Ada' },
    ...['c_a', 'c_b'].map((id) => buildPost(site, id, { author: 'u_ada' })),
    buildPost(site, 'c_c', {}),
    buildPost(site, 'c_de', { language: 'de' }),
    buildPost(site, 'c_note', { content_type: 'note' }),
  ];
}
