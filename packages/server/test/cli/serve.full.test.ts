import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createUser } from '../../src/authoring/people/users.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { withNewDemo } from '../../src/demo/with-new-demo.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { ChangeReader } from '../changes/change-reader.ts';
import { EventReader } from '../changes/event-reader.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley, runProgram, startGalley, startServer } from '../support/galley-command.ts';

/** The command exactly as printed, including its continuation lines. */
function findCurl(printed: string): string {
  return /^ +curl (?:.*\\\n)*.*$/m.exec(printed)?.[0] ?? '';
}

/** Sends the request the way the explorer page does. */
async function readAccess(url: string): Promise<unknown> {
  return (await fetch(`${url}/docs/access.json`, { headers: { 'sec-fetch-site': 'same-origin' } })).json();
}

async function signIn(url: string, email: string, password: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  return (await fetch(`${url}/manage/v1/session`, { method: 'POST', headers, body })).json();
}

describe('a server that starts for the first time', () => {
  test('creates the demo and prints a command that works as is, but prints no secrets when it starts again', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await using first = await startServer({ cwd });
    const token = /^ +API key +(gk_\S+)$/m.exec(first.printed)?.[1];
    expect(first.printed).toContain(`${first.url}/api/v1\n`);
    expect(first.printed).toMatch(/^ +Site ID +s_demo$/m);
    expect(token).toMatch(/^gk_[\w-]{40}$/);
    const password = /^ +Password +(\S+)$/m.exec(first.printed)?.[1] ?? '';
    expect(first.printed).toMatch(/^ +Email +owner@example\.com$/m);
    expect(first.printed).toContain(`Management ${first.url}/manage/docs\n`);
    for (const line of first.printed.split('\n')) expect(line.length).toBeLessThanOrEqual(80);

    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `${findCurl(first.printed)} --silent --write-out '\\n%{http_code}'`,
    ]);
    const [body = '', status] = stdout.split(/\n(?=\d+$)/);
    expect(status).toBe('200');
    expect(JSON.parse(body)).toMatchObject({ data: [{ content_type: { handle: 'article' } }, {}] });
    const explorer = await fetch(/Explorer +(\S+)/.exec(first.printed)?.[1] ?? '');
    expect(explorer.status).toBe(200);
    expect(await readAccess(first.url)).toMatchObject({ access: { token, siteId: 's_demo' } });
    expect(await runForJson(['key', 'list'], { cwd })).toMatchObject([
      { name: 'Demo', sites: ['s_demo'], all_sites: false, preview: true, expires_at: null, state: 'active' },
    ]);
    const signedIn = await signIn(first.url, 'owner@example.com', password);
    expect(signedIn).toMatchObject({ user: { name: 'Demo owner', role: 'owner' } });
    const stopped = await first.stop();
    expect(JSON.stringify(first.log)).not.toContain(password);
    expect({ status: stopped.status, stderr: stopped.stderr }).toEqual({ status: 0, stderr: '' });

    await using second = await startServer({ cwd });
    expect(second.printed).toBe('');
    expect(await readAccess(second.url)).toMatchObject({ access: null });
    expect((await second.stop('SIGINT')).status).toBe(0);
    expect(second.log.map(({ msg }) => msg)).toEqual(['listening', 'stopping', 'stopped']);
    expect(JSON.stringify(second.log)).not.toContain('gk_');
    expect(dumpDatabase(join(cwd, 'data/galley.db')).users).toHaveLength(1);
  });

  test('does not keep the demo if it cannot listen on its port, because nobody has seen the demo key', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const alone = await runProgram(['serve', '--port', String(port)], { cwd });
    const complaint = `error: Port ${port} on 127.0.0.1 is in use. Choose another with --port, or 0 for any free port.\n`;
    expect(alone).toEqual({ status: 1, stdout: '', stderr: complaint });
    expect(await runProgram(['serve', '--port', String(port), '--workers', '2'], { cwd })).toEqual(alone);
    taken.close();
    expect(dumpDatabase(join(cwd, 'data/galley.db'))).toMatchObject({
      sites: [],
      contents: [],
      api_keys: [],
      users: [],
    });
  });

  test('does not show the key on any page if other machines can reach the service', async () => {
    await using folder = await makeFolder();
    await using server = await startServer({ cwd: folder.path }, ['--host', '0.0.0.0']);
    expect(server.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(server.printed).toContain('gk_');
    expect(await readAccess(server.url)).toMatchObject({ access: null });
    await server.stop();
  });

  test('creates no demo if a site already exists', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await runForJson(['site', 'create', '--name', 'Mine', '--id', 's_mine'], { cwd });
    await using server = await startServer({ cwd });
    expect(server.printed).toBe('');
    await server.waitForLog((line) => line.create === 'npx --no galley key create --site s_mine');
    await server.stop();
    expect(await runForJson(['site', 'list'], { cwd })).toHaveLength(1);
  });

  test('creates only one demo when two servers start at the same time', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'galley.db');
    const storages = [await openSqlite(path, Date.now()), await openSqlite(path, Date.now())] as const;
    const assetsUrl = { kind: 'folder', path: join(folder.path, 'assets') } as const;
    const options = { now: Date.now(), isAdminServed: true, assetsUrl };
    // The second server has found no site. Now the first server creates the demo, and then the second one continues.
    const second = await withNewDemo(
      {
        ...storages[1],
        async transaction(work, settings) {
          await withNewDemo(storages[0], options, async (demo) => expect(demo).toBeDefined());
          return storages[1].transaction(work, settings);
        },
      },
      options,
      async (demo) => demo,
    );
    expect(second).toBe(undefined);
    for (const storage of storages) await storage.close();
    expect(dumpDatabase(path)).toMatchObject({ sites: [{ id: 's_demo' }], users: [{}], api_keys: [{}] });
  });

  test.each([
    ['the panel is turned off', { isAdminServed: false, users: 0 }],
    ['someone can already sign in', { isAdminServed: true, users: 1 }],
  ])('creates a demo without a user if %s', async (_, { isAdminServed, users }) => {
    await using folder = await makeFolder();
    const storage = await openSqlite(join(folder.path, 'galley.db'), Date.now());
    const ada = { email: 'ada@example.com', name: 'Ada', role: 'owner', password: 'correct horse battery' } as const;
    if (users > 0) await createUser(createDesk(storage), COMMAND_ACTOR, ada);
    const assetsUrl = { kind: 'folder', path: join(folder.path, 'assets') } as const;
    const demo = await withNewDemo(storage, { now: Date.now(), isAdminServed, assetsUrl }, async (each) => each);
    await storage.close();
    expect(demo).toEqual({ access: { siteId: 's_demo', token: expect.stringMatching(/^gk_/) }, signIn: undefined });
    expect(dumpDatabase(join(folder.path, 'galley.db')).users).toHaveLength(users);
  });
});

