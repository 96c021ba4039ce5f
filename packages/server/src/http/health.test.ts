import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState } from './drain.ts';
import { type HealthOptions, registerHealth } from './health.ts';

const drain = createDrainState();
const silent = createLogger('silent');

async function withServer(options: Partial<HealthOptions>, use: (origin: string) => Promise<void>): Promise<void> {
  const server: FastifyInstance = createHttpServer({ log: silent, drain, headerPrefix: 'X' });
  registerHealth(server, { checks: {}, drain, log: silent, ...options });
  try {
    await use(await server.listen({ port: 0, host: '127.0.0.1' }));
  } finally {
    await server.close();
  }
}

async function readJson(url: string): Promise<readonly [number, unknown]> {
  const response = await fetch(url);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return [response.status, await response.json()];
}

const pass = async (): Promise<void> => {};
const refuse = async (): Promise<void> => {
  throw new Error('unreachable');
};

describe('/livez', () => {
  test('runs no checks', async () => {
    await withServer({ checks: { database: refuse } }, async (origin) => {
      expect(await readJson(`${origin}/livez`)).toEqual([200, { status: 'ok' }]);
    });
  });
});

describe('/readyz', () => {
  test('is ok when every check passes', async () => {
    await withServer({ checks: { database: pass, generation: pass } }, async (origin) => {
      expect(await readJson(`${origin}/readyz`)).toEqual([
        200,
        { status: 'ok', checks: { database: 'ok', generation: 'ok' } },
      ]);
    });
  });

  test('names the checks that failed, timed out or threw', async () => {
    const checks = {
      database: pass,
      replica: refuse,
      listener: () => new Promise(() => {}),
      broken: (): Promise<void> => {
        throw new Error('at once');
      },
    };
    await withServer({ checks, checkTimeoutMs: 20 }, async (origin) => {
      expect(await readJson(`${origin}/readyz`)).toEqual([
        503,
        { status: 'unavailable', checks: { database: 'ok', replica: 'failed', listener: 'failed', broken: 'failed' } },
      ]);
    });
  });

  test('is degraded but ready during a known problem, and logs nothing', async () => {
    let impaired: readonly string[] = ['writes'];
    const lines = new PassThrough();
    const log = createLogger('debug', lines);
    let time = 0;
    const options = { checks: { database: pass }, findImpaired: () => impaired, log, now: () => time };
    await withServer(options, async (origin) => {
      expect(await readJson(`${origin}/readyz`)).toEqual([
        200,
        { status: 'degraded', checks: { database: 'ok', writes: 'failed' } },
      ]);
      impaired = [];
      time += 1000;
      expect(await readJson(`${origin}/readyz`)).toEqual([200, { status: 'ok', checks: { database: 'ok' } }]);
    });
    await withServer({ checks: { database: refuse }, findImpaired: () => ['writes'] }, async (origin) => {
      expect((await readJson(`${origin}/readyz`))[0]).toBe(503);
    });
    lines.end();
    expect(await text(lines)).toBe('');
  });

  test('is degraded but ready if the node can serve requests despite the failed checks', async () => {
    const bears = (failure: unknown): boolean => failure instanceof Error && failure.message === 'unreachable';
    await withServer({ checks: { database: refuse, other: pass }, bears }, async (origin) => {
      expect(await readJson(`${origin}/readyz`)).toEqual([
        200,
        { status: 'degraded', checks: { database: 'failed', other: 'ok' } },
      ]);
    });
    const broken = async (): Promise<void> => {
      throw new Error('another schema');
    };
    await withServer({ checks: { database: refuse, broken }, bears }, async (origin) => {
      expect(await readJson(`${origin}/readyz`)).toEqual([
        503,
        { status: 'unavailable', checks: { database: 'failed', broken: 'failed' } },
      ]);
    });
  });

  test('runs the checks at most once a second, even if it is called more often', async () => {
    let runs = 0;
    let clock = 5_000;
    const count = async (): Promise<void> => {
      runs += 1;
    };
    await withServer({ checks: { count }, now: () => clock }, async (origin) => {
      await Promise.all(Array.from({ length: 20 }, () => readJson(`${origin}/readyz`)));
      clock += 999;
      await readJson(`${origin}/readyz`);
      expect(runs).toBe(1);
      clock += 1;
      await readJson(`${origin}/readyz`);
      expect(runs).toBe(2);
    });
  });

  test('does not start new checks while earlier ones are still running', async () => {
    let clock = 0;
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const wait = async (): Promise<void> => {
      runs += 1;
      started.resolve();
      await gate.promise;
    };
    await withServer({ checks: { wait }, now: () => clock }, async (origin) => {
      const first = readJson(`${origin}/readyz`);
      await started.promise;
      clock += 10_000;
      const second = readJson(`${origin}/readyz`);
      await readJson(`${origin}/livez`);
      gate.resolve();
      await Promise.all([first, second]);
      expect(runs).toBe(1);
    });
  });

  test('logs why a check failed', async () => {
    const destination = new PassThrough();
    await withServer({ checks: { database: refuse }, log: createLogger('warn', destination) }, async (origin) => {
      await readJson(`${origin}/readyz`);
    });
    destination.end();
    expect(JSON.parse(await text(destination))).toMatchObject({ check: 'database', err: { message: 'unreachable' } });
  });
});

test('both paths accept HEAD, but no method that writes', async () => {
  await withServer({}, async (origin) => {
    for (const path of ['/livez', '/readyz']) {
      expect((await fetch(origin + path, { method: 'HEAD' })).status).toBe(200);
      const refused = await fetch(origin + path, { method: 'POST' });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});
