// The combined metrics of all workers: the worker that gets the request asks the primary process, which collects them.

import { AggregatorRegistry } from 'prom-client';
import { createServiceMetrics, type ServiceMetrics } from '../service-metrics.ts';
import type { AskFirstProcess } from './worker-messages.ts';

/** Runs in a worker. */
export function createSharedMetrics(ask: AskFirstProcess): ServiceMetrics {
  const own = createServiceMetrics();
  AggregatorRegistry.setRegistries(own.registry);
  // From now on, this process sends its metrics to the primary.
  new AggregatorRegistry();
  return { ...own, read: async () => String(await ask('metrics')) };
}

/** Runs in the primary process. */
export function createMetricsCollection(): () => Promise<string> {
  const all = new AggregatorRegistry();
  return () => all.clusterMetrics();
}
