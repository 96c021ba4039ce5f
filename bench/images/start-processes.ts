// Starts the baselines: bare sharp, the file server and ipx.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Scratch } from '../scratch.ts';
import type { SharpOrder, SharpOutcome } from './sharp-process.ts';

export interface BareSharp {
  readonly run: (order: SharpOrder) => Promise<SharpOutcome>;
}

export function startBareSharp(scratch: Scratch): BareSharp {
  const child = scratch.adopt(fork(join(import.meta.dirname, 'sharp-process.ts')));
  return {
    async run(order) {
      child.send(order);
      const [message] = await once(child, 'message');
      return asOutcome(message);
    },
  };
}

/** The cast is safe, because the process sends no other messages. */
function asOutcome(message: unknown): SharpOutcome {
  return message as SharpOutcome;
}

export interface FileServerOrder {
  readonly file: string;
  readonly type: string;
  /** The file to which bodies are written. */
  readonly target: string;
}

/** @returns the server's origin */
export async function startFileServer(scratch: Scratch, { file, type, target }: FileServerOrder): Promise<string> {
  const child = scratch.adopt(fork(join(import.meta.dirname, 'file-server-process.ts'), [file, type, target]));
  const [message] = await once(child, 'message');
  return `http://127.0.0.1:${asListening(message).port}`;
}

/** The cast is safe, because the process sends no other messages. */
function asListening(message: unknown): { readonly port: number } {
  return message as { readonly port: number };
}

export const IPX_VERSION = '3.1.1';

const IPX_SERVER = `import { createServer } from 'node:http';
import { createIPX, createIPXNodeServer, ipxFSStorage } from 'ipx';

const ipx = createIPX({ storage: ipxFSStorage({ dir: process.argv[2] }) });
const server = createServer(createIPXNodeServer(ipx));
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;

/**
 * Installs ipx in a separate folder, because it needs a different version of sharp.
 * @param atOnce how many images it makes at the same time
 * @returns the server's origin
 */
export async function startIpx(scratch: Scratch, folder: string, pictures: string, atOnce: number): Promise<string> {
  await installIpx(scratch, folder);
  const child = scratch.adopt(
    spawn(process.execPath, ['server.mjs', pictures], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      // sharp runs in Node's thread pool.
      env: { ...process.env, UV_THREADPOOL_SIZE: String(atOnce) },
    }),
  );
  const lines = createInterface({ input: child.stdout });
  const [origin] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error('ipx exited before it was listening');
    }),
  ]);
  return String(origin);
}

async function installIpx(scratch: Scratch, folder: string): Promise<void> {
  const mark = join(folder, `installed-${IPX_VERSION}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'server.mjs'), IPX_SERVER);
  if (existsSync(mark)) return;
  const manifest = { name: 'bench-ipx', version: '0.0.0', private: true, dependencies: { ipx: IPX_VERSION } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  const child = scratch.adopt(
    spawn('npm', ['install', ...options], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`npm could not install ipx ${IPX_VERSION}`);
  writeFileSync(mark, '');
}
