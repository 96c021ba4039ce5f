// Composes the service: the HTTP layer, the two APIs, their descriptions and explorer, the admin panel, and health checks.
// Delivery requests are handled in delivery/create-delivery.ts.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { registerAdmin } from './admin/register-admin.ts';
import { registerAssetDelivery } from './asset-delivery/lazy-asset-delivery.ts';
import { type AssetTools, createAssetTools } from './asset-tools.ts';
import { ChangeSweep } from './authoring/change-sweep.ts';
import type { Desk } from './authoring/desk.ts';
import { FileSweep } from './authoring/file-sweep.ts';
import { buildAddressKey } from './authoring/people/address-key.ts';
import { SHARED_ROOM } from './content/answer-limit.ts';
import { AnswerCache } from './delivery/answer-cache.ts';
import { KeyUsage, RateLimit, TrafficWatch } from './delivery/caller.ts';
import { registerChanges } from './delivery/changes/register-changes.ts';
import { createDelivery, registerDelivery } from './delivery/create-delivery.ts';
import { ContentDelivery } from './delivery/deliver-content.ts';
import { buildHeaderNames } from './delivery/delivery-request.ts';
import { MakingTime } from './delivery/making-time.ts';
import { buildOpenApiDocument } from './explorer/openapi-document.ts';
import { type DemoAccess, registerExplorer, registerManagementExplorer } from './explorer/register-explorer.ts';
import { registerWelcomePage } from './explorer/register-welcome-page.ts';
import { type AccessLog, createAccessLog } from './http/access-log.ts';
import { createHttpServer } from './http/create-http-server.ts';
import type { DrainState } from './http/drain.ts';
import { createFaultLog } from './http/fault-log.ts';
import { guardHosts } from './http/guard-hosts.ts';
import { registerHealth, registerMetrics, servesMeanwhile } from './http/health.ts';
import { createRequestOrigin, readListeningOrigin } from './http/request-origin.ts';
import { createTrafficLedger, type TrafficLedger } from './http/traffic.ts';
import { UnreadAnswers } from './http/unread-answers.ts';
import { LargeWork } from './large-work/large-work.ts';
import { CursorKey } from './listing/cursor.ts';
import { findFrameOrigins } from './management/frame-origins.ts';
import { buildManagementDocument } from './management/openapi/build-management-document.ts';
import { registerManagement } from './management/register-management.ts';
import { RESUMABLE_ROUTES } from './management/routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from './management/routes.ts';
import { hasSessionCookie } from './management/session/host-cookie.ts';
import { locateInPackage } from './package-folder.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage/storage.ts';

export interface AppParts {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly log: Logger;
  readonly drain: DrainState;
  readonly now: () => number;
  readonly version: string;
  readonly demoAccess: DemoAccess | undefined;
  /** Undefined if metrics are not served. */
  readonly metrics?: ServiceMetrics | undefined;
  /** The traffic of all processes on the same port. Defaults to the traffic of this process. */
  readonly trafficLedger?: TrafficLedger | undefined;
  /** Closed when the app closes. If omitted, the app creates its own. */
  readonly large?: LargeWork;
  readonly assets?: AssetTools;
  /** The delay after startup before old changes are first deleted. */
  readonly sweepChangesAfterMs?: number | undefined;
}

