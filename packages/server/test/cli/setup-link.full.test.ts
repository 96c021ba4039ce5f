import { expect, test } from 'vitest';
import { makeFolder, runGalley, startServer } from '../support/galley-command.ts';

const NO_DEMO = { GALLEY_DEMO: 'false' };
const NOBODY = 'nobody can sign in yet: open the link to create an owner';

/** Uses its own connection, so any worker may receive the request. */
function setUp(url: string, token: string): Promise<Response> {
  const body = JSON.stringify({ token, email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' });
  const headers = { 'content-type': 'application/json', connection: 'close' };
  return fetch(`${url}/manage/v1/setup`, { method: 'POST', headers, body });
}

test('until someone uses the set-up link, the service logs the link whenever it starts, and the command prints it', async () => {
  await using folder = await makeFolder();
  const cwd = folder.path;
  expect(await runGalley(['setup-link'], { cwd })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('There is no database'),
  });
  await using first = await startServer({ cwd, env: { ...NO_DEMO, GALLEY_PUBLIC_URL: 'https://cms.example.com/x' } });
  const printed = await first.waitForLog(({ msg }) => msg === NOBODY);
  const token = /^https:\/\/cms\.example\.com\/x\/admin\/set-up#token=(gs_[\w-]{27})$/.exec(String(printed.link))?.[1];
  await first.stop();

  await using server = await startServer({ cwd, env: NO_DEMO }, ['--workers', '2']);
  const again = await server.waitForLog(({ msg }) => msg === NOBODY);
  expect(again.link).toBe(`${server.url}/admin/set-up#token=${token}`);
  expect(server.log.filter(({ msg }) => msg === NOBODY)).toHaveLength(1);
  for (const [env, base] of [
    [{ GALLEY_PORT: '8080' }, 'http://127.0.0.1:8080'],
    [{ GALLEY_PORT: '8080', GALLEY_HOST: '0.0.0.0' }, 'http://127.0.0.1:8080'],
    [{ GALLEY_PUBLIC_URL: 'https://cms.example.com' }, 'https://cms.example.com'],
  ] as const) {
    const stdout = `${base}/admin/set-up#token=${token}\n`;
    expect(await runGalley(['setup-link'], { cwd, env })).toEqual({ status: 0, stdout, stderr: '' });
  }

  for (let index = 0; index < 4; index++) expect((await setUp(server.url, 'gs_wrong')).status).toBe(422);
  expect((await setUp(server.url, token ?? '')).status).toBe(201);
  expect((await setUp(server.url, token ?? '')).status).toBe(409);
  await server.stop();
  expect(await runGalley(['setup-link'], { cwd })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('already set up'),
  });
  await using last = await startServer({ cwd, env: NO_DEMO });
  await last.stop();
  expect(JSON.stringify(last.log)).not.toContain('gs_');
});
