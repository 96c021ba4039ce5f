import type { NewManagementTokenBody, TrafficBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { makeFolder, type RunningServer, runForJson, startServer } from '../support/galley-command.ts';

const CONTENT = '/api/v1/content';
const TRAFFIC = '/manage/v1/traffic';

function findWorkers({ log }: RunningServer, path: string): ReadonlySet<number> {
  return new Set(log.filter((line) => line.msg === 'request' && line.path === path).map(({ pid }) => Number(pid)));
}

/** Uses its own connection, because a connection stays with one process. */
async function request({ url }: RunningServer, path: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${url}${path}`, { headers: { ...headers, connection: 'close' } });
  expect(response.status).toBe(200);
  return response;
}

function addUp({ data }: TrafficBody) {
  return data.reduce((sum, { answers, hits }) => ({ answers: sum.answers + answers, hits: sum.hits + hits }), {
    answers: 0,
    hits: 0,
  });
}

test('every worker reports the traffic of all workers, even after one of them has died', async () => {
  await using folder = await makeFolder();
  const env = { GALLEY_ACCESS_LOG: 'true', GALLEY_RATE_LIMIT: '1000' };
  await using server = await startServer({ cwd: folder.path, env }, ['--workers', '2']);
  const key = /gk_[\w-]+/.exec(server.printed)?.[0] ?? '';
  const { token } = (await runForJson(['token', 'create', '--name', 'Dashboard'], {
    cwd: folder.path,
  })) as NewManagementTokenBody;
  const readContent = () => request(server, CONTENT, { authorization: `Bearer ${key}`, 'x-service-site': 's_demo' });
  const readTraffic = async () =>
    (await (await request(server, TRAFFIC, { authorization: `Bearer ${token}` })).json()) as TrafficBody;

  for (let count = 0; count < 8; count++) {
    // Each worker counts its own traffic, and every response includes the total.
    expect((await readContent()).headers.get('ratelimit')).toMatch(/^"key";r=99\d;t=\d+$/);
  }
  await server.waitForLog(() => findWorkers(server, CONTENT).size === 2);
  // By now each worker has rendered the response once.
  const seen = { answers: 8, hits: 6 };
  for (let count = 0; count < 4; count++) expect(addUp(await readTraffic())).toEqual(seen);
  await server.waitForLog(() => findWorkers(server, TRAFFIC).size === 2);

  const [victim = 0] = findWorkers(server, TRAFFIC);
  process.kill(victim, 'SIGKILL');
  await server.waitForLog(({ msg }) => msg === 'a worker was replaced');
  for (let count = 0; count < 4; count++) expect(addUp(await readTraffic())).toEqual(seen);
  await server.waitForLog(() => findWorkers(server, TRAFFIC).size === 3);
  expect((await server.stop()).status).toBe(0);
});
