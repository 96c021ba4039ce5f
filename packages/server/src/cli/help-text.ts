// Defines the layout of the help, and adds text to the lists that Commander prints.

import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { cleanLines, createPaint } from './paint.ts';

export function configureHelpText(program: Command): void {
  const paint = createPaint(process.stdout);
  program
    .helpOption('-h, --help', 'show this help')
    .configureHelp({
      styleTitle: (title) => paint('title', title),
      styleCommandText: (text) => text,
      subcommandTerm: (command) => command.name(),
      commandUsage: (command) => `${findPath(command)} ${command.usage()}`,
    })
    .configureOutput({
      outputError: (text, write) =>
        write(cleanLines(text).replace(/^error:/, createPaint(process.stderr)('red', 'error:'))),
    });
}

/** A command that only has subcommands. */
export function defineGroup(program: Command, name: string, summary: string): Command {
  const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return program
    .command(name)
    .summary(summary)
    .description(description)
    .usage('<command> [options]')
    .helpCommand(false);
}

/** Call this after all commands have been defined. */
export function pointToHelp(command: Command): void {
  // npx would interpret an option before the first command as its own.
  command.showHelpAfterError(command.parent === null ? `Try: ${PROGRAM} help` : `Try: ${findPath(command)} --help`);
  for (const child of command.commands) pointToHelp(child);
}

export function addExamples(command: Command, examples: readonly (readonly [meaning: string, call: string])[]): void {
  command.addHelpText('after', () => {
    const paint = createPaint(process.stdout);
    const lines = examples.flatMap(([meaning, call]) => [`  ${paint('dim', `# ${meaning}`)}`, `  ${call}`]);
    return ['', paint('title', 'Examples:'), ...lines].join('\n');
  });
}

function findPath(command: Command): string {
  return command.parent === null ? PROGRAM : `${findPath(command.parent)} ${command.name()}`;
}
