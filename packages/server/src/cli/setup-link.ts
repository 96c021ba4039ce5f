import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { findServiceUrl } from './listening.ts';
import { printText } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';

export function defineSetupLink(program: Command): void {
  const command = program
    .command('setup-link')
    .summary('print the link that creates the first owner')
    .description(
      'Prints the link that creates the first owner in the admin panel. The service also prints it when it starts. The ' +
        'link works for anyone who has it, until a user exists. It starts with GALLEY_PUBLIC_URL or, if that is not set, ' +
        'with the address from GALLEY_HOST and GALLEY_PORT.',
    )
    .action(runSetupLink);
  addExamples(command, [
    ['On this machine', `${PROGRAM} setup-link`],
    ['In a container', 'docker exec galley galley setup-link'],
  ]);
}

async function runSetupLink(): Promise<void> {
  const settings = readServiceSettings();
  const baseUrl = settings.publicUrl ?? findServiceUrl(settings);
  const { buildSetUpLink } = await import('./announce.ts');
  const { withExistingStorage } = await import('./work.ts');
  const link = await withExistingStorage((storage) => buildSetUpLink(storage, baseUrl));
  if (link === undefined) {
    throw new CommandFailure(
      `Galley is already set up. Sign in at ${baseUrl}/admin, or create a user with ` + `"${PROGRAM} user create".`,
    );
  }
  printText(link);
}
