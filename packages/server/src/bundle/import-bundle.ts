// Loads a bundle: all of a file, or nothing. The file is read twice, since its records stand in any order: first what
// content refers to, then the content itself, which a thread prepares where there is much of it. Of the content only the ids
// are kept in memory, never the whole records.

import { fillContents, LEAST_CONTENTS, type Storage, type Transaction } from '../storage/port.ts';
import { type BundleRecord, parseBundleLine } from './bundle-record.ts';
import { CatalogImport } from './import-catalog.ts';
import { ContentImport } from './import-content.ts';
import type { PreparationTask, PreparedLine } from './preparation-messages.ts';
import { PreparedLines } from './prepared-lines.ts';
import { BundleFault, readBundleLines } from './read-bundle-lines.ts';
import { withLine } from './refusal.ts';

export interface ImportOptions {
  readonly now: number;
  readonly newUuid: () => string;
  /** Called with the number of bytes that were dealt with; each byte of the file counts twice. */
  readonly onProgress: (bytes: number) => void;
  /** Starts what prepares the content of a large file. */
  readonly openThread?: (task: PreparationTask) => PreparedLines;
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
  await using thread = new LazyThread({ path, now: options.now }, options.openThread);
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
    if (contentLines >= LEAST_CONTENTS) thread.open();
    options.onProgress(size);
  }
  const sites = await catalog.apply();
  const contents = new ContentImport(transaction, sites, options.now);
  await fillContents(transaction, contentLines, async (isFill) => {
    const prepared = isFill ? thread.open().read((question) => contents.answer(question)) : readUnprepared(path);
    for await (const lines of prepared) {
      await importLines(contents, catalog, lines);
      options.onProgress(size + (lines.at(-1)?.bytesRead ?? 0));
    }
    await contents.finish();
  });
  await catalog.required.refuseLacking(transaction, sites);
  return {
    ...catalog.counts,
    contents: contents.count,
    changed: catalog.changed + contents.changed,
  };
}

/** Few lines take less time than the start of a thread. */
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
): Promise<void> {
  for (const run of listRuns(lines)) {
    const prepared = run.flatMap(({ number, content }) => (content === null ? [] : [{ number, content }]));
    const [first] = prepared;
    if (first !== undefined && (await withLine(first.number, contents.applyPrepared(prepared)))) continue;
    for (const { number, text } of run) {
      if (!catalog.hasLine(number)) await importLine(contents, number, text);
    }
  }
}

/** Neighbours that were prepared, of the same site, and neighbours that were not. */
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
