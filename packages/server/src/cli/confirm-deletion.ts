// To delete something permanently, people type its name: at a prompt in a terminal, or with --confirm in a script.

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CommandFailure } from './command-failure.ts';
import { cleanText } from './paint.ts';

export interface Deletion {
  /** The name to type. */
  readonly name: string;
  /** A sentence that says what will be deleted. */
  readonly warning: string;
  /** The value of --confirm. */
  readonly confirm: string | undefined;
}

/** The terminal on which the prompt appears. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export async function confirmDeletion(
  command: Command,
  { name, warning, confirm }: Deletion,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (confirm === name) return;
  if (confirm !== undefined) command.error(`error: --confirm must be ${name}, got ${confirm}`);
  if (terminal.input.isTTY !== true || terminal.output.isTTY !== true) {
    command.error(`error: ${warning} This cannot be undone. To confirm, add --confirm ${name}`);
  }
  terminal.output.write(`${cleanText(warning)} This cannot be undone.\n`);
  if ((await ask(terminal, `Type ${cleanText(name)} to confirm: `)) !== name)
    throw new CommandFailure('Nothing was deleted.');
}

/** Undefined if the input ends without a reply. */
async function ask({ input, output }: Terminal, question: string): Promise<string | undefined> {
  const lines = createInterface({ input, output });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return (await Promise.race([lines.question(question), ended]))?.trim();
  } finally {
    lines.close();
  }
}
