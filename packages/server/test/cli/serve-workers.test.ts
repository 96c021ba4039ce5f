import { describe, expect, test } from 'vitest';
import { makeFolder, startServer } from '../support/galley-command.ts';

/** Each request uses its own connection, because a connection stays with one process. */
async function requestEach(url: string, count: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    statuses.push((await fetch(url, { headers: { connection: 'close' } })).status);
  }
  return statuses;
}

describe('galley serve --workers 2', () => {
  test('shares one port, replaces a worker that dies, and stops all workers', async () => {
    await using folder = await makeFolder();
    await using server = await startServer({ cwd: folder.path, env: { GALLEY_ACCESS_LOG: 'true' } }, [
      '--workers',
      '2',
    ]);
    const workersThatAnswered = () =>
      new Set(
        server.log
          .filter(({ msg, path }) => msg === 'request' && path === '/openapi.json')
          .map(({ pid }) => Number(pid)),
      );
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
});
