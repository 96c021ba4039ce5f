// Figures of all workers at once: whichever of them is asked for them asks the first process, which collects them.

import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { createServiceMetrics, type ServiceMetrics } from '../http/service-metrics.ts';
import { isMetricsReply, isMetricsRequest, type MetricsReply, type MetricsRequest } from './worker-message.ts';

/** Longer than the first process waits for the workers. */
const LONGEST_WAIT_MS = 6_000;

/** In a worker. */
export function createSharedMetrics(): ServiceMetrics {
  const own = createServiceMetrics();
  AggregatorRegistry.setRegistries(own.registry);
  // From here on this process tells the first one its figures.
  new AggregatorRegistry();
  const waiting = new Map<number, (reply: MetricsReply) => void>();
  let count = 0;
  process.on('message', (message) => {
    if (isMetricsReply(message)) waiting.get(message.metricsReply)?.(message);
  });
  async function read(): Promise<string> {
    count += 1;
    const request: MetricsRequest = { metricsRequest: count };
    const { promise, resolve } = Promise.withResolvers<MetricsReply>();
    const timer = setTimeout(() => resolve({ metricsReply: request.metricsRequest }), LONGEST_WAIT_MS);
    waiting.set(request.metricsRequest, resolve);
    process.send?.(request);
    const { text } = await promise;
    clearTimeout(timer);
    waiting.delete(request.metricsRequest);
    if (text === undefined) throw new Error('The first process gave no metrics');
    return text;
  }
  return { registry: own.registry, read };
}

/** In the first process. */
export function answerMetricsRequests(): (worker: Worker, message: unknown) => void {
  const all = new AggregatorRegistry();
  return (worker, message) => {
    if (!isMetricsRequest(message)) return;
    const reply = (text?: string): void => {
      if (worker.isConnected()) worker.send({ metricsReply: message.metricsRequest, text } satisfies MetricsReply);
    };
    all.clusterMetrics().then(reply, () => reply());
  };
}
