import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { createPaint } from './paint.ts';
import { printJson, printPainted } from './print-result.ts';
import { count, renderChecks } from './render-checks.ts';

export function defineDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .summary('check the settings, the database and the content')
    .description(
      'Checks the settings, this Node.js, the database and what is in it, and says what to do where something is not ' +
        'as it should be. It changes nothing, and may be run while the service runs. The exit status is 1 when there ' +
        'is a problem; warnings are none.',
    )
    .option('--json', 'print all checks as JSON')
    .action(runDoctor);
  addExamples(command, [
    ['After an installation, or before an upgrade', `${PROGRAM} doctor`],
    ['Check a backup', `GALLEY_DATABASE_URL=sqlite:backups/2026-11-15.db ${PROGRAM} doctor`],
  ]);
}

async function runDoctor(flags: { readonly json?: true }): Promise<void> {
  const { examine } = await loadWork();
  const checks = await examine(Date.now());
  const problems = count(checks, 'problem');
  const status = problems !== undefined ? 'problem' : count(checks, 'warning') === undefined ? 'ok' : 'warning';
  if (flags.json) printJson({ status, checks });
  else printPainted(renderChecks(checks, createPaint(process.stdout)));
  if (problems !== undefined) throw new CommandFailure(`The doctor found ${problems}.`);
}
