// Starts a service: the app on a port, the timer for its schedules, and the sender of its webhook calls. The service can be stopped without
// losing a request.

import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { createApp, createServiceDesk, openLargeWork } from './app.ts';
import { createAssetTools, type OpenImages } from './asset-tools.ts';
import { startScheduler } from './authoring/schedule/scheduler.ts';
import { buildId } from './content/ids.ts';
import type { DemoAccess } from './explorer/register-explorer.ts';
import { createDrainState, installShutdown } from './http/drain.ts';
import { readListeningOrigin } from './http/request-origin.ts';
import type { TrafficLedger } from './http/traffic.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage/storage.ts';
import { createTargetRule } from './webhooks/allowed-targets.ts';
import { type Sender, type SenderOptions, type SenderWatch, startSender } from './webhooks/sender.ts';

export interface ServiceParts {
  readonly settings: Settings;
  /** Closed once the service has stopped. */
  readonly storage: Storage;
  readonly log: Logger;
  readonly version: string;
  /** Fills in the explorer's API key. Only for a demo that listens on a loopback address. */
  readonly demoAccess?: DemoAccess | undefined;
  /** The metrics to serve. Defaults to this process's metrics. */
  readonly openMetrics?: () => Promise<ServiceMetrics>;
  /** The traffic of all processes on the same port. Defaults to this process's traffic. */
  readonly trafficLedger?: TrafficLedger | undefined;
  /** The image processes to use. Defaults to this process's own image processes. */
  readonly openImages?: OpenImages | undefined;
  /** Replaces the default timings for webhook calls. */
  readonly webhooks?: SenderOptions;
  /** Signals that stop the service and end the process. None by default. */
  readonly signals?: readonly NodeJS.Signals[];
}

export interface RunningService {
  /** `http://HOST:PORT`, reachable from this machine. */
  readonly url: string;
  /** Lets requests and the running schedule finish, then closes the storage. */
  readonly stop: () => Promise<void>;
}

export async function startService(parts: ServiceParts): Promise<RunningService> {
  const { settings, storage, log, version, demoAccess, trafficLedger, openImages, webhooks, signals = [] } = parts;
  const metrics = settings.isMetricsServed ? await (parts.openMetrics ?? openOwnMetrics)() : undefined;
  const drain = createDrainState();
  const large = openLargeWork(settings, storage);
  const server = createApp({
    settings,
    storage,
    log,
    drain,
    now: Date.now,
    version,
    demoAccess,
    metrics,
    trafficLedger,
    large,
    assets: createAssetTools(settings, log, openImages),
  });
  try {
    await server.listen({ host: settings.host, port: settings.port });
  } catch (error) {
    await server.close();
    throw error;
  }
  const scheduler = startScheduler({
    desk: createServiceDesk(storage, large, Date.now),
    log,
    watch: metrics?.watchSchedules(Date.now),
  });
  const sender = sendWebhooks({ settings, storage, log, watch: metrics?.watchWebhooks(), options: webhooks });
  async function close(): Promise<void> {
    await scheduler.stop();
    await sender.stop();
    await storage.close();
  }
  const { stop } = installShutdown({
    server,
    drain,
    log,
    signals,
    drainMs: settings.drainMs,
    onStopping: () => {
      storage.stopWaiting();
      // Another process can take over while this one finishes its requests.
      void sender.stop();
    },
    onClosed: close,
  });
  return { url: readListeningOrigin(server), stop };
}

export interface SendingParts {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly log: Logger;
  readonly watch?: SenderWatch | undefined;
  readonly options?: SenderOptions | undefined;
}

/** Sends webhook calls until it is stopped, unless another process that uses the same database is sending them. */
export function sendWebhooks({ settings, storage, log, watch, options = {} }: SendingParts): Sender {
  return startSender({
    storage,
    log,
    now: Date.now,
    newCallId: () => buildId('webhookCall', randomUUIDv7()),
    publicUrl: settings.publicUrl,
    rules: { isAllowed: createTargetRule(settings.webhookAllow) },
    watch,
    ...options,
  });
}

async function openOwnMetrics(): Promise<ServiceMetrics> {
  const { createServiceMetrics } = await import('./service-metrics.ts');
  return createServiceMetrics();
}
