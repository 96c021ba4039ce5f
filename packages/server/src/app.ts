// The service, composed: the HTTP shell, the two APIs, their descriptions and explorer, the admin panel, and health.
// The way of a delivery request starts in delivery/create-delivery.ts.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { registerAdmin } from './admin/register-admin.ts';
import { AnswerCache } from './delivery/answer-cache.ts';
import { createDelivery } from './delivery/create-delivery.ts';
import { deliverContent } from './delivery/deliver-content.ts';
import { buildHeaderNames } from './delivery/delivery-headers.ts';
import { KeyUsage } from './delivery/key-usage.ts';
import { RateLimit } from './delivery/rate-limit.ts';
import { registerDelivery } from './delivery/register-delivery.ts';
import { servesMeanwhile } from './delivery/serves-meanwhile.ts';
import type { DemoAccess } from './explorer/demo-access.ts';
import { buildOpenApiDocument } from './explorer/openapi-document.ts';
import { type ManagementPage, registerExplorer } from './explorer/register-explorer.ts';
import { registerWelcomePage } from './explorer/register-welcome-page.ts';
import { type AccessLog, createAccessLog } from './http/access-log.ts';
import { createHttpServer } from './http/create-http-server.ts';
import type { DrainState } from './http/drain.ts';
import { registerHealth } from './http/health.ts';
import { registerMetrics } from './http/register-metrics.ts';
import { createBaseUrlReader, readListeningOrigin } from './http/request-origin.ts';
import type { TrafficFigures } from './http/traffic-history.ts';
import { createTrafficLedger, type TrafficLedger } from './http/traffic-ledger.ts';
import { TrafficWatch } from './http/traffic-watch.ts';
import { CursorKey } from './listing/cursor.ts';
import { buildManagementDocument } from './management/openapi/build-management-document.ts';
import { registerManagement } from './management/register-management.ts';
import { MANAGEMENT_ROUTES } from './management/routes.ts';
import { hasSessionCookie } from './management/session-cookie.ts';
import { locateInPackage } from './package-folder.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage/port.ts';

export interface AppParts {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly log: Logger;
  readonly drain: DrainState;
  readonly now: () => number;
  readonly version: string;
  readonly demoAccess: DemoAccess | undefined;
  /** None are served where there are none. */
  readonly metrics?: ServiceMetrics | undefined;
  /** Of all processes on the same port; this process's own unless it is given. */
  readonly trafficLedger?: TrafficLedger | undefined;
}

export function createApp(parts: AppParts): FastifyInstance {
  const { settings, storage, log, drain, now, version, demoAccess, metrics } = parts;
  const { headerPrefix, publicUrl, trustProxy } = settings;
  const staleMs = settings.staleSeconds * 1000;
  const keyUsage = new KeyUsage(storage, log);
  const cache = new AnswerCache(settings.cacheMb * 1024 * 1024);
  const accessLog = openAccessLog(settings, log);
  const readBaseUrl = createBaseUrlReader({ publicUrl, trustProxy }, () => readListeningOrigin(server));
  const delivery = createDelivery({
    reads: storage.delivery,
    log,
    cache,
    rateLimit: new RateLimit(settings.rateLimit),
    keyUsage,
    noteCaller: accessLog?.note,
    headerNames: buildHeaderNames(headerPrefix),
    now,
    staleMs,
    defaultMatch: settings.match,
    isEmptySlugNotFound: settings.emptySlug === '404',
    cursorKey: new CursorKey(storage.deriveKey('cursors')),
    readBaseUrl,
  });
  const server: FastifyInstance = createHttpServer({
    log,
    drain,
    trustProxy,
    headerPrefix,
    takeFirst: delivery.take,
    watches: [metrics?.watchRequests(), accessLog?.watch].filter((watch) => watch !== undefined),
  });
  server.addHook('onClose', () => keyUsage.close());
  const traffic = parts.trafficLedger ?? createTrafficLedger(now);
  const trafficWatch = new TrafficWatch({ now, read: () => readFigures(cache), tell: traffic.add });
  traffic.beforeRead(() => trafficWatch.look());
  server.addHook('onClose', () => trafficWatch.close());
  registerDelivery(server, delivery);
  if (settings.isAdminServed) {
    const desk = { storage, now, newUuid: randomUUIDv7, randomBytes };
    registerManagement(server, {
      desk,
      deliver: (siteNo, contentId) => deliverContent(storage.delivery, siteNo, contentId),
      isPublicUrlSecure: publicUrl?.startsWith('https:') === true,
      publicHost: publicUrl === null ? null : new URL(publicUrl).host,
      readTraffic: traffic.read,
      noteCaller: accessLog?.note,
    });
    registerAdmin(server, { folder: locateInPackage('panel'), headerPrefix, publicUrl });
  }
  const document = buildOpenApiDocument({ headerPrefix, version, ...(publicUrl === null ? {} : { publicUrl }) });
  const management = settings.isAdminServed ? buildManagementPage(publicUrl, version) : undefined;
  registerExplorer(server, { document, demoAccess, management });
  registerWelcomePage(server, { readBaseUrl, hasAdmin: settings.isAdminServed });
  if (metrics !== undefined) {
    metrics.watchCache(cache);
    metrics.watchDatabase(() => storage.figures());
    registerMetrics(server, metrics);
  }
  registerHealth(server, {
    checks: { database: () => storage.check() },
    bears: (failure) => servesMeanwhile(failure, storage, { staleMs, cacheMb: settings.cacheMb }),
    drain,
    log,
  });
  return server;
}

/** Whoever looks for a fault sees each request, without having asked for an access log. */
function openAccessLog({ isAccessLogged }: Settings, log: Logger): AccessLog | undefined {
  const level = isAccessLogged ? 'info' : 'debug';
  return log.isLevelEnabled(level) ? createAccessLog(log, level) : undefined;
}

function readFigures({ figures: { hits, misses } }: AnswerCache): TrafficFigures {
  return { answers: hits + misses, hits };
}

function buildManagementPage(publicUrl: string | null, version: string): ManagementPage {
  return {
    buildDocument: () => buildManagementDocument({ routes: MANAGEMENT_ROUTES, publicUrl, version }),
    hasSessionCookie,
  };
}
