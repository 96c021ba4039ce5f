import { randomUUIDv7 } from 'node:crypto';
import type { Command } from 'commander';
import { addExamples, PROGRAM } from './help-text.ts';
import type { FileSummary } from './import-files.ts';
import { loadWork } from './load-work.ts';
import { printJson, printText } from './print-result.ts';

interface ImportFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

export function defineImport(program: Command): void {
  const command = program
    .command('import')
    .summary('load content from bundles')
    .description(
      'Loads bundles: files of JSON lines (.ndjson), plain or gzip. Of each file everything is imported, or nothing. ' +
        'A running service shows the new content with its next answer; importing the same file again changes nothing.',
    )
    .argument('<file...>', 'bundles, imported in this order')
    .option('--dry-run', 'check the files and say what would change, but keep nothing')
    .option('--json', 'print a summary as JSON')
    .action(runImport);
  addExamples(command, [
    ['Import a site', `${PROGRAM} import magazine.ndjson`],
    ['Look first', `${PROGRAM} import --dry-run magazine.ndjson.gz`],
  ]);
}

async function runImport(paths: readonly string[], flags: ImportFlags): Promise<void> {
  const isDryRun = flags.dryRun === true;
  const onImported = (summary: FileSummary): void => {
    if (!flags.json) printText(renderSummary(summary, isDryRun));
  };
  const { importFiles } = await loadWork();
  const files = await importFiles(paths, { isDryRun, now: Date.now(), newUuid: randomUUIDv7, onImported });
  if (flags.json) printJson({ dry_run: isDryRun, files: files.map(describeSummary) });
}

function describeSummary({ file, sites, contentTypes, authors, assets, contents, changed }: FileSummary) {
  return { file, sites, content_types: contentTypes, authors, assets, contents, changed };
}

function renderSummary(summary: FileSummary, isDryRun: boolean): string {
  const { file, contents, changed } = summary;
  const others = summary.sites + summary.contentTypes + summary.authors + summary.assets;
  const records = `${countThings(contents, 'content object')} and ${countThings(others, 'other record')}`;
  const change = isDryRun ? 'would change' : 'changed';
  return `${isDryRun ? 'Checked' : 'Imported'} ${file}: ${records}; ${changed === 0 ? 'nothing' : changed} ${change}.`;
}

function countThings(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
