// Writes a file completely or not at all: it gets a temporary name in the same folder and is renamed at the end. If writing fails or is
// interrupted, nothing is left behind.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandFailure } from './command-failure.ts';

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface NewFileOptions {
  /** Whether an existing file may be replaced. */
  readonly isForced: boolean;
  readonly mode: number;
}

/** @param write writes the file to the given path */
export async function writeNewFile<Outcome>(
  path: string,
  { isForced, mode }: NewFileOptions,
  write: (temporaryPath: string) => Promise<Outcome>,
): Promise<Outcome> {
  await refuseTaken(path, isForced);
  const temporaryPath = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  const release = removeOnInterrupt(temporaryPath);
  try {
    await createFile(temporaryPath, mode);
    const outcome = await write(temporaryPath);
    await flush(temporaryPath);
    await refuseTaken(path, isForced);
    await rename(temporaryPath, path);
    await flush(dirname(path));
    return outcome;
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw translateError(error, path);
  } finally {
    release();
  }
}

async function refuseTaken(path: string, isForced: boolean): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return;
  if (stats.isDirectory()) throw new CommandFailure(`${path} is a folder. Choose a file name.`);
  if (!stats.isFile() && !stats.isSymbolicLink()) throw new CommandFailure(`${path} is not a regular file.`);
  if (!isForced) throw new CommandFailure(`${path} already exists. Use --force to replace it.`);
}

async function createFile(path: string, mode: number): Promise<void> {
  await (await open(path, 'wx', mode)).close();
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function removeOnInterrupt(path: string): () => void {
  const remove = (signal: NodeJS.Signals): void => {
    release();
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of INTERRUPTS) process.off(signal, remove);
  };
  for (const signal of INTERRUPTS) process.on(signal, remove);
  return release;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its parent is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left',
  ENAMETOOLONG: 'its name is too long',
};

function translateError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  const reason = REASONS[String(error.code)] ?? error.message;
  return new CommandFailure(`${path} cannot be written: ${reason}.`, { cause: error });
}
