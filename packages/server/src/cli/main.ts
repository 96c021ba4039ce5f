// Runs one command and returns the exit status: 0 for success, 1 for failure, 2 for a usage error.

import { type Command, CommanderError } from 'commander';
import { removeMarks } from '../content/marks.ts';
import { readPackageVersion } from '../package-folder.ts';
import { boundHeap } from './bound-heap.ts';
import { buildProgram } from './build-program.ts';
import { CommandFailure } from './command-failure.ts';
import { createPaint } from './paint.ts';

export async function main(args: readonly string[]): Promise<number> {
  boundHeap();
  // When the output is closed, a service must keep running, and a command that has finished its work must not report a failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    const program = buildProgram(readPackageVersion());
    // Commander's own help command accepts only one name.
    const words = (args[0] === 'help' ? [...args.slice(1), '--help'] : args).map(removeMarks);
    await program.parseAsync(findUnknownCommand(program, words) ?? words, { from: 'user' });
    refuseLostOutput();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { describeFailure } = await import('./describe-failure.ts');
    process.stderr.write(`${describeFailure(error, createPaint(process.stderr))}\n`);
    return 1;
  }
}

/**
 * The names up to and including that of an unknown command; undefined if the command is known. Commander handles `--help` and `--version`
 * before it checks the names, so this function looks for an unknown name first and ignores the flags.
 */
function findUnknownCommand(program: Command, args: readonly string[]): readonly string[] | undefined {
  const path: string[] = [];
  let command = program;
  for (const name of args) {
    if (name.startsWith('-')) continue;
    path.push(name);
    const found = command.commands.find((each) => each.name() === name);
    if (found === undefined) return path;
    // The remaining words are the command's arguments and options.
    if (found.commands.length === 0) return undefined;
    command = found;
  }
  return undefined;
}

/** `galley key list | head -1` is not a failure; a full disk is. */
function refuseLostOutput(): void {
  const error = process.stdout.errored;
  if (error === null || ('code' in error && error.code === 'EPIPE')) return;
  throw new CommandFailure(`The output could not be written: ${error.message}.`, { cause: error });
}
