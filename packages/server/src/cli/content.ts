import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { idOption } from './parse-option.ts';
import { printJson, printNotices, printText } from './print-result.ts';

export function defineContent(program: Command): void {
  const content = defineGroup(program, 'content', 'publish, unpublish and delete content');
  definePublish(content);
  defineUnpublish(content);
  defineDelete(content);
}

function definePublish(content: Command): void {
  const command = content
    .command('publish')
    .summary('publish the latest version of a content object')
    .description(
      'Publishes the latest saved version of a content object. Readers see it on their next request. A page cannot be ' +
        'published at the URL of another published page in the same language. Other pages with the same URL are listed ' +
        'as warnings.',
    )
    .argument('<id>', 'id of the content object')
    .option('--site <id>', 'its site; needed only if several sites have content with this id', idOption)
    .option('--json', 'print the result as JSON')
    .action(runPublish);
  addExamples(command, [['Publish an article', `${PROGRAM} content publish c_hello --site s_demo`]]);
}

interface PublishFlags {
  readonly site?: string;
  readonly json?: true;
}

async function runPublish(contentId: string, flags: PublishFlags): Promise<void> {
  const request = { contentId, siteId: flags.site, now: Date.now() };
  const { publishById, withExistingStorage } = await import('./work.ts');
  const warnings = (await withExistingStorage((storage) => publishById(storage, request))).map(
    ({ message }) => message,
  );
  printNotices(warnings.map((warning) => `warning: ${warning}`));
  if (flags.json) return printJson({ id: contentId, status: 'published', warnings });
  printText(`Published ${contentId}.`);
}

function defineUnpublish(content: Command): void {
  const command = content
    .command('unpublish')
    .summary('unpublish a content object')
    .description('Unpublishes a content object: readers can no longer find it. All its versions are kept.')
    .argument('<id>', 'id of the content object')
    .option('--site <id>', 'its site; needed only if several sites have content with this id', idOption)
    .option('--json', 'print the result as JSON')
    .action(runUnpublish);
  addExamples(command, [['Unpublish an article', `${PROGRAM} content unpublish c_hello --site s_demo`]]);
}

interface UnpublishFlags {
  readonly site?: string;
  readonly json?: true;
}

async function runUnpublish(contentId: string, flags: UnpublishFlags): Promise<void> {
  const request = { contentId, siteId: flags.site, now: Date.now() };
  const { unpublishById, withExistingStorage } = await import('./work.ts');
  await withExistingStorage((storage) => unpublishById(storage, request));
  if (flags.json) return printJson({ id: contentId, status: 'unpublished' });
  printText(`Unpublished ${contentId}.`);
}

function defineDelete(content: Command): void {
  const command = content
    .command('delete')
    .summary('delete archived content for good')
    .description('Deletes an archived content object and all its versions. This cannot be undone.')
    .argument('<id>', 'id of the content object')
    .option('--site <id>', 'its site; needed only if several sites have content with this id', idOption)
    .option('--confirm <id>', 'the same id, to skip the prompt')
    .option('--json', 'print the result as JSON')
    .action(runDelete);
  addExamples(command, [['In a script', `${PROGRAM} content delete c_hello --confirm c_hello`]]);
}

interface DeleteFlags {
  readonly site?: string;
  readonly confirm?: string;
  readonly json?: true;
}

async function runDelete(id: string, flags: DeleteFlags, command: Command): Promise<void> {
  const warning = `This will delete content ${id} and all its versions.`;
  await confirmDeletion(command, { name: id, warning, confirm: flags.confirm });
  const { createDesk, deleteContentById, withExistingStorage } = await import('./work.ts');
  await withExistingStorage((storage) => deleteContentById(createDesk(storage), id, flags.site));
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted content ${id}.`);
}
