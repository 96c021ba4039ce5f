// The Prometheus metrics at /metrics. They are off by default, because they should not be public. Import this file only if metrics are
// on: its library makes up a tenth of the code that a service loads.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { registerScheduleMetrics } from './authoring/schedule/schedule-metrics.ts';
import type { SchedulerWatch } from './authoring/schedule/scheduler.ts';
import type { AnswerCache } from './delivery/answer-cache.ts';
import type { WatchRequest } from './http/create-node-server.ts';
import type { MetricsText } from './http/health.ts';
import { registerRequestMetrics } from './http/request-metrics.ts';
import type { DatabaseFigures } from './storage/engine.ts';
import type { SenderWatch } from './webhooks/sender.ts';
import { registerWebhookMetrics } from './webhooks/webhook-metrics.ts';

export interface ServiceMetrics extends MetricsText {
  /** This process's registry. */
  readonly registry: Registry;
  readonly watchRequests: () => WatchRequest;
  readonly watchCache: (cache: AnswerCache) => void;
  readonly watchStreams: (countStreams: () => number) => void;
  readonly watchDatabase: (readFigures: () => DatabaseFigures | undefined) => void;
  readonly watchWrites: (isWritable: () => boolean) => void;
  readonly watchSchedules: (now: () => number) => SchedulerWatch;
  readonly watchWebhooks: () => SenderWatch;
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
    watchStreams: (countStreams) => registerStreamMetrics(registry, countStreams),
    watchDatabase: (readFigures) => registerDatabaseMetrics(registry, readFigures),
    watchWrites: (isWritable) => registerWriteMetrics(registry, isWritable),
    watchSchedules: (now) => registerScheduleMetrics(registry, now),
    watchWebhooks: () => registerWebhookMetrics(registry),
  };
}

/** The values are read from the cache only when metrics are requested, so they do not slow down other requests. */
function registerCacheMetrics(registry: Registry, cache: AnswerCache): void {
  const registers = [registry];
  new Counter({
    name: 'galley_cache_answers_total',
    help: 'Responses with published content, by whether they came from the cache.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, cache.figures.hits);
      this.inc({ result: 'miss' }, cache.figures.misses);
    },
  });
  new Gauge({
    name: 'galley_cache_entries',
    help: 'Responses in the cache.',
    registers,
    collect() {
      this.set(cache.figures.entries);
    },
  });
  new Gauge({
    name: 'galley_cache_bytes',
    help: 'Approximate memory used by the responses in the cache.',
    registers,
    collect() {
      this.set(cache.figures.bytes);
    },
  });
  new Gauge({
    name: 'galley_cache_limit_bytes',
    help: 'Memory limit of the cache (GALLEY_CACHE_MB).',
    registers,
    collect() {
      this.set(cache.figures.mostBytes);
    },
  });
  new Gauge({
    name: 'galley_site_generation',
    help: 'The generation number of each site in the latest response for that site. The number changes whenever a public response changes, but not when a draft does.',
    labelNames: ['site'],
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      for (const [site, generation] of cache.generations) this.set({ site }, generation);
    },
  });
}

/** These values are read when metrics are requested. SQLite has none of them. */
function registerDatabaseMetrics(registry: Registry, readFigures: () => DatabaseFigures | undefined): void {
  if (readFigures() === undefined) return;
  const registers = [registry];
  new Gauge({
    name: 'galley_database_stamp_age_seconds',
    help: 'Time since this node was last known to have seen all writes by other nodes.',
    aggregator: 'max',
    registers,
    collect() {
      const ageMs = readFigures()?.stampAgeMs;
      if (ageMs === undefined) this.reset();
      else this.set(ageMs / 1000);
    },
  });
  new Gauge({
    name: 'galley_database_listener_up',
    help: 'Whether the connection that reports new writes is open: 1 or 0.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(readFigures()?.isListening === true ? 1 : 0);
    },
  });
  new Counter({
    name: 'galley_database_failed_polls_total',
    help: 'Number of times the database did not respond when asked for its latest state.',
    registers,
    collect() {
      this.reset();
      this.inc(readFigures()?.failedPolls ?? 0);
    },
  });
  new Gauge({
    name: 'galley_database_connections',
    help: 'Connections in each pool, by state; `waiting` counts requests that are waiting for a connection.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      const { pools = {}, replicas = [] } = readFigures() ?? {};
      const replicaPools = replicas.map(({ name, pool }) => [`replica ${name}`, pool] as const);
      for (const [pool, { total, idle, waiting }] of [...Object.entries(pools), ...replicaPools]) {
        this.set({ pool, state: 'total' }, total);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
  new Gauge({
    name: 'galley_replica_up',
    help: 'Whether requests are served from a replica: 1 or 0.',
    labelNames: ['replica'],
    aggregator: 'min',
    registers,
    collect() {
      for (const { name, isUsed } of readFigures()?.replicas ?? []) this.set({ replica: name }, isUsed ? 1 : 0);
    },
  });
  new Gauge({
    name: 'galley_replica_lag_seconds',
    help: 'Time since this node saw the oldest write that a replica does not have yet.',
    labelNames: ['replica'],
    aggregator: 'max',
    registers,
    collect() {
      for (const { name, lagMs } of readFigures()?.replicas ?? []) this.set({ replica: name }, lagMs / 1000);
    },
  });
}

function registerStreamMetrics(registry: Registry, countStreams: () => number): void {
  new Gauge({
    name: 'galley_change_streams',
    help: 'Open change streams.',
    registers: [registry],
    collect() {
      this.set(countStreams());
    },
  });
}

function registerWriteMetrics(registry: Registry, isWritable: () => boolean): void {
  new Gauge({
    name: 'galley_storage_writable',
    help: 'Whether changes can be saved, as far as this node knows: 1, or 0 after a write failed on a full or faulty disk or a read-only database.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(isWritable() ? 1 : 0);
    },
  });
}
