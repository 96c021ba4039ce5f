import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

export function defineSiteDelete(site: Command): void {
  const command = site
    .command('delete')
    .summary('delete a site with everything in it')
    .description(
      'Deletes a site with all its content, versions, types, authors and assets, and the API keys for this site alone. Readers lose it at once. If interrupted, run it again and it resumes. This cannot be undone.',
    )
    .argument('<id>', 'the id of the site, as "galley site list" shows it', idOption)
    .option('--confirm <id>', 'the same id, to go on without being asked')
    .option('--json', 'print the outcome as JSON')
    .action(runSiteDelete);
  addExamples(command, [
    ['Keep a copy, then delete the site', `${PROGRAM} export --site s_old --out old.ndjson`],
    ['In a script', `${PROGRAM} site delete s_old --confirm s_old`],
  ]);
}

interface SiteDeleteFlags {
  readonly confirm?: string;
  readonly json?: true;
}

async function runSiteDelete(id: string, flags: SiteDeleteFlags, command: Command): Promise<void> {
  const warning = `This deletes the site ${id} with everything in it.`;
  await confirmDeletion(command, { name: id, warning, confirm: flags.confirm });
  const { createDesk, deleteSiteById, withExistingStorage } = await loadWork();
  await withExistingStorage((storage) => deleteSiteById(createDesk(storage), id));
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted the site ${id}.`);
}
