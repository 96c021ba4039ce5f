// Writes a bundle and its files to a new folder. The folder gets its final name only when it is complete.

import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ExportedFile } from '../bundle/export-bundle.ts';
import type { FileStore } from '../files/file-store.ts';
import { CommandFailure } from './command-failure.ts';

/** The name of the bundle in a folder that also contains its files. */
export const BUNDLE_NAME = 'bundle.ndjson';

/** The bundle contains drafts and email addresses, so only its owner may read it. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** @param writeBundle writes the bundle to the given path, and returns the files that belong to it */
export async function exportToFolder(
  path: string,
  store: FileStore,
  writeBundle: (bundlePath: string) => Promise<readonly ExportedFile[]>,
): Promise<number> {
  const target = resolve(path);
  await refuseTaken(target);
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(temporary, { mode: FOLDER_MODE });
    const files = new Map((await writeBundle(join(temporary, BUNDLE_NAME))).map((file) => [file.path, file]));
    for (const file of files.values()) await copyFile(store, file, join(temporary, file.path));
    await refuseTaken(target);
    await rename(temporary, target);
    return files.size;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw translateError(error, path);
  }
}

/** An empty folder is treated as if it did not exist. */
async function refuseTaken(target: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'ENOTDIR') throw new CommandFailure(`${target} is a file. Choose a folder.`);
    throw error;
  });
  if (entries === undefined) return;
  if (entries.length > 0) throw new CommandFailure(`${target} is not empty. Choose another folder.`);
  await rmdir(target);
}

async function copyFile(store: FileStore, { sha256, path }: ExportedFile, target: string): Promise<void> {
  const reading = await store.read(sha256);
  if (reading === undefined)
    throw new CommandFailure(`${path} is missing from ${store.address}. Nothing was exported.`);
  await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
  const hash = createHash('sha256');
  await pipeline(
    reading.stream,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(target, { mode: FILE_MODE, flush: true }),
  );
  if (hash.digest('hex') !== sha256) {
    throw new CommandFailure(`${path} is damaged in ${store.address}. Nothing was exported.`);
  }
}

function translateError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  return new CommandFailure(`${path} cannot be written: ${error.message}.`, { cause: error });
}
