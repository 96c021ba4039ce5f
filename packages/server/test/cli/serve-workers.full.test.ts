import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { makeFolder, type RunningServer, startServer } from '../support/galley-command.ts';

/** Each request uses its own connection, because a connection stays with one process. */
async function requestEach(url: string, count: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    statuses.push((await fetch(url, { headers: { connection: 'close' } })).status);
  }
  return statuses;
}

/** The workers that have handled requests for a path that starts with this text. */
function findWorkers({ log }: RunningServer, start: string): ReadonlySet<number> {
  const lines = log.filter(({ msg, path }) => msg === 'request' && String(path).startsWith(start));
  return new Set(lines.map(({ pid }) => Number(pid)));
}

/** The URL of a picture on the demo site. */
async function findPicture({ url, printed }: RunningServer): Promise<string> {
  const key = /gk_[\w-]+/.exec(printed)?.[0] ?? '';
  const headers = { authorization: `Bearer ${key}`, 'x-service-site': 's_demo' };
  const body = await (await fetch(`${url}/api/v1/content`, { headers })).text();
  return /"url":"(http[^"]+\/assets\/[^"]+\.jpe?g)"/.exec(body)?.[1] ?? '';
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

/**
 * A connection that Node hands to a worker just as the worker dies is neither served nor closed, so a client has to give up on its own.
 * Fetch would wait for five minutes.
 */
const LONGEST_REQUEST_MS = 30_000;

/** Requests new variants at the same time, each on its own connection. */
function requestVariants(picture: string, widths: readonly number[]): Promise<readonly (number | undefined)[]> {
  return Promise.all(
    widths.map(async (width) => {
      const response = await fetch(`${picture}?w=${width}`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(LONGEST_REQUEST_MS),
      }).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status;
    }),
  );
}

describe('galley serve --workers', () => {
  test('shares one port, replaces a worker that dies, and stops all workers', async () => {
    await using folder = await makeFolder();
    await using server = await startServer({ cwd: folder.path, env: { GALLEY_ACCESS_LOG: 'true' } }, [
      '--workers',
      '2',
    ]);
    const workersThatAnswered = () => findWorkers(server, '/openapi.json');
    expect(server.printed).toContain('gk_');

    expect(await requestEach(`${server.url}/openapi.json`, 6)).toEqual(Array.from({ length: 6 }, () => 200));
    await server.waitForLog(() => workersThatAnswered().size === 2);
    const [victim = 0, survivor = 0] = workersThatAnswered();
    expect([victim, survivor]).not.toContain(server.pid);

    process.kill(victim, 'SIGKILL');
    await server.waitForLog(({ msg }) => msg === 'a worker died');
    expect(await requestEach(`${server.url}/openapi.json`, 3)).toEqual([200, 200, 200]);
    await server.waitForLog(({ msg }) => msg === 'a worker was replaced');
    expect(await requestEach(`${server.url}/openapi.json`, 4)).toEqual([200, 200, 200, 200]);
    await server.waitForLog(() => workersThatAnswered().size === 3);

    const { status, stderr } = await server.stop();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(server.log.filter(({ msg }) => msg === 'listening')).toHaveLength(1);
    for (const worker of workersThatAnswered()) expect(() => process.kill(worker, 0)).toThrow('ESRCH');
  });

  test('keeps serving during the drain phase, while every worker reports that it is not ready', async () => {
    await using folder = await makeFolder();
    const env = { GALLEY_DEMO: 'false', GALLEY_DRAIN_MS: '10000' };
    await using server = await startServer({ cwd: folder.path, env }, ['--workers', '2']);
    expect(await requestEach(`${server.url}/readyz`, 4)).toEqual([200, 200, 200, 200]);
    const stopped = server.stop();
    await server.waitForLog(({ msg }) => msg === 'stopping');
    await expect.poll(() => requestEach(`${server.url}/readyz`, 4)).toEqual([503, 503, 503, 503]);
    expect(await requestEach(`${server.url}/livez`, 4)).toEqual([200, 200, 200, 200]);
    const { status, stderr } = await stopped;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('shares one pool of image processes, which outlives a worker', async () => {
    await using folder = await makeFolder();
    await using server = await startServer({ cwd: folder.path, env: { GALLEY_ACCESS_LOG: 'true' } }, [
      '--workers',
      '3',
    ]);
    const picture = await findPicture(server);
    const widths = Array.from({ length: 12 }, (_, index) => 100 + index);
    expect(await requestVariants(picture, widths)).toEqual(widths.map(() => 200));
    await server.waitForLog(() => findWorkers(server, '/assets/').size === 3);
    const workers = findWorkers(server, '/assets/');
    const processes = listImageProcesses();
    expect(processes.filter(({ parent }) => workers.has(parent))).toEqual([]);
    const shared = processes.filter(({ parent }) => parent === server.pid);
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.length).toBeLessThanOrEqual(availableParallelism());

    const interrupted = requestVariants(picture, [1000, 1001, 1002, 1003, 1004, 1005]);
    process.kill([...workers][0] ?? 0, 'SIGKILL');
    await interrupted;
    expect(await requestVariants(picture, [200, 201, 202])).toEqual([200, 200, 200]);
    expect((await server.stop()).status).toBe(0);
    const isLeft = ({ pid }: ImageProcess) => shared.some((each) => each.pid === pid);
    await expect.poll(() => listImageProcesses().filter(isLeft)).toEqual([]);
  });
});
