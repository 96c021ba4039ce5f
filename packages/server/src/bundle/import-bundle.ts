// Imports a bundle: either the whole file or nothing. Its records can be in any order, so the file is read twice: first for the records
// that content refers to, then for the content, which a thread prepares if there is a lot of it. Only the ids of content are kept in
// memory. The import continues after a fault and reports all faults together. If references turn out to be wrong, the file is read
// once more to find the records that contain them.

import { dirname } from 'node:path';
import { buildId } from '../content/ids.ts';
import { buildImportEvent } from '../content/webhook-event.ts';
import { fillContents, LEAST_CONTENTS } from '../storage/contents/insert-contents.ts';
import type { Transaction } from '../storage/engine.ts';
import type { Storage } from '../storage/storage.ts';
import { insertEvent } from '../storage/webhooks/webhook-calls.ts';
import type { BundleFiles } from './bundle-files.ts';
import { type LineProblem, parseBundleLine } from './bundle-record.ts';
import { BundleReport, type Warnings } from './bundle-report.ts';
import { withLine } from './content-lines.ts';
import type { OddReferences } from './content-references.ts';
import { CatalogImport } from './import-catalog.ts';
import { ContentImport } from './import-content.ts';
import type { ImportedSites, RecordCounts } from './imported-sites.ts';
import type { PreparationTask, PreparedLine } from './prepared-lines.ts';
import { PreparedLines } from './prepared-lines.ts';
import { BundleFault, type BundleLine, readBundleLines } from './read-bundle-lines.ts';

export interface ImportOptions {
  readonly now: number;
  readonly newUuid: () => string;
  /** Called with the number of bytes read; each byte of the file is counted twice. */
  readonly onProgress: (bytes: number) => void;
  /** Accepts the bundle's files. If this is omitted, an asset with a file is refused unless the site already has that file. */
  readonly files?: BundleFiles | undefined;
  /** Starts the thread that prepares the content of a large file. */
  readonly openThread?: (task: PreparationTask) => PreparedLines;
}

export interface ImportSummary extends RecordCounts {
  /** Warnings about values outside the limits of their fields, and about pages that share a URL. */
  readonly warnings: Warnings;
}

/** Rejects with a `BundleRefusal` that contains all faults, if there are any. */
export function importBundle(storage: Storage, path: string, options: ImportOptions): Promise<ImportSummary> {
  return storage.transaction((transaction) => importBundleInto(transaction, path, options), { isImport: true });
}

/** Imports a bundle as part of a larger transaction, which may be rolled back. */
export async function importBundleInto(
  transaction: Transaction,
  path: string,
  options: ImportOptions,
): Promise<ImportSummary> {
  const report = new BundleReport();
  try {
    return await importInto(transaction, path, options, report);
  } catch (error) {
    throw report.buildRefusal(error);
  }
}

async function importInto(
  transaction: Transaction,
  path: string,
  options: ImportOptions,
  report: BundleReport,
): Promise<ImportSummary> {
  const catalog = new CatalogImport(transaction, { ...options, files: options.files, folder: dirname(path), report });
  await using thread = new LazyThread({ path, now: options.now }, options.openThread);
  let size = 0;
  let contentLines = 0;
  for await (const lines of readBundleLines(path)) {
    for (const line of lines) {
      size = line.bytesRead;
      if (line.problem === undefined && startsAsContent(line.text)) contentLines += 1;
      else collectLine(catalog, line, report);
    }
    if (contentLines >= LEAST_CONTENTS) thread.open();
    options.onProgress(size);
  }
  const sites = await catalog.apply();
  const contents = new ContentImport(transaction, sites, report, options.now);
  await fillContents(transaction, contentLines, async (isFill) => {
    const prepared = isFill ? thread.open().read((question) => contents.answer(question)) : readUnprepared(path);
    for await (const lines of prepared) {
      await importLines(contents, catalog, lines, report);
      options.onProgress(size + (lines.at(-1)?.bytesRead ?? 0));
    }
    const odd = await contents.finish();
    if (odd.dead.size + odd.unfit.size > 0) await reportOdd(contents, path, odd, report);
    // If the tables were empty, most of the work happens at the end. Skip it if there are faults.
    if (report.hasFaults) report.close();
  });
  await catalog.required.refuseLacking(transaction, sites, report);
  await contents.refuseTooLarge();
  await contents.warnOfSharedUrls();
  if (report.hasFaults) report.close();
  await tellWebhooks(transaction, sites, report, options);
  return { ...sites.total, warnings: report.warnings };
}

