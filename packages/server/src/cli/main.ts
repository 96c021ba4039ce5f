// Runs one command and turns its outcome into an exit status: 0 it was done, 1 it failed, 2 it was called wrongly.

import { CommanderError } from 'commander';
import { readPackageVersion } from '../package-folder.ts';
import { boundHeap } from './bound-heap.ts';
import { buildProgram } from './build-program.ts';
import { createPaint } from './paint.ts';

export async function main(args: readonly string[]): Promise<number> {
  boundHeap();
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    await buildProgram(readPackageVersion()).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { describeFailure } = await import('./describe-failure.ts');
    process.stderr.write(`${describeFailure(error, createPaint(process.stderr))}\n`);
    return 1;
  }
}

/** `galley key list | head -1` is no failure. */
function ignoreClosedPipe(error: Error): void {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
}
