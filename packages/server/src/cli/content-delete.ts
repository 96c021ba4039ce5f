import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

export function defineContentDelete(content: Command): void {
  const command = content
    .command('delete')
    .summary('delete archived content for good')
    .description('Deletes an archived content object with all its versions. This cannot be undone.')
    .argument('<id>', 'the id of the content object')
    .option('--site <id>', 'its site; needed only where several sites have content with this id', idOption)
    .option('--confirm <id>', 'the same id, to go on without being asked')
    .option('--json', 'print the outcome as JSON')
    .action(runContentDelete);
  addExamples(command, [['In a script', `${PROGRAM} content delete c_hello --confirm c_hello`]]);
}

interface ContentDeleteFlags {
  readonly site?: string;
  readonly confirm?: string;
  readonly json?: true;
}

async function runContentDelete(id: string, flags: ContentDeleteFlags, command: Command): Promise<void> {
  const warning = `This deletes content ${id} with all its versions.`;
  await confirmDeletion(command, { name: id, warning, confirm: flags.confirm });
  const { createDesk, deleteContentById, withExistingStorage } = await loadWork();
  await withExistingStorage((storage) => deleteContentById(createDesk(storage), id, flags.site));
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted content ${id}.`);
}