export function createApp(parts: AppParts): FastifyInstance {
  const { settings, storage, log, drain, now, version, demoAccess, metrics } = parts;
  const { headerPrefix, publicUrl } = settings;
  const staleMs = settings.staleSeconds * 1000;
  const keyUsage = new KeyUsage(storage, log);
  const cache = new AnswerCache(settings.cacheMb * 1024 * 1024);
  const accessLog = openAccessLog(settings, log);
  const traffic = parts.trafficLedger ?? createTrafficLedger(now);
  const trafficWatch = new TrafficWatch(now, traffic.add);
  const faults = createFaultLog(log);
  storage.listenToWrites({
    onFault: faults.note,
    onOutcomeUnknown: faults.noteOutcomeUnknown,
    onHealed: faults.noteHealed,
  });
  const unread = new UnreadAnswers({ connections: drain.connections, log });
  const large = parts.large ?? openLargeWork(settings, storage);
  const assets = parts.assets ?? createAssetTools(settings, log);
  const origin = createRequestOrigin(settings, () => readListeningOrigin(server));
  const reading = {
    reads: storage.delivery,
    log,
    noteFault: faults.note,
    rateLimit: new RateLimit(settings.rateLimit),
    keyUsage,
    unread,
    making: new MakingTime(),
    noteCaller: accessLog?.note,
    headerNames: buildHeaderNames(headerPrefix),
    now,
    readBaseUrl: origin.readBaseUrl,
  };
  const delivery = createDelivery({
    ...reading,
    large,
    cache,
    traffic: trafficWatch,
    staleMs,
    defaultMatch: settings.match,
    isEmptySlugNotFound: settings.emptySlug === '404',
    cursorKey: new CursorKey(storage.deriveKey('cursors')),
  });
  const files = assets.delivery({
    directory: storage.assets,
    unread,
    nameClient: (request) => buildAddressKey(origin.readAddress(request)),
  });
  const server: FastifyInstance = createHttpServer({
    log,
    drain,
    headerPrefix,
    unread,
    takeFirst: (request, response) => delivery.take(request, response) || files.take(request, response),
    watches: [metrics?.watchRequests(), accessLog?.watch].filter((watch) => watch !== undefined),
  });
  server.addHook('onClose', () => keyUsage.close());
  server.addHook('onClose', () => large.close());
  const sweep = new FileSweep({
    storage,
    log,
    now,
    keepDays: settings.assetsKeepDays,
    openStore: assets.existingStore,
    onRemoved: assets.forgetImages,
  });
  const changeSweep = new ChangeSweep({
    storage,
    log,
    now,
    keepDays: settings.changesDays,
    firstAfterMs: parts.sweepChangesAfterMs,
  });
  server.addHook('onClose', () => changeSweep.close());
  server.addHook('onClose', async () => {
    await sweep.close();
    await assets.close();
  });
  traffic.beforeRead(() => trafficWatch.look());
  server.addHook('onClose', () => trafficWatch.close());
  registerDelivery(server, delivery);
  const streams = registerChanges(server, {
    ...reading,
    isDraining: () => drain.isDraining,
    streamsPerKey: settings.streamsPerKey,
  });
  registerAssetDelivery(server, files);
  if (settings.isAdminServed) {
    const desk: Desk = {
      ...createServiceDesk(storage, large, now),
      releaseFiles: sweep.release,
      hasPublicUrl: publicUrl !== null,
    };
    const guard = { origin, publicUrl, adminHosts: settings.adminHosts };
    server.register(async (scope) => {
      guardHosts(scope, { ...guard, hasPages: false });
      registerManagement(scope, {
        log,
        desk,
        delivery: new ContentDelivery(storage.delivery, SHARED_ROOM),
        origin,
        publicHost: publicUrl === null ? null : new URL(publicUrl).host,
        readTraffic: traffic.read,
        uploads: { mostBytes: settings.maxUploadMb * 1024 * 1024, open: assets.uploader },
        headerPrefix,
        answerLarge: (call, options) => large.answerCall(call, options),
        faults,
        noteCaller: accessLog?.note,
      });
    });
    server.register(async (scope) => {
      guardHosts(scope, { ...guard, hasPages: true });
      registerAdmin(scope, {
        folder: locateInPackage('panel'),
        headerPrefix,
        publicUrl,
        findFrameOrigins: (request, siteId) => findFrameOrigins({ storage, now, origin }, request, siteId),
      });
      registerManagementExplorer(scope, {
        buildDocument: () =>
          buildManagementDocument({ routes: MANAGEMENT_ROUTES, resumable: RESUMABLE_ROUTES, publicUrl, version }),
        hasSessionCookie,
      });
    });
  }
  const document = buildOpenApiDocument({ headerPrefix, version, ...(publicUrl === null ? {} : { publicUrl }) });
  registerExplorer(server, { document, demoAccess, hasManagement: settings.isAdminServed });
  registerWelcomePage(server, { readBaseUrl: origin.readBaseUrl, hasAdmin: settings.isAdminServed });
  if (metrics !== undefined) {
    metrics.watchCache(cache);
    metrics.watchStreams(() => streams.size);
    metrics.watchDatabase(() => storage.figures());
    metrics.watchWrites(() => storage.writeFault() === undefined);
    registerMetrics(server, metrics);
  }
  registerHealth(server, {
    checks: { database: () => storage.check() },
    findImpaired: () => (storage.writeFault() === undefined ? [] : ['writes']),
    bears: (failure) => servesMeanwhile(failure, storage, { staleMs, cacheMb: settings.cacheMb }),
    drain,
    log,
  });
  return server;
}

export function openLargeWork({ emptySlug, headerPrefix }: Settings, storage: Storage): LargeWork {
  const isEmptySlugNotFound = emptySlug === '404';
  return new LargeWork(storage, { isEmptySlugNotFound, cursorKey: storage.deriveKey('cursors'), headerPrefix });
}

/** Creates a desk (authoring/desk.ts) that runs long steps on separate threads. */
export function createServiceDesk(storage: Storage, large: LargeWork, now: () => number): Desk {
  return {
    storage,
    now,
    newUuid: randomUUIDv7,
    randomBytes,
    cleanText: (text, caller) => large.cleanText(text, caller),
    measureShow: (show, caller) => large.measureShow(show, caller),
  };
}

/** At the debug level, every request is logged, even if the access log is off. */
function openAccessLog({ isAccessLogged }: Settings, log: Logger): AccessLog | undefined {
  const level = isAccessLogged ? 'info' : 'debug';
  return log.isLevelEnabled(level) ? createAccessLog(log, level) : undefined;
}
