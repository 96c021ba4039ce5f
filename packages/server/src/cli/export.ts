import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import type { ExportSummary } from './export-site.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { cleanText } from './paint.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

interface ExportFlags {
  readonly site: string;
  readonly out?: string;
  readonly force?: true;
  readonly json?: true;
}

export function defineExport(program: Command): void {
  const command = program
    .command('export')
    .summary('write a site to a bundle')
    .description(
      'Writes a site to a bundle that imports to the same site again: its languages, content types, authors, assets ' +
        'and all content, drafts, schedules and archived content too. The bundle is one moment of the site, and the ' +
        'service goes on meanwhile. Earlier versions of content, users, API keys and the files of assets are not part ' +
        'of a bundle; a backup has all that is in the database.',
    )
    .requiredOption('--site <id>', 'the site', idOption)
    .option('--out <file>', 'where to; a name that ends in .gz is packed (default: standard output)')
    .option('--force', 'replace the file if it is there')
    .option('--json', 'print a summary as JSON; needs --out')
    .action(runExport);
  addExamples(command, [
    ['Into a file', `${PROGRAM} export --site s_demo --out magazine.ndjson.gz`],
    ['Count what is published', `${PROGRAM} export --site s_demo | grep -c '"status":"published"'`],
  ]);
}

async function runExport({ site, out, force, json }: ExportFlags, command: Command): Promise<void> {
  if (out === undefined && json) command.error('error: --json needs --out; without it, the bundle is printed');
  if (out === undefined && force) command.error('error: --force needs --out');
  if (out === '') command.error('error: --out must name a file');
  const { exportSite } = await loadWork();
  const summary = await exportSite({ siteId: site, path: out, isForced: force === true });
  if (out === undefined) return;
  if (json) return printJson(describeSummary(site, out, summary));
  printText(renderSummary(site, out, summary));
}

function describeSummary(site: string, file: string, { contentTypes, authors, assets, contents }: ExportSummary) {
  return { file, site, content_types: contentTypes, authors, assets, contents };
}

function renderSummary(site: string, file: string, { contentTypes, authors, assets, contents }: ExportSummary): string {
  const others = 1 + contentTypes + authors + assets;
  return `Exported ${site} to ${cleanText(file)}: ${contents} content object${contents === 1 ? '' : 's'} and ${others} other records.`;
}
