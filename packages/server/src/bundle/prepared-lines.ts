// Reads the lines of a bundle through a thread that prepares their content, and defines the messages between the import and the
// thread. Faults that the thread finds are thrown here.

import { on } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Catalog } from '../content/catalog.ts';
import type { NewContent } from '../storage/contents/insert-contents.ts';
import type { Transaction } from '../storage/engine.ts';
import type { ContentReferences } from './content-references.ts';
import type { LimitFindings } from './find-limit-faults.ts';
import type { ImportedSites } from './imported-sites.ts';
import { BundleFault, type BundleLine } from './read-bundle-lines.ts';

export interface PreparationTask {
  readonly path: string;
  readonly now: number;
}

export interface PreparedLine extends BundleLine {
  /** Null if the import has to read the line itself. */
  readonly content: NewContent | null;
  /** Set for prepared content whose type has limits. */
  readonly limits?: LimitFindings | undefined;
}

/** Data that the thread needs before it can continue. */
export interface PreparationQuestion {
  readonly sites: readonly string[];
  readonly authors: readonly { readonly site: string; readonly id: string }[];
}

/** Sites and authors that do not exist are null. */
export interface PreparationAnswer {
  readonly sites: readonly { readonly id: string; readonly catalog: Catalog | null }[];
  readonly authors: readonly { readonly site: string; readonly id: string; readonly no: number | null }[];
}

export type FromPreparation =
  | { readonly kind: 'lines'; readonly lines: readonly PreparedLine[] }
  | { readonly kind: 'question'; readonly question: PreparationQuestion }
  | { readonly kind: 'fault'; readonly line: number; readonly message: string }
  | { readonly kind: 'end' };

export type ToPreparation = { readonly kind: 'more' } | { readonly kind: 'answer'; readonly answer: PreparationAnswer };

/** The maximum number of batches by which the thread may be ahead of the import. This limits memory use. */
export const MOST_LOTS_AHEAD = 4;

const THREAD = join(import.meta.dirname, `preparation-thread${extname(import.meta.filename)}`);

/** The thread keeps little data, so more memory would only fill up with garbage. */
const YOUNG_MB = 16;

/** Starts a thread. Close it when done. */
export class PreparedLines {
  readonly #worker: Worker;
  readonly #messages: AsyncIterableIterator<unknown[]>;

  /** @param program the file that the thread runs */
  constructor(task: PreparationTask, program: string | URL = THREAD) {
    this.#worker = new Worker(program, { workerData: task, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#messages = on(this.#worker, 'message', { close: ['exit'] });
  }

  /** @param answer answers the thread's questions about the database */
  async *read(
    answer: (question: PreparationQuestion) => Promise<PreparationAnswer>,
  ): AsyncGenerator<readonly PreparedLine[], void, undefined> {
    for await (const [message] of this.#messages) {
      const told = asMessage(message);
      if (told.kind === 'end') return;
      if (told.kind === 'fault') throw new BundleFault(told.line, told.message);
      if (told.kind === 'question') {
        this.#tell({ kind: 'answer', answer: await answer(told.question) });
        continue;
      }
      yield told.lines;
      this.#tell({ kind: 'more' });
    }
    throw new Error('The thread that prepares content exited before the end of the file');
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #tell(message: ToPreparation): void {
    this.#worker.postMessage(message);
  }
}

/** The type is not checked, because both ends run our own code. */
function asMessage(message: unknown): FromPreparation {
  return message as FromPreparation;
}

/** Looks up sites and authors for the thread, which has no database connection. */
export async function answerPreparation(
  { sites: siteIds, authors }: PreparationQuestion,
  sites: ImportedSites,
  references: ContentReferences,
  transaction: Transaction,
): Promise<PreparationAnswer> {
  const catalogs = new Map<string, Catalog | null>();
  for (const id of [...siteIds, ...authors.map(({ site }) => site)]) {
    if (!catalogs.has(id)) catalogs.set(id, await sites.findCatalog(id));
  }
  const numbers: PreparationAnswer['authors'][number][] = [];
  for (const { site, id } of authors) {
    const siteNo = catalogs.get(site)?.site.no;
    const no = siteNo === undefined ? null : await transaction.run(references.findAuthor(siteNo, id));
    numbers.push({ site, id, no: no ?? null });
  }
  return { sites: siteIds.map((id) => ({ id, catalog: catalogs.get(id) ?? null })), authors: numbers };
}
