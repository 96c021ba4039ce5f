// Loads a bundle: all of a file, or nothing. The file is read twice, since its records stand in any order: first what
// content refers to, then the content itself, so that the memory needed does not grow with the content.

import type { Storage, Transaction } from '../storage/port.ts';
import { type BundleRecord, parseBundleLine } from './bundle-record.ts';
import { CatalogImport } from './import-catalog.ts';
import { ContentImport } from './import-content.ts';
import { BundleFault, readBundleLines } from './read-bundle-lines.ts';

export interface ImportOptions {
  readonly now: number;
  readonly newUuid: () => string;
  readonly isDryRun: boolean;
  /** Called with the number of bytes that were dealt with; each byte of the file counts twice. */
  readonly onProgress: (bytes: number) => void;
}

export interface ImportSummary {
  readonly sites: number;
  readonly authors: number;
  readonly assets: number;
  readonly contentTypes: number;
  readonly contents: number;
  /** How many of all these records were not there before, or were different. */
  readonly changed: number;
}

/** Ends a transaction of which nothing is to be kept. */
class DryRun extends Error {}

export async function importBundle(storage: Storage, path: string, options: ImportOptions): Promise<ImportSummary> {
  let summary: ImportSummary | undefined;
  try {
    await storage.transaction(async (transaction) => {
      summary = await importBundleInto(transaction, path, options);
      if (options.isDryRun) throw new DryRun();
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  if (summary === undefined) throw new Error('An import ended without a summary');
  return summary;
}

/** As part of a larger transaction, which decides whether it is kept. */
export async function importBundleInto(
  transaction: Transaction,
  path: string,
  options: Omit<ImportOptions, 'isDryRun'>,
): Promise<ImportSummary> {
  const catalog = new CatalogImport(transaction, options);
  let size = 0;
  for await (const line of readBundleLines(path)) {
    size = line.bytesRead;
    if (!isContentLine(line.text)) catalog.collect(line.number, parseLine(line.number, line.text));
    options.onProgress(size);
  }
  const sites = await catalog.apply();
  const contents = new ContentImport(transaction, sites, options.now);
  for await (const line of readBundleLines(path)) {
    if (isContentLine(line.text)) {
      const record = parseLine(line.number, line.text);
      if (record.kind === 'content') await contents.apply(line.number, record, line.text);
    }
    options.onProgress(size + line.bytesRead);
  }
  await contents.finish();
  return {
    ...catalog.counts,
    contents: contents.count,
    changed: catalog.changed + contents.changed,
  };
}

/** Most lines of a bundle are content: they are told apart without parsing them twice. */
function isContentLine(text: string): boolean {
  if (/^\s*\{\s*"kind"\s*:\s*"content"/.test(text)) return true;
  return /"kind"\s*:\s*"content"/.test(text) && isContentRecord(text);
}

function isContentRecord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'content';
  } catch {
    return false;
  }
}

function parseLine(number: number, text: string): BundleRecord {
  const record = parseBundleLine(text);
  if (!record.ok) throw new BundleFault(number, record.problem);
  return record.value;
}
