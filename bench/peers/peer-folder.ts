// A peer's folder: its project, the packages that npm installs there, and the commands that run in it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { writeArticles } from '../content.ts';
import type { Scratch } from '../scratch.ts';
import type { Peer } from './peer.ts';

const MOST_INSTALL_MS = 15 * 60_000;
const MOST_PREPARATION_MS = 15 * 60_000;
const SHOWN_LINES = 12;

/** A command that failed or took too long, with the last lines it printed. */
export class PeerFailure extends Error {}

/** Does nothing if the folder has already been prepared. */
export async function preparePeer(scratch: Scratch, peer: Peer, folder: string, count: number): Promise<void> {
  const mark = join(folder, `prepared-${peer.version}-${count}`);
  if (existsSync(mark)) return;
  clearFolder(folder);
  const manifest = { name: `peer-${peer.name.toLowerCase()}`, version: '0.0.0', private: true, ...peer.manifest };
  const files = { ...peer.files, 'package.json': `${JSON.stringify(manifest, null, 2)}\n` };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeArticles(join(folder, 'articles.ndjson'), count);
  const options = ['--no-audit', '--no-fund', '--legacy-peer-deps'];
  const install = ['npm', 'install', ...options, ...(peer.needsInstallScripts ? [] : ['--ignore-scripts'])];
  await runInFolder(scratch, peer, folder, install, MOST_INSTALL_MS);
  for (const command of peer.preparations) await runInFolder(scratch, peer, folder, command, MOST_PREPARATION_MS);
  writeFileSync(mark, '');
}

/** Deletes a partly filled database, so that it is not filled a second time. Keeps the installed packages. */
function clearFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true });
  }
}

async function runInFolder(
  scratch: Scratch,
  peer: Peer,
  folder: string,
  command: readonly string[],
  mostMs: number,
): Promise<void> {
  const { child, lastLines } = spawnInFolder(scratch, peer, folder, command, 0);
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs);
  const [status, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (status === 0) return;
  const end = signal === 'SIGKILL' ? `took more than ${mostMs / 60_000} minutes` : `exited with ${status ?? signal}`;
  throw new PeerFailure(`\`${command.join(' ')}\` ${end}:\n${lastLines()}`);
}

export function spawnInFolder(
  scratch: Scratch,
  peer: Peer,
  folder: string,
  [program = '', ...args]: readonly string[],
  port: number,
) {
  const local = join(folder, 'node_modules/.bin');
  const child = scratch.adopt(
    spawn(program === 'node' ? process.execPath : program, args, {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${local}:${dirname(process.execPath)}:${process.env.PATH}`,
        ...peer.environment(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(
        ...stripVTControlCharacters(text)
          .split('\n')
          .filter((line) => line.trim() !== ''),
      );
      lines.splice(0, lines.length - SHOWN_LINES);
    });
  }
  return { child, lastLines: () => lines.join('\n') };
}

/** The IDs that were written to `ids.json` when the peer was prepared. */
export function readIds(folder: string): readonly string[] {
  const ids: unknown = JSON.parse(readFileSync(join(folder, 'ids.json'), 'utf8'));
  if (Array.isArray(ids) && ids.length > 0) return ids.map(String);
  throw new PeerFailure(`No IDs in ${relative(process.cwd(), folder)}`);
}
