// What an import has done and found, as text for people and as JSON for programs.

import { type Finding, formatFinding } from '../bundle/bundle-report.ts';
import type { FileSummary, RefusedFile } from './import-files.ts';
import { cleanText } from './paint.ts';

export function describeImport(isDryRun: boolean, files: readonly FileSummary[], refused?: RefusedFile) {
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

export function renderImported(summary: FileSummary, isDryRun: boolean): string {
  const { file, contents, changed } = summary;
  const others = summary.sites + summary.contentTypes + summary.authors + summary.assets;
  const records = `${countThings(contents, 'content object')} and ${countThings(others, 'other record')}`;
  const change = isDryRun ? 'would change' : 'changed';
  return `${isDryRun ? 'Checked' : 'Imported'} ${cleanText(file)}: ${records}; ${changed === 0 ? 'nothing' : changed} ${change}.`;
}

/** @param others what has become of the other files; undefined where nothing is kept anyway */
export function renderRefusal(
  { file, faults, hasMoreFaults }: RefusedFile,
  others: { readonly imported: readonly string[]; readonly left: readonly string[] } | undefined,
): string {
  const lines = faults.map((fault) => renderFinding(file, fault));
  if (hasMoreFaults) lines.push(`… and more faults; the first ${faults.length} are listed.`);
  if (others === undefined) return lines.join('\n');
  lines.push(`Nothing of ${cleanText(file)} was imported.`);
  if (others.imported.length > 0)
    lines.push(`Imported before it, and kept: ${others.imported.map(cleanText).join(', ')}`);
  if (others.left.length > 0) lines.push(`Not looked at: ${others.left.map(cleanText).join(', ')}`);
  return lines.join('\n');
}

export function renderWarnings({ file, warnings }: Pick<FileSummary, 'file' | 'warnings'>): readonly string[] {
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
