import { randomUUIDv7 } from 'node:crypto';
import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { FileFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import type { FileSummary, RefusedFile } from './import-files.ts';
import { loadWork } from './load-work.ts';
import { printJson, printNotices, printText } from './print-result.ts';

interface ImportFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

export function defineImport(program: Command): void {
  const command = program
    .command('import')
    .summary('load content from bundles')
    .description(
      'Loads bundles: files of JSON lines (.ndjson), plain or gzip. Of each file everything is imported, or nothing: ' +
        'where a file has faults, all of them are listed (up to 100) and the exit status is 1. Values outside the limits ' +
        'of their fields are imported, with a warning. ' +
        'A running service shows the new content with its next answer; importing the same file again changes nothing.',
    )
    .argument('<file...>', 'bundles, imported in this order; - reads standard input')
    .option('--dry-run', 'check the files and say what would change, but keep nothing')
    .option('--json', 'print what was done, faults and warnings as one JSON value')
    .action(runImport);
  addExamples(command, [
    ['Import a site', `${PROGRAM} import magazine.ndjson`],
    ['Look first', `${PROGRAM} import --dry-run magazine.ndjson.gz`],
    ['From another program', `curl -s https://example.com/magazine.ndjson | ${PROGRAM} import -`],
  ]);
}

async function runImport(paths: readonly string[], flags: ImportFlags): Promise<void> {
  const isDryRun = flags.dryRun === true;
  const { describeImport, findMessage, importFiles, renderImported, renderRefusal, renderWarnings } = await loadWork();
  const files: FileSummary[] = [];
  const onImported = (summary: FileSummary): void => {
    files.push(summary);
    if (!flags.json) printText(renderImported(summary, isDryRun));
    printNotices(renderWarnings(summary));
  };
  let refused: RefusedFile | undefined;
  try {
    refused = await importFiles(paths, { isDryRun, now: Date.now(), newUuid: randomUUIDv7, onImported });
  } catch (error) {
    const message = findMessage(error) ?? 'This is a bug in Galley; standard error says more.';
    if (flags.json) printJson({ ...describeImport(isDryRun, files), error: message });
    throw error;
  }
  if (flags.json) printJson(describeImport(isDryRun, files, refused));
  if (refused === undefined) return;
  printNotices(renderWarnings(refused));
  const left = paths.slice(files.length + 1);
  throw new FileFailure(
    renderRefusal(refused, isDryRun ? undefined : { imported: files.map(({ file }) => file), left }),
  );
}