describe('a service that cannot start', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'an unreachable PostgreSQL',
      { GALLEY_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' },
      '127.0.0.1:1/x cannot be reached',
    ],
    [
      'a folder that cannot be created',
      { GALLEY_DATABASE_URL: 'sqlite:file.txt/data/galley.db' },
      'The folder file.txt/data cannot be created',
    ],
    ['a database that is a folder', { GALLEY_DATABASE_URL: 'sqlite:folder' }, 'The file folder cannot be opened'],
    ['a database in memory', { GALLEY_DATABASE_URL: 'sqlite::memory:' }, 'The database must be a file'],
    [
      'a file that is not a database',
      { GALLEY_DATABASE_URL: 'sqlite:file.txt' },
      'The file file.txt is damaged, or is not a SQLite database.',
    ],
    [
      'a database from a newer release',
      { GALLEY_DATABASE_URL: 'sqlite:newer.db' },
      'The database has schema version 999',
    ],
    [
      'the address of another machine',
      { GALLEY_HOST: '203.0.113.1' },
      'This machine does not have the address 203.0.113.1.',
    ],
  ])('exits with a one-line explanation: %s', async (_what, env, complaint) => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'file.txt'), 'This is not a database. '.repeat(100));
    await mkdir(join(cwd, 'folder'));
    const newer = new DatabaseSync(join(cwd, 'newer.db'));
    newer.exec('create table schema_versions (version integer primary key, applied_at bigint not null)');
    newer.exec('insert into schema_versions values (999, 0)');
    newer.close();
    const { status, stdout, stderr } = await runGalley(['serve', '--port', '0'], { cwd, env });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(complaint);
    expect(stderr).not.toContain('secret');
  });

  test('lists every invalid setting, from the environment and from .env', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, '.env'), 'GALLEY_MATCH=some\nGALLEY_PORT=1\n');
    const { status, stdout, stderr } = await runGalley(['serve'], { cwd, env: { GALLEY_PORT: 'x', GALLEY_PROT: '1' } });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'error: 3 invalid settings:',
      '  GALLEY_PORT is "x"; allowed: a whole number from 0 to 65535.',
      '  GALLEY_MATCH is "some"; allowed: all or any.',
      '  GALLEY_PROT is not a setting; did you mean GALLEY_PORT?',
      '',
    ]);
  });

  test('reports an unreadable .env', async () => {
    await using folder = await makeFolder();
    await mkdir(join(folder.path, '.env'));
    const { status, stderr } = await runGalley(['serve'], { cwd: folder.path });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: The \.env file cannot be read: [^\n]+\n$/);
  });
});

