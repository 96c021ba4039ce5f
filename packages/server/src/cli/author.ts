import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

export function defineAuthor(program: Command): void {
  const author = defineGroup(program, 'author', 'delete authors');
  defineDelete(author);
}

function defineDelete(author: Command): void {
  const command = author
    .command('delete')
    .summary('delete an author for good')
    .description(
      'Deletes an author. All content and versions by this author are assigned to another author or left without one. This cannot be undone.',
    )
    .argument('<id>', 'id of the author')
    .requiredOption('--site <id>', "the author's site", idOption)
    .option('--replace-with <id>', 'author who replaces the deleted one (default: none)', idOption)
    .option('--confirm <id>', 'the same id, to skip the prompt')
    .option('--json', 'print the result as JSON')
    .action(runDelete);
  addExamples(command, [
    ['Leave content without an author', `${PROGRAM} author delete u_ada --site s_demo`],
    ['Replace with another author', `${PROGRAM} author delete u_ada --site s_demo --replace-with u_desk`],
  ]);
}

interface DeleteFlags {
  readonly site: string;
  readonly replaceWith?: string;
  readonly confirm?: string;
  readonly json?: true;
}

async function runDelete(id: string, flags: DeleteFlags, command: Command): Promise<void> {
  const { site, replaceWith, confirm } = flags;
  const warning = `This will delete the author ${id} and remove their name from all content and versions.`;
  await confirmDeletion(command, { name: id, warning, confirm });
  const { createDesk, deleteAuthorOfSite, withExistingStorage } = await import('./work.ts');
  await withExistingStorage((storage) => deleteAuthorOfSite(createDesk(storage), site, id, replaceWith));
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted the author ${id}.`);
}
