// A whole service on a fresh database, used as in a deployment: over HTTP and through its own commands.

import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { createApp, createServiceDesk, openLargeWork } from '../../src/app.ts';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createApiKey } from '../../src/authoring/api-keys.ts';
import { publishById, unpublishById } from '../../src/authoring/command-work.ts';
import { type Scheduler, startScheduler } from '../../src/authoring/schedule/scheduler.ts';
import { type ImportSummary, importBundle } from '../../src/bundle/import-bundle.ts';
import { openBundleFiles } from '../../src/bundle/take-bundle-files.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { createDrainState, type DrainState } from '../../src/http/drain.ts';
import { openStorage } from '../../src/open-storage.ts';
import { createServiceMetrics } from '../../src/service-metrics.ts';
import { readSettings } from '../../src/settings.ts';
import { sendWebhooks } from '../../src/start-service.ts';
import type { EngineOptions } from '../../src/storage/postgres/open-postgres.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Sender, SenderOptions } from '../../src/webhooks/sender.ts';
import { createTestDatabase, type Engine, type TestDatabase } from './test-database.ts';

export interface KeyOptions {
  readonly sites?: readonly string[];
  readonly allSites?: boolean;
  readonly preview?: boolean;
  readonly expires?: number;
  readonly rateLimit?: number;
}

export interface TestService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly storage: Storage;
  /** The folder of the file store, unless the settings name another one. */
  readonly assetsFolder: string;
  /** Imports a bundle with these records, as `galley import` does. Rejects with the error text. */
  importRecords(records: readonly object[]): Promise<ImportSummary>;
  /** Imports a bundle with the files beside it, as `galley import` does. */
  importBundle(path: string): Promise<ImportSummary>;
  createKey(options: KeyOptions): Promise<{ readonly id: string; readonly token: string }>;
  publish(siteId: string, contentId: string): Promise<void>;
  unpublish(siteId: string, contentId: string): Promise<void>;
  /** Makes schedules run when they are due. */
  startClock(): void;
  /** Sends webhook calls, unless another service with the same database is doing so. */
  startSender(options?: SenderOptions): Sender;
  close(): Promise<void>;
}

/** The parts of a service that some tests need to access. */
export interface ServiceParts {
  /** The embedded engine by default. */
  readonly engine?: Engine;
  /** Replaces the fresh database of the engine. */
  readonly createDatabase?: () => Promise<TestDatabase>;
  readonly now?: () => number;
  readonly log?: Logger;
  readonly drain?: DrainState;
  /** Storage options in addition to the settings. */
  readonly storage?: EngineOptions;
  readonly sweepChangesAfterMs?: number;
}

/** On a busy machine, a connection may take long to open. */
const PATIENT: EngineOptions = { connectionWaitMs: 60_000 };
/** For tests of outages: the database counts as unavailable as soon as in production. */
export const LIKE_PRODUCTION: EngineOptions = { connectionWaitMs: 1000 };

/** @param environment GALLEY_* settings */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  parts: ServiceParts = {},
): Promise<TestService> {
  const { engine, createDatabase = () => createTestDatabase(engine) } = parts;
  const { now = Date.now, log = pino({ level: 'silent' }), drain = createDrainState() } = parts;
  const folder = await mkdtemp(join(tmpdir(), 'galley-test-'));
  const assetsFolder = join(folder, 'assets');
  const own = { GALLEY_ASSETS_URL: `file:${assetsFolder}`, GALLEY_IMAGE_CACHE_DIR: join(folder, 'images') };
  const settings = readSettings({ ...own, ...environment }, () => '');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  const { assetsUrl } = settings.value;
  const database = await createDatabase();
  const storage = await openStorage(database.url, now(), { ...settings.value, ...PATIENT, ...parts.storage });
  const large = openLargeWork(settings.value, storage);
  const metrics = settings.value.isMetricsServed ? createServiceMetrics() : undefined;
  const server = createApp({
    settings: { ...settings.value, databaseUrl: database.url },
    storage,
    log,
    drain,
    now,
    version: '0.0.0-test',
    demoAccess: undefined,
    metrics,
    large,
    sweepChangesAfterMs: parts.sweepChangesAfterMs,
  });
  async function importOne(path: string): Promise<ImportSummary> {
    await using files = openBundleFiles(assetsUrl);
    return await importBundle(storage, path, { now: now(), newUuid: randomUUIDv7, files, onProgress: () => {} });
  }

  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  let clock: Scheduler | undefined;
  const senders: Sender[] = [];
  return {
    url,
    storage,
    assetsFolder,
    async importRecords(records) {
      const path = join(folder, `${randomUUIDv7()}.ndjson`);
      await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      return importOne(path);
    },
    importBundle: importOne,
    createKey: async (options) => {
      const { id, token } = await createApiKey(createDesk(storage), COMMAND_ACTOR, {
        name: 'test',
        siteIds: options.allSites === true ? null : (options.sites ?? []),
        mayPreview: options.preview ?? false,
        expiresAt: options.expires ?? null,
        rateLimit: options.rateLimit ?? null,
      });
      return { id, token };
    },
    publish: async (siteId, contentId) => {
      await publishById(storage, { siteId, contentId, now: now() });
    },
    unpublish: (siteId, contentId) => unpublishById(storage, { siteId, contentId, now: now() }),
    startClock() {
      clock ??= startScheduler({ desk: createServiceDesk(storage, large, now), log });
    },
    startSender(options) {
      const watch = senders.length === 0 ? metrics?.watchWebhooks() : undefined;
      const sender = sendWebhooks({ settings: settings.value, storage, log, watch, options });
      senders.push(sender);
      return sender;
    },
    async close() {
      await server.close();
      await clock?.stop();
      for (const sender of senders) await sender.stop();
      await storage.close();
      await database.remove();
      await rm(folder, { recursive: true });
    },
  };
}