describe('a service', () => {
  test('finishes requests in flight before it stops, and ends streams and long polls', async () => {
    await using folder = await makeFolder();
    await using server = await startServer({ cwd: folder.path, env: { GALLEY_METRICS: 'true' } });
    const reader = { url: server.url, token: /gk_\S+/.exec(server.printed)?.[0] ?? '', site: 's_demo' };
    using stream = await EventReader.open({ ...reader, parameters: { since: 'now' } });
    const since = (await stream.next())?.id ?? '';
    const polling = new ChangeReader(reader.url, reader.token, reader.site).page({ since, wait: 30 });
    const countOpen = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return /^galley_requests_in_flight\{api="other"\} (\d+)$/m.exec(metrics)?.[1];
    };
    // The stream, the long poll, and the request for the metrics.
    await expect.poll(countOpen).toBe('3');
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text: string) => {
      received += text;
    });
    // The beginning of the second request is sent together with the first, so it has arrived by the time the first response is sent.
    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n');
    await once(socket, 'data');

    const stopped = server.stop();
    await server.waitForLog(({ msg }) => msg === 'stopping');
    socket.write('\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(received.toLowerCase()).toContain('connection: close');
    expect(await stream.next()).toBeUndefined();
    expect(stream.comments).toEqual([': the service is stopping']);
    expect(await polling).toMatchObject({ changes: [], next: since });
    expect(await stopped).toMatchObject({ status: 0, stderr: '' });
    // Nothing was cut off.
    expect(server.log.map(({ msg }) => msg).slice(-2)).toEqual(['stopping', 'stopped']);
  });

  test('limits the number of memory arenas, unless the environment configures the allocator', async () => {
    await using folder = await makeFolder();
    const readAllocator = async (env: Readonly<Record<string, string>>) => {
      await using server = await startServer({ cwd: folder.path, env: { GALLEY_DEMO: 'false', ...env } });
      expect(server.printed).toBe('');
      const settings = (await readFile(`/proc/${server.pid}/environ`, 'utf8')).split('\0');
      return settings.filter((setting) => /^(MALLOC_|GLIBC_)/.test(setting));
    };
    expect(await readAllocator({})).toEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=2']));
    expect(await readAllocator({ MALLOC_ARENA_MAX: '8' })).toEqual(['MALLOC_ARENA_MAX=8']);
  });

  test.each<readonly [what: string, redirection: string]>([
    ['cannot be written to', '1</dev/null'],
    // macOS has no device file that is always full.
    ...(existsSync('/dev/full') ? [['has no space left', '1>/dev/full'] as const] : []),
  ])('keeps serving and exits cleanly even when its log %s', async (_what, redirection) => {
    await using folder = await makeFolder();
    const port = await findFreePort();
    const env = { GALLEY_DEMO: 'false', GALLEY_ACCESS_LOG: 'true' };
    const options = { cwd: folder.path, env, redirection };
    await using command = startGalley(['serve', '--port', String(port)], options);
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await expect.poll(() => ask('/readyz').catch(() => 0)).toBe(200);
    for (let count = 0; count < 5; count += 1) expect(await ask('/api/v1/content')).toBe(401);
    expect(await command.stop('SIGTERM')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('stops even when nobody is reading its log any more', async () => {
    await using folder = await makeFolder();
    await using server = await startServer({ cwd: folder.path, env: { GALLEY_DEMO: 'false' } });
    server.closeOutput();
    expect((await server.stop()).status).toBe(0);
  });
});
