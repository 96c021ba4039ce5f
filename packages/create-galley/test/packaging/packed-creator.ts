// Runs the creator as npm does: installed from its tarball, next to the tarballs of the packages it installs.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tarballs } from '../../../../scripts/packing/pack-packages.ts';
import { type ProgramOutcome, runProgram, runWithSuccess } from '../../../../scripts/testing/running-program.ts';

/** Installs packages from npm's cache if possible. */
export const INSTALL = ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'] as const;

export interface PackedCreator {
  /** An empty folder to create projects in. */
  readonly folder: string;
  /** @param node the Node.js executable that runs the creator */
  create(args: readonly string[], node?: string): Promise<ProgramOutcome>;
  /** Does the same as `create`, but passes the packages' tarballs. */
  createFromTarballs(args: readonly string[], node?: string): Promise<ProgramOutcome>;
}

export async function installCreator(tarballs: Tarballs): Promise<PackedCreator> {
  const tools = await mkdtemp(join(tmpdir(), 'creator-'));
  const folder = await mkdtemp(join(tmpdir(), 'projects-'));
  await writeFile(join(tools, 'package.json'), '{ "private": true }\n');
  await runWithSuccess([...INSTALL, tarballs['create-galley']], { cwd: tools });
  const program = join(tools, 'node_modules/.bin/create-galley');

  function create(args: readonly string[], node = process.execPath): Promise<ProgramOutcome> {
    return runProgram([node, program, ...args], { cwd: folder });
  }

  return {
    folder,
    create,
    createFromTarballs: (args, node) => create([...args, '--packages', dirname(tarballs.server)], node),
  };
}