async function tellWebhooks(
  transaction: Transaction,
  sites: ImportedSites,
  report: BundleReport,
  { now, newUuid }: ImportOptions,
): Promise<void> {
  const newId = (): string => buildId('webhookCall', newUuid());
  for (const [site, siteNo] of sites.named) {
    const { contentTypes, ...counts } = sites.countsOf(siteNo);
    const event = buildImportEvent(site, { content_types: contentTypes, ...counts }, now);
    for (const id of await transaction.run(insertEvent(siteNo, event, { subject: null, newId, now }))) {
      const message = `its webhook ${id} is not notified of this import, because too many of its calls are waiting`;
      report.warn(0, { kind: 'site', id: site }, [{ field: null, message }]);
    }
  }
}

function collectLine(catalog: CatalogImport, { number, text, problem }: BundleLine, report: BundleReport): void {
  if (problem !== undefined) {
    report.refuseText(number, text, null, [{ field: null, message: problem }]);
    return;
  }
  const parsed = parseBundleLine(text);
  if (!parsed.ok) refuseLine(number, text, parsed.problem, report);
  else if (parsed.value.kind !== 'content') catalog.collect(number, parsed.value);
}

function refuseLine(number: number, text: string, problem: LineProblem, report: BundleReport): void {
  report.refuseText(number, text, problem.record, problem.faults);
  // All other lines of this JSON would be reported as faulty too.
  if (problem.isPart) report.close();
}

async function reportOdd(
  contents: ContentImport,
  path: string,
  odd: OddReferences,
  report: BundleReport,
): Promise<void> {
  for await (const lines of readBundleLines(path)) {
    for (const { number, text } of lines) {
      if (report.hasLine(number)) continue;
      const parsed = parseBundleLine(text);
      if (parsed.ok && parsed.value.kind === 'content') await contents.reportOdd(number, parsed.value, odd);
    }
  }
}

/** Starts the thread only when needed: processing a few lines takes less time than starting a thread. */
class LazyThread {
  readonly #task: PreparationTask;
  readonly #openThread: (task: PreparationTask) => PreparedLines;
  #thread: PreparedLines | undefined;

  constructor(task: PreparationTask, openThread = (started: PreparationTask) => new PreparedLines(started)) {
    this.#task = task;
    this.#openThread = openThread;
  }

  open(): PreparedLines {
    this.#thread ??= this.#openThread(this.#task);
    return this.#thread;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.close();
  }
}

async function* readUnprepared(path: string): AsyncGenerator<readonly PreparedLine[], void, undefined> {
  for await (const lines of readBundleLines(path)) yield lines.map((line) => ({ ...line, content: null }));
}

async function importLines(
  contents: ContentImport,
  catalog: CatalogImport,
  lines: readonly PreparedLine[],
  report: BundleReport,
): Promise<void> {
  for (const run of listRuns(lines)) {
    const prepared = run.flatMap(({ number, content, limits }) =>
      content === null ? [] : [{ number, content, limits }],
    );
    const [first] = prepared;
    if (first !== undefined && (await withLine(first.number, contents.applyPrepared(prepared)))) continue;
    for (const { number, text } of run) {
      if (!catalog.hasLine(number) && !report.hasLine(number)) await importLine(contents, number, text, report);
    }
  }
}

/** Groups consecutive lines: prepared lines for one site, or lines that were not prepared. */
function listRuns(lines: readonly PreparedLine[]): readonly (readonly PreparedLine[])[] {
  const runs: PreparedLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const isNeighbour = run?.[0]?.content?.record.siteNo === line.content?.record.siteNo;
    if (run !== undefined && isNeighbour) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

async function importLine(contents: ContentImport, number: number, text: string, report: BundleReport): Promise<void> {
  const parsed = parseBundleLine(text);
  if (!parsed.ok) return refuseLine(number, text, parsed.problem, report);
  if (parsed.value.kind !== 'content') throw new BundleFault(number, 'the file changed while it was being read');
  return withLine(number, contents.apply(number, parsed.value, text));
}

/** Whether the first property marks the line as content, as in most lines. Such lines do not need to be parsed twice. */
function startsAsContent(text: string): boolean {
  return /^\s*\{\s*"kind"\s*:\s*"content"/.test(text);
}
