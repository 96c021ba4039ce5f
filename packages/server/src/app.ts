// The service, composed: the HTTP shell, the delivery API, its description and explorer, and health.
// The way of a delivery request starts in delivery/register-delivery.ts.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildHeaderNames } from './delivery/delivery-headers.ts';
import { RateLimit } from './delivery/rate-limit.ts';
import { registerDelivery } from './delivery/register-delivery.ts';
import type { DemoAccess } from './explorer/demo-access.ts';
import { buildOpenApiDocument } from './explorer/openapi-document.ts';
import { registerExplorer } from './explorer/register-explorer.ts';
import { createHttpServer } from './http/create-http-server.ts';
import type { DrainState } from './http/drain.ts';
import { registerHealth } from './http/health.ts';
import { createBaseUrlReader, readListeningOrigin } from './http/request-origin.ts';
import { registerManagement } from './management/register-management.ts';
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
}

export function createApp({ settings, storage, log, drain, now, version, demoAccess }: AppParts): FastifyInstance {
  const { headerPrefix, publicUrl, trustProxy } = settings;
  const server = createHttpServer({ log, drain, trustProxy, headerPrefix });
  registerDelivery(server, {
    reads: storage.delivery,
    rateLimit: new RateLimit(settings.rateLimit),
    headerNames: buildHeaderNames(headerPrefix),
    now,
    defaultMatch: settings.match,
    isEmptySlugNotFound: settings.emptySlug === '404',
    readBaseUrl: createBaseUrlReader({ publicUrl, trustProxy }, () => readListeningOrigin(server)),
  });
  if (settings.isAdminServed) {
    const desk = { storage, now, newUuid: randomUUIDv7, randomBytes };
    registerManagement(server, { desk, isPublicUrlSecure: publicUrl?.startsWith('https:') === true });
  }
  const document = buildOpenApiDocument({ headerPrefix, version, ...(publicUrl === null ? {} : { publicUrl }) });
  registerExplorer(server, { document, demoAccess });
  registerHealth(server, { checks: { database: () => storage.check() }, drain, log });
  return server;
}
