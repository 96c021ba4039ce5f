import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

export function defineContentUnpublish(content: Command): void {
  const command = content
    .command('unpublish')
    .summary('withdraw a content object from readers')
    .description('Withdraws a published content object: from then on readers do not find it. Nothing of it is lost.')
    .argument('<id>', 'the id of the content object')
    .option('--site <id>', 'its site; needed only where several sites have content with this id', idOption)
    .option('--json', 'print the outcome as JSON')
    .action(runContentUnpublish);
  addExamples(command, [['Withdraw an article', `${PROGRAM} content unpublish c_hello --site s_demo`]]);
}

interface ContentUnpublishFlags {
  readonly site?: string;
  readonly json?: true;
}

async function runContentUnpublish(contentId: string, flags: ContentUnpublishFlags): Promise<void> {
  const request = { contentId, siteId: flags.site, now: Date.now() };
  const { unpublishById, withExistingStorage } = await loadWork();
  await withExistingStorage((storage) => unpublishById(storage, request));
  if (flags.json) return printJson({ id: contentId, status: 'unpublished' });
  printText(`Unpublished ${contentId}.`);
}
