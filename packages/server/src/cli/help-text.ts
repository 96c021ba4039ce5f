// How every command's help looks, and what it says beside the lists that commander makes.

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

/** A command that only has others below it. */
export function defineGroup(program: Command, name: string, summary: string): Command {
  const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return program
    .command(name)
    .summary(summary)
    .description(description)
    .usage('<command> [options]')
    .helpCommand(false);
}

/** To be called when the tree of commands is complete. */
export function pointToHelp(command: Command): void {
  // npx takes options before the first command for its own.
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
