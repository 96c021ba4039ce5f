// Counts requests, their outcomes and their durations. It counts only if metrics are enabled, and it does so below Fastify, so it sees
// every request.

import type { ServerResponse } from 'node:http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { WatchRequest } from './create-node-server.ts';
import { normalizeTarget } from './request-target.ts';

const APIS = ['delivery', 'management', 'other'] as const;
/** `aborted`: the connection ended before the whole response was sent. */
const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const;

type Api = (typeof APIS)[number];
type Status = (typeof STATUSES)[number];

/** The counts for one API, as plain numbers that are turned into metrics when somebody requests them. */
interface ApiFigures {
  inFlight: number;
  readonly ended: Record<Status, number>;
  readonly time: (seconds: number) => void;
}

const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function registerRequestMetrics(registry: Registry): WatchRequest {
  const figures = createFigures(registry);
  return (request, response) => {
    const startedAt = performance.now();
    const api = figures[findApi(request.url ?? '')];
    api.inFlight += 1;
    response.on('close', () => {
      api.inFlight -= 1;
      const status = readStatus(response);
      api.ended[status] += 1;
      if (status !== 'aborted') api.time((performance.now() - startedAt) / 1000);
    });
  };
}

function createFigures(registry: Registry): Readonly<Record<Api, ApiFigures>> {
  const registers = [registry];
  const durations = new Histogram({
    name: 'galley_request_duration_seconds',
    help: 'Time from the arrival of the request headers to the last byte of the response, by API.',
    labelNames: ['api'],
    buckets: DURATION_BUCKETS,
    registers,
  });

  function createApiFigures(api: Api): ApiFigures {
    durations.zero({ api });
    return {
      inFlight: 0,
      ended: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, aborted: 0 },
      time: durations.labels(api).observe,
    };
  }

  const figures = {
    delivery: createApiFigures('delivery'),
    management: createApiFigures('management'),
    other: createApiFigures('other'),
  };
  new Counter({
    name: 'galley_requests_total',
    help: 'Finished requests, by API and status class.',
    labelNames: ['api', 'status'],
    registers,
    collect() {
      this.reset();
      for (const api of APIS) {
        for (const status of STATUSES) this.inc({ api, status }, figures[api].ended[status]);
      }
    },
  });
  new Gauge({
    name: 'galley_requests_in_flight',
    help: 'Requests in flight, by API.',
    labelNames: ['api'],
    registers,
    collect() {
      for (const api of APIS) this.set({ api }, figures[api].inFlight);
    },
  });
  return figures;
}

function findApi(url: string): Api {
  const path = url.charCodeAt(0) === 47 ? url : (normalizeTarget(url)?.url ?? '');
  if (path.startsWith('/api/')) return 'delivery';
  return path.startsWith('/manage/v1/') ? 'management' : 'other';
}

function readStatus({ statusCode, writableFinished }: ServerResponse): Status {
  if (!writableFinished) return 'aborted';
  if (statusCode < 300) return '2xx';
  if (statusCode < 400) return '3xx';
  return statusCode < 500 ? '4xx' : '5xx';
}
