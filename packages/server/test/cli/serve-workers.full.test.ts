import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { NewManagementTokenBody, TrafficBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, type RunningServer, runForJson, startServer } from '../support/galley-command.ts';

/** Uses its own connection, because a connection stays with one process. */
function request(url: string, { headers = {}, signal }: Pick<RequestInit, 'headers' | 'signal'> = {}) {
  return fetch(url, { headers: { ...headers, connection: 'close' }, signal: signal ?? null });
}

async function requestEach(url: string, count: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await request(url)).status);
  return statuses;
}

/** The workers that have handled requests for a path that starts with this text. */
function findWorkers({ log }: RunningServer, start: string): ReadonlySet<number> {
  const lines = log.filter(({ msg, path }) => msg === 'request' && String(path).startsWith(start));
  return new Set(lines.map(({ pid }) => Number(pid)));
}

interface ImageProcess {
  readonly pid: number;
  readonly parent: number;
}

/** Includes image processes that this test did not start. */
function listImageProcesses(): readonly ImageProcess[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes('render-process'))
    .map((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      return { pid: pid ?? 0, parent: parent ?? 0 };
    });
}

/** Requests new variants at the same time, each on its own connection. */
function requestVariants(
  picture: string,
  widths: readonly number[],
  signal: AbortSignal | null = null,
): Promise<readonly (number | undefined)[]> {
  return Promise.all(
    widths.map(async (width) => {
      const response = await request(`${picture}?w=${width}`, { signal }).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status;
    }),
  );
}

function addUp({ data }: TrafficBody) {
  const add = (name: 'answers' | 'hits') => data.reduce((sum, each) => sum + each[name], 0);
  return { answers: add('answers'), hits: add('hits') };
}

describe('galley serve --workers', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let server: RunningServer;
  let reader: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await makeFolder();
    const env = { GALLEY_ACCESS_LOG: 'true', GALLEY_RATE_LIMIT: '1000' };
    server = await startServer({ cwd: folder.path, env }, ['--workers', '2']);
    const key = /gk_[\w-]+/.exec(server.printed)?.[0] ?? '';
    reader = { authorization: `Bearer ${key}`, 'x-service-site': 's_demo' };
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** Kills a worker, and resolves once the primary process knows. Until then, it may send it further connections. */
  async function killWorker(pid: number): Promise<void> {
    const countDeaths = () => server.log.filter(({ msg }) => msg === 'a worker died').length;
    const before = countDeaths();
    process.kill(pid, 'SIGKILL');
    await server.waitForLog(() => countDeaths() > before);
  }

  async function waitForReplacements(count: number): Promise<void> {
    await server.waitForLog(() => server.log.filter(({ msg }) => msg === 'a worker was replaced').length === count);
  }

  test('shares one port, replaces a worker that dies, and reports the traffic of all workers, dead or alive', async () => {
    const cwd = folder.path;
    const created = await runForJson(['token', 'create', '--name', 'Dashboard'], { cwd });
    const { token } = created as NewManagementTokenBody;
    const readTraffic = async () => {
      const response = await request(`${server.url}/manage/v1/traffic`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return addUp((await response.json()) as TrafficBody);
    };

    for (let count = 0; count < 8; count++) {
      const response = await request(`${server.url}/api/v1/content`, { headers: reader });
      // Each worker counts its own traffic, and every response includes the total.
      expect([response.status, response.headers.get('ratelimit')]).toEqual([
        200,
        expect.stringMatching(/^"key";r=99\d;t=\d+$/),
      ]);
    }
    await server.waitForLog(() => findWorkers(server, '/api/v1/content').size === 2);
    expect([...findWorkers(server, '/api/v1/content')]).not.toContain(server.pid);
    // By now each worker has rendered the response once.
    const seen = { answers: 8, hits: 6 };
    for (let count = 0; count < 4; count++) expect(await readTraffic()).toEqual(seen);
    await server.waitForLog(() => findWorkers(server, '/manage/v1/traffic').size === 2);

    const [victim = 0] = findWorkers(server, '/manage/v1/traffic');
    await killWorker(victim);
    expect(await requestEach(`${server.url}/openapi.json`, 3)).toEqual([200, 200, 200]);
    await waitForReplacements(1);
    for (let count = 0; count < 4; count++) expect(await readTraffic()).toEqual(seen);
    await server.waitForLog(() => findWorkers(server, '/manage/v1/traffic').size === 3);
  });

  test('shares one pool of image processes, which outlives a worker', async () => {
    const body = await (await request(`${server.url}/api/v1/content`, { headers: reader })).text();
    const picture = /"url":"(http[^"]+\/assets\/[^"]+\.jpe?g)"/.exec(body)?.[1] ?? '';
    expect(await requestVariants(picture, [100, 101, 102, 103, 104, 105])).toEqual(Array(6).fill(200));
    await server.waitForLog(() => findWorkers(server, '/assets/').size === 2);
    const workers = findWorkers(server, '/assets/');
    const processes = listImageProcesses();
    expect(processes.filter(({ parent }) => workers.has(parent))).toEqual([]);
    const shared = processes.filter(({ parent }) => parent === server.pid);
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.length).toBeLessThanOrEqual(availableParallelism());

    // A connection that Node hands to a worker just as the worker dies is neither served nor closed.
    const givingUp = new AbortController();
    const interrupted = requestVariants(picture, [300, 301, 302, 303], givingUp.signal);
    await killWorker([...workers][0] ?? 0);
    expect(await requestVariants(picture, [200, 201, 202])).toEqual([200, 200, 200]);
    givingUp.abort();
    await interrupted;
    await waitForReplacements(2);
  });

  test('stops all workers and image processes', async () => {
    const shared = listImageProcesses().filter(({ parent }) => parent === server.pid);
    const { status, stderr } = await server.stop();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(server.log.filter(({ msg }) => msg === 'listening')).toHaveLength(1);
    for (const worker of findWorkers(server, '/')) expect(() => process.kill(worker, 0)).toThrow('ESRCH');
    const isLeft = ({ pid }: ImageProcess) => shared.some((each) => each.pid === pid);
    await expect.poll(() => listImageProcesses().filter(isLeft)).toEqual([]);
  });

  test('keeps serving during the drain phase, while every worker reports that it is not ready', async () => {
    const env = { GALLEY_DEMO: 'false', GALLEY_DRAIN_MS: '300000' };
    await using draining = await startServer({ cwd: folder.path, env }, ['--workers', '2']);
    const ask = (path: string) => requestEach(`${draining.url}${path}`, 4);
    expect(await ask('/readyz')).toEqual([200, 200, 200, 200]);
    const stopped = draining.stop();
    await expect.poll(() => ask('/readyz')).toEqual([503, 503, 503, 503]);
    expect(await ask('/livez')).toEqual([200, 200, 200, 200]);
    // Galley ignores further signals for half a second. After that, a second one stops it immediately.
    await expect
      .poll(() => {
        void draining.stop();
        return draining.log.map(({ msg }) => msg);
      })
      .toContain('stopped immediately');
    expect(await stopped).toMatchObject({ status: 0, stderr: '' });
  });
});
