// Where bundles are read from: files, and `-` for standard input. A bundle is read twice, so what can be read only once is first
// written to a file of its own, which goes with the command.

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from './command-failure.ts';

const STANDARD_INPUT = '-';

export interface BundleSource {
  /** What messages call it. */
  readonly name: string;
  readonly path: string;
}

export interface OpenedSources extends AsyncDisposable {
  readonly sources: readonly BundleSource[];
}

/** @param paths as they were given */
export async function openBundleSources(paths: readonly string[]): Promise<OpenedSources> {
  const inputs = paths.filter((path) => path === STANDARD_INPUT);
  if (inputs.length > 1) throw new CommandFailure('Standard input (-) can be read only once.');
  const folder = inputs.length === 0 ? undefined : await mkdtemp(join(tmpdir(), 'galley-stdin-'));
  const remove = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const input = folder === undefined ? '' : await keepStandardInput(join(folder, 'bundle'));
    const sources = paths.map((path) =>
      path === STANDARD_INPUT ? { name: 'stdin', path: input } : { name: path, path },
    );
    return { sources, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function keepStandardInput(path: string): Promise<string> {
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`Standard input could not be kept in ${tmpdir()}: ${reason}.`, { cause: error });
  }
  // The program before the pipe has failed, most likely.
  if ((await stat(path)).size === 0) throw new CommandFailure('Standard input is empty. Nothing was imported.');
  return path;
}
