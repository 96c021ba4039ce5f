// `galley health` reads the service's address from the settings and exits with a status that reflects the service's health.

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, runGalley } from '../support/galley-command.ts';

// Responds like a ready service, or like one that is not ready if the request was sent to a different address.
const service = createServer(({ url, socket }, response) => {
  const isReady = url === '/readyz' && socket.localAddress === '127.0.0.1';
  response.writeHead(isReady ? 200 : 503).end(`{"status":"${isReady ? 'ok' : 'unavailable'}"}`);
});
let port: string;
let folder: Awaited<ReturnType<typeof makeFolder>>;
/** A port that nothing listens on. */
const NOWHERE = '1';

beforeAll(async () => {
  folder = await makeFolder();
  service.listen(0, '0.0.0.0');
  await once(service, 'listening');
  const address = service.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  port = String(address.port);
  await writeFile(join(folder.path, '.env'), `GALLEY_PORT=${port}\n`);
});

afterAll(async () => {
  service.close();
  await folder[Symbol.asyncDispose]();
});

const PORT = 'the port';

test.each<[env: Readonly<Record<string, string>>, cwd: 'file .env' | 'no file']>([
  [{ PORT }, 'no file'],
  [{ GALLEY_PORT: PORT, PORT: NOWHERE }, 'no file'],
  [{ PORT: NOWHERE }, 'file .env'],
  [{ PORT, GALLEY_HOST: '0.0.0.0' }, 'no file'],
])('galley health finds the service with the variables %j and %s', async (env, cwd) => {
  const given = Object.entries(env).map(([name, value]) => [name, value === PORT ? port : value]);
  const options = { cwd: cwd === 'no file' ? '/' : folder.path, env: Object.fromEntries(given) };
  expect(await runGalley(['health'], options)).toEqual({ status: 0, stdout: '{"status":"ok"}\n', stderr: '' });
});

test.each<[env: Readonly<Record<string, string>>, complaint: string]>([
  [{ GALLEY_PORT: NOWHERE, PORT }, 'The service is not responding at http://127.0.0.1:1/readyz: connect ECONNREFUSED'],
  [{ PORT, GALLEY_HOST: '127.0.0.2' }, 'responded with 503: {"status":"unavailable"}'],
  [{ PORT: '0' }, 'GALLEY_PORT is 0, so the port is unknown.'],
])('galley health fails with the variables %j', async (env, complaint) => {
  const given = Object.entries(env).map(([name, value]) => [name, value === PORT ? port : value]);
  const { status, stdout, stderr } = await runGalley(['health'], { cwd: '/', env: Object.fromEntries(given) });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(complaint);
});

test('galley health waits for a service that is not ready yet', async () => {
  const starting = createServer((_, response) => {
    asked += 1;
    response.writeHead(asked < 3 ? 503 : 200).end('{"status":"ok"}');
  });
  let asked = 0;
  starting.listen(0, '127.0.0.1');
  await once(starting, 'listening');
  const address = starting.address();
  const env = { PORT: String(address !== null && typeof address === 'object' ? address.port : '') };
  expect((await runGalley(['health', '--wait', '30'], { cwd: '/', env })).status).toBe(0);
  expect(asked).toBe(3);
  starting.close();
});
