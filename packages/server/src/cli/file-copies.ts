// Functions shared by the commands that copy uploaded files: parsing the addresses of the stores, and describing the
// outcome.

import { constants, existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type AssetsLocation, parseAssetsUrl } from '../files/assets-url.ts';
import type { CopiedFiles, LostFiles } from '../files/copy-files.ts';
import { findFolder, isAllowed } from '../files/file-access.ts';
import type { FileStore } from '../files/file-store.ts';
import { CommandFailure } from './command-failure.ts';

export function parseStore(command: Command, option: string, text: string): AssetsLocation {
  const parsed = parseAssetsUrl(text);
  return parsed.ok ? parsed.value : command.error(`error: ${option}: ${parsed.problem}`);
}

export function refuseSameStore(from: AssetsLocation, to: AssetsLocation): void {
  if (identify(from) === identify(to)) {
    throw new CommandFailure('The files cannot be copied to the store that they are already in.');
  }
}

function identify(location: AssetsLocation): string {
  if (location.kind === 'bucket') return [location.endpoint, location.bucket, location.prefix].join(' ');
  const path = resolve(location.path);
  return existsSync(path) ? realpathSync(path) : path;
}

/** In a dry run, a folder that does not exist yet is not created. */
export async function checkTarget(location: AssetsLocation, store: FileStore, isDryRun: boolean): Promise<void> {
  if (!isDryRun) return store.checkWriting();
  const path = location.kind === 'folder' ? resolve(location.path) : undefined;
  if (path === undefined || existsSync(path)) return store.check();
  const folder = findFolder(dirname(path));
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) {
    throw new CommandFailure(`${path} does not exist, and cannot be created in ${folder}.`);
  }
}

export function describeCopied({ files, bytes, copied, copiedBytes, missing, damaged }: CopiedFiles) {
  return {
    files,
    bytes,
    copied,
    copied_bytes: copiedBytes,
    missing: missing.total,
    damaged: damaged.total,
  };
}

/** Undefined if no file is missing or damaged. */
export function describeLost({ missing, damaged }: CopiedFiles, address: string): string | undefined {
  const lines = [describe(missing, `missing from ${address}`), describe(damaged, `damaged in ${address}`)];
  const found = lines.filter((line) => line !== undefined);
  return found.length === 0 ? undefined : found.join('\n');
}

function describe({ total, digests }: LostFiles, state: string): string | undefined {
  if (total === 0) return undefined;
  const rest = total > digests.length ? ` and ${total - digests.length} more` : '';
  return `${countFiles(total)} ${state}: ${digests.join(', ')}${rest}`;
}

export function countFiles(number: number): string {
  return number === 1 ? '1 file' : `${number} files`;
}
