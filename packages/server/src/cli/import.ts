import { randomUUIDv7 } from 'node:crypto';
import type { Command } from 'commander';
import { type Finding, formatFinding } from '../bundle/bundle-report.ts';
import { PROGRAM } from '../program-name.ts';
import { FileFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import type { FileSummary, RefusedFile } from './import-files.ts';
import { cleanText } from './paint.ts';
import { printJson, printNotices, printText } from './print-result.ts';

interface ImportFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

export function defineImport(program: Command): void {
  const command = program
    .command('import')
    .summary('import content from bundles')
    .description(
      'Imports bundles: JSON Lines files (.ndjson), plain or gzipped. Each file is imported completely or not at all: ' +
        'if it has errors, Galley lists them (up to 100) and exits with status 1. Values outside the limits of their ' +
        'fields are imported with a warning. A running service delivers the new content immediately. Importing the same file ' +
        'again changes nothing.',
    )
    .argument(
      '<file...>',
      'bundles, or folders with a bundle.ndjson and its files, imported in this order; - for standard input',
    )
    .option('--dry-run', 'check the files and show what would change, without changing anything')
    .option('--json', 'print the result, errors and warnings as JSON')
    .action(runImport);
  addExamples(command, [
    ['Import a site', `${PROGRAM} import magazine.ndjson`],
    ['Check a file first', `${PROGRAM} import --dry-run magazine.ndjson.gz`],
    ['Import a site with its files', `${PROGRAM} import ./magazine`],
    ['From another program', `curl -s https://example.com/magazine.ndjson | ${PROGRAM} import -`],
  ]);
}

async function runImport(paths: readonly string[], flags: ImportFlags): Promise<void> {
  const isDryRun = flags.dryRun === true;
  const { findMessage, importFiles } = await import('./work.ts');
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
    const message = findMessage(error) ?? 'This is a bug in Galley; see standard error for details.';
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

function describeImport(isDryRun: boolean, files: readonly FileSummary[], refused?: RefusedFile) {
  const warned = refused === undefined ? files : [...files, refused];
  return {
    dry_run: isDryRun,
    files: files.map(describeSummary),
    faults: refused?.faults.map((fault) => describeFinding(refused.file, fault)) ?? [],
    has_more_faults: refused?.hasMoreFaults ?? false,
    warnings: warned.flatMap(({ file, warnings }) => warnings.listed.map((warning) => describeFinding(file, warning))),
    warning_count: warned.reduce((sum, { warnings }) => sum + warnings.count, 0),
  };
}

function describeSummary({ file, sites, contentTypes, authors, assets, contents, changed }: FileSummary) {
  return { file, sites, content_types: contentTypes, authors, assets, contents, changed };
}

function describeFinding(file: string, { line, record, field, message }: Finding) {
  const place = { file, line: line === 0 ? null : line };
  return { ...place, kind: record?.kind ?? null, id: record?.id ?? null, field, message };
}

function renderImported(summary: FileSummary, isDryRun: boolean): string {
  const { file, contents, changed } = summary;
  const others = summary.sites + summary.contentTypes + summary.authors + summary.assets;
  const records = `${countThings(contents, 'content object')} and ${countThings(others, 'other record')}`;
  const change = isDryRun ? 'would change' : 'changed';
  return `${isDryRun ? 'Checked' : 'Imported'} ${cleanText(file)}: ${records}; ${changed === 0 ? 'nothing' : changed} ${change}.`;
}

/** @param others the files before and after this one; undefined in a dry run */
function renderRefusal(
  { file, faults, hasMoreFaults }: RefusedFile,
  others: { readonly imported: readonly string[]; readonly left: readonly string[] } | undefined,
): string {
  const lines = faults.map((fault) => renderFinding(file, fault));
  if (hasMoreFaults) lines.push(`… and more errors; the first ${faults.length} are listed.`);
  if (others === undefined) return lines.join('\n');
  lines.push(`Nothing from ${cleanText(file)} was imported.`);
  if (others.imported.length > 0) lines.push(`Already imported: ${others.imported.map(cleanText).join(', ')}`);
  if (others.left.length > 0) lines.push(`Not imported: ${others.left.map(cleanText).join(', ')}`);
  return lines.join('\n');
}

function renderWarnings({ file, warnings }: Pick<FileSummary, 'file' | 'warnings'>): readonly string[] {
  const { listed, count } = warnings;
  const lines = listed.map((warning) => renderFinding(file, warning, 'warning: '));
  const more = count - listed.length;
  return more === 0 ? lines : [...lines, `… and ${countThings(more, 'more warning')} for ${cleanText(file)}.`];
}

function renderFinding(file: string, finding: Finding, kind = ''): string {
  const place = finding.line === 0 ? cleanText(file) : `${cleanText(file)}:${finding.line}`;
  return `${place}: ${kind}${cleanText(formatFinding(finding))}`;
}

function countThings(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
