// Endpoints for load balancers, orchestrators and monitoring: liveness, readiness and metrics. A node is ready even if it can
// serve requests only from memory. Anyone may call the first two, so they must be cheap: readiness is checked at most once a second.

import type { AliveBody, NotReadyBody, ReadyBody } from '@galley/wire';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { StorageUnavailable } from '../storage/engine.ts';
import type { Storage } from '../storage/storage.ts';
import type { DrainState } from './drain.ts';

/** Resolves if the check passes. A rejection or a timeout is a failure. */
export type HealthCheck = () => Promise<unknown>;

export interface HealthOptions {
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** Known problems that do not prevent the node from serving requests. They have already been logged. */
  readonly findImpaired?: () => readonly string[];
  /** Whether the node can serve requests even though a check failed with this error. */
  readonly bears?: (failure: unknown) => boolean;
  readonly drain: DrainState;
  readonly log: Logger;
  readonly now?: () => number;
  readonly checkTimeoutMs?: number;
}

/** Thrown by a check that timed out. */
class CheckTimeout extends Error {}

type ReadinessBody = ReadyBody | NotReadyBody;

const FRESH_MS = 1_000;
const ALIVE: AliveBody = Object.freeze({ status: 'ok' });
const DRAINING: NotReadyBody = Object.freeze({ status: 'unavailable', checks: Object.freeze({}) });

export function registerHealth(server: FastifyInstance, options: HealthOptions): void {
  const readReadiness = shareReadiness(options);

  server.get('/livez', (_request, reply) => {
    reply.header('cache-control', 'no-store').send(ALIVE);
  });
  server.get('/readyz', async (_request, reply) => {
    const body = options.drain.isDraining ? DRAINING : await readReadiness();
    return reply
      .code(body.status === 'unavailable' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(body);
  });
}

function shareReadiness(options: HealthOptions): () => Promise<ReadinessBody> {
  const { now = performance.now.bind(performance) } = options;
  let latest: Promise<ReadinessBody> | undefined;
  let startedAt = 0;
  let isRunning = false;
  return () => {
    if (latest !== undefined && (isRunning || now() - startedAt < FRESH_MS)) return latest;
    startedAt = now();
    isRunning = true;
    latest = runChecks(options).finally(() => {
      isRunning = false;
    });
    return latest;
  };
}

async function runChecks(options: HealthOptions): Promise<ReadinessBody> {
  const { checks, findImpaired = () => [], bears = () => false, log, checkTimeoutMs = 2_000 } = options;
  const failures: unknown[] = [];
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, 'ok' | 'failed']> => {
      try {
        await withTimeout(check, checkTimeoutMs);
        return [name, 'ok'];
      } catch (error) {
        failures.push(error);
        log.warn({ check: name, err: error }, 'readiness check failed');
        return [name, 'failed'];
      }
    }),
  );
  const impaired = findImpaired().map((name) => [name, 'failed'] as const);
  return {
    status: judge(failures, bears, impaired.length > 0),
    checks: Object.fromEntries([...outcomes, ...impaired]),
  };
}

function judge(
  failures: readonly unknown[],
  bears: (failure: unknown) => boolean,
  isImpaired: boolean,
): ReadinessBody['status'] {
  if (!failures.every(bears)) return 'unavailable';
  return failures.length > 0 || isImpaired ? 'degraded' : 'ok';
}

async function withTimeout(check: HealthCheck, timeoutMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new CheckTimeout(`no response within ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

export interface MetricsText {
  readonly contentType: string;
  /** The metrics of all processes that share the port. */
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

export interface StaleLimits {
  readonly staleMs: number;
  readonly cacheMb: number;
}

/**
 * Whether readers still get responses, from replicas or from memory, while the primary database is unreachable.
 * @param failure the error from the database check
 */
export function servesMeanwhile(
  failure: unknown,
  storage: Pick<Storage, 'delivery' | 'figures'>,
  { staleMs, cacheMb }: StaleLimits,
): boolean {
  if (!(failure instanceof StorageUnavailable || failure instanceof CheckTimeout)) return false;
  if (storage.figures()?.replicas.some(({ isUsed }) => isUsed)) return true;
  const outageMs = storage.delivery.outageMs();
  return outageMs !== undefined && outageMs <= staleMs && cacheMb > 0;
}
