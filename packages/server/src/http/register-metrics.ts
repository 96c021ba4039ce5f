import type { FastifyInstance } from 'fastify';

export interface MetricsText {
  readonly contentType: string;
  /** The figures of all processes that share the port. */
  readonly read: () => Promise<string>;
}

export function registerMetrics(server: FastifyInstance, { contentType, read }: MetricsText): void {
  server.get('/metrics', async (_request, reply) =>
    reply
      .header('content-type', contentType)
      .header('cache-control', 'no-store')
      .send(await read()),
  );
}
