// Loads a bundle: all of a file, or nothing. The file is read twice, since its records stand in any order: first what
// content refers to, then the content itself. Of the content only the ids are kept in memory, never the whole records.

import type { Storage, Transaction } from '../storage/port.ts';
import { type BundleRecord, parseBundleLine } from './bundle-record.ts';
import { CatalogImport } from './import-catalog.ts';
import { ContentImport } from './import-content.ts';
import { BundleFault, readBundleLines } from './read-bundle-lines.ts';
import { withLine } from './refusal.ts';

export interface ImportOptions {
  readonly now: number;
  readonly newUuid: () => string;
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

export function importBundle(storage: Storage, path: string, options: ImportOptions): Promise<ImportSummary> {
  return storage.transaction((transaction) => importBundleInto(transaction, path, options));
}

/** As part of a larger transaction, which decides whether it is kept. */
export async function importBundleInto(
  transaction: Transaction,
  path: string,
  options: ImportOptions,
): Promise<ImportSummary> {
  const catalog = new CatalogImport(transaction, options);
  let size = 0;
  for await (const line of readBundleLines(path)) {
    size = line.bytesRead;
    if (!startsAsContent(line.text)) {
      const record = parseLine(line.number, line.text);
      if (record.kind !== 'content') catalog.collect(line.number, record);
    }
    options.onProgress(size);
  }
  const sites = await catalog.apply();
  const contents = new ContentImport(transaction, sites, options.now);
  for await (const line of readBundleLines(path)) {
    if (!catalog.hasLine(line.number)) {
      const record = parseLine(line.number, line.text);
      if (record.kind !== 'content') throw new BundleFault(line.number, 'the file changed while it was read');
      await withLine(line.number, contents.apply(line.number, record, line.text));
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

/** Most lines of a bundle are content, and begin by saying so: those need not be parsed twice. */
function startsAsContent(text: string): boolean {
  return /^\s*\{\s*"kind"\s*:\s*"content"/.test(text);
}

function parseLine(number: number, text: string): BundleRecord {
  const record = parseBundleLine(text);
  if (!record.ok) throw new BundleFault(number, record.problem);
  return record.value;
}
