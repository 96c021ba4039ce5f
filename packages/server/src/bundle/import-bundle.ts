// Loads a bundle: all of a file, or nothing. The file is read twice, since its records stand in any order: first what
// content refers to, then the content itself. Of the content only the ids are kept in memory, never the whole records.

import { fillContents, type Storage, type Transaction } from '../storage/port.ts';
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
  let contentLines = 0;
  for await (const lines of readBundleLines(path)) {
    for (const { number, text, bytesRead } of lines) {
      size = bytesRead;
      if (startsAsContent(text)) {
        contentLines += 1;
        continue;
      }
      const record = parseLine(number, text);
      if (record.kind !== 'content') catalog.collect(number, record);
    }
    options.onProgress(size);
  }
  const sites = await catalog.apply();
  const contents = new ContentImport(transaction, sites, options.now);
  await fillContents(transaction, contentLines, async () => {
    for await (const lines of readBundleLines(path)) {
      for (const { number, text, bytesRead } of lines) {
        if (!catalog.hasLine(number)) await importLine(contents, number, text);
        options.onProgress(size + bytesRead);
      }
    }
    await contents.finish();
  });
  return {
    ...catalog.counts,
    contents: contents.count,
    changed: catalog.changed + contents.changed,
  };
}

function importLine(contents: ContentImport, number: number, text: string): Promise<void> {
  const record = parseLine(number, text);
  if (record.kind !== 'content') throw new BundleFault(number, 'the file changed while it was read');
  return withLine(number, contents.apply(number, record, text));
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
