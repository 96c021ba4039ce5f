import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { idOption } from './parse-option.ts';
import { printJson, printNotices, printText } from './print-result.ts';

export function defineContentPublish(content: Command): void {
  const command = content
    .command('publish')
    .summary('publish the newest version of a content object')
    .description(
      'Publishes the newest saved version of a content object. Readers see it with their next request. A page is not published at ' +
        'the URL of another published page of the same language. Pages that share a URL otherwise are named in warnings.',
    )
    .argument('<id>', 'the id of the content object')
    .option('--site <id>', 'its site; needed only where several sites have content with this id', idOption)
    .option('--json', 'print the outcome as JSON')
    .action(runContentPublish);
  addExamples(command, [['Publish an article', `${PROGRAM} content publish c_hello --site s_demo`]]);
}

interface ContentPublishFlags {
  readonly site?: string;
  readonly json?: true;
}

async function runContentPublish(contentId: string, flags: ContentPublishFlags): Promise<void> {
  const request = { contentId, siteId: flags.site, now: Date.now() };
  const { publishById, withExistingStorage } = await loadWork();
  const warnings = (await withExistingStorage((storage) => publishById(storage, request))).map(
    ({ message }) => message,
  );
  printNotices(warnings.map((warning) => `warning: ${warning}`));
  if (flags.json) return printJson({ id: contentId, status: 'published', warnings });
  printText(`Published ${contentId}.`);
}
