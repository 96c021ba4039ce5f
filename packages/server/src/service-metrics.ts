// What Prometheus reads at /metrics. Off unless asked for: the figures tell strangers more than they need to know. To be
// loaded only where it is asked for: what it is made with is a tenth of all that a service loads.

import { collectDefaultMetrics, Registry } from 'prom-client';
import { registerScheduleMetrics } from './authoring/schedule/schedule-metrics.ts';
import type { SchedulerWatch } from './authoring/schedule/scheduler.ts';
import type { AnswerCache } from './delivery/answer-cache.ts';
import { registerCacheMetrics } from './delivery/cache-metrics.ts';
import type { WatchRequest } from './http/create-node-server.ts';
import { registerDatabaseMetrics, registerWriteMetrics } from './http/database-metrics.ts';
import type { MetricsText } from './http/register-metrics.ts';
import { registerRequestMetrics } from './http/request-metrics.ts';
import type { DatabaseFigures } from './storage/port.ts';

export interface ServiceMetrics extends MetricsText {
  /** Of this process. */
  readonly registry: Registry;
  readonly watchRequests: () => WatchRequest;
  readonly watchCache: (cache: AnswerCache) => void;
  readonly watchDatabase: (readFigures: () => DatabaseFigures | undefined) => void;
  readonly watchWrites: (isWritable: () => boolean) => void;
  readonly watchSchedules: (now: () => number) => SchedulerWatch;
}

export function createServiceMetrics(): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    contentType: registry.contentType,
    read: () => registry.metrics(),
    watchRequests: () => registerRequestMetrics(registry),
    watchCache: (cache) => registerCacheMetrics(registry, cache),
    watchDatabase: (readFigures) => registerDatabaseMetrics(registry, readFigures),
    watchWrites: (isWritable) => registerWriteMetrics(registry, isWritable),
    watchSchedules: (now) => registerScheduleMetrics(registry, now),
  };
}
