// What Prometheus reads at /metrics. Off unless asked for: the figures tell strangers more than they need to know.

import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';

export interface ServiceMetrics {
  /** Of this process. */
  readonly registry: Registry;
  /** The figures of all processes that share the port, as text. */
  readonly read: () => Promise<string>;
}

export function createServiceMetrics(): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, read: () => registry.metrics() };
}

export function registerMetrics(server: FastifyInstance, { registry, read }: ServiceMetrics): void {
  server.get('/metrics', async (_request, reply) =>
    reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send(await read()),
  );
}
