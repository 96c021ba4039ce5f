// The thread that reads a bundle and prepares its content while the import writes earlier content.

import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Catalog } from '../content/catalog.ts';
import { parseBundleLine } from './bundle-record.ts';
import type { ContentRecord } from './content-record.ts';
import { isPlainRecord, type PreparationSite, prepareContent } from './prepare-content.ts';
import {
  type FromPreparation,
  MOST_LOTS_AHEAD,
  type PreparationAnswer,
  type PreparationQuestion,
  type PreparationTask,
  type PreparedLine,
  type ToPreparation,
} from './prepared-lines.ts';
import { BundleFault, type BundleLine, readBundleLines } from './read-bundle-lines.ts';

interface KnownSite extends PreparationSite {
  readonly catalog: Catalog;
  readonly authors: Map<string, number | null>;
}

/** The maximum number of authors that the thread keeps in memory. It asks for any others again when it needs them. */
const MOST_AUTHORS = 100_000;

/** The data that the import has sent to the thread from the database: sites with their catalogs, and author numbers. */
class KnownSites {
  readonly #sites = new Map<string, KnownSite | null>();

  find(siteId: string): PreparationSite | undefined {
    return this.#sites.get(siteId) ?? undefined;
  }

  /** Returns the sites and authors that the records name but this thread has no data about; undefined if there are none. */
  findUnknown(records: readonly (ContentRecord | undefined)[]): PreparationQuestion | undefined {
    const sites = new Set<string>();
    const authors = new Map<string, { readonly site: string; readonly id: string }>();
    for (const record of records) {
      if (record === undefined) continue;
      const { site, author: id } = record;
      const known = this.#sites.get(site);
      if (known === undefined) sites.add(site);
      if (id !== null && known !== null && !known?.authors.has(id)) authors.set(`${site}/${id}`, { site, id });
    }
    if (sites.size === 0 && authors.size === 0) return undefined;
    return { sites: [...sites], authors: [...authors.values()] };
  }

  learn({ sites, authors }: PreparationAnswer): void {
    for (const { id, catalog } of sites) this.#sites.set(id, catalog && { catalog, authors: new Map() });
    for (const site of this.#sites.values())
      if (site !== null && site.authors.size > MOST_AUTHORS) site.authors.clear();
    for (const { site, id, no } of authors) this.#sites.get(site)?.authors.set(id, no);
  }
}

class Preparation {
  readonly #port: MessagePort;
  readonly #inbox: AsyncIterator<unknown[]>;
  readonly #known = new KnownSites();
  #lotsAhead = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    this.#inbox = on(port, 'message');
  }

  async prepare({ path, now }: PreparationTask): Promise<void> {
    for await (const lines of readBundleLines(path)) {
      const records = lines.map(readPlainRecord);
      const question = this.#known.findUnknown(records);
      if (question !== undefined) {
        this.#tell({ kind: 'question', question });
        this.#known.learn(await this.#receiveAnswer());
      }
      while (this.#lotsAhead >= MOST_LOTS_AHEAD) await this.#receive();
      this.#lotsAhead += 1;
      this.#tell({ kind: 'lines', lines: lines.map((line, index) => this.#prepareLine(line, records[index], now)) });
    }
    this.#tell({ kind: 'end' });
  }

  #prepareLine(line: BundleLine, record: ContentRecord | undefined, now: number): PreparedLine {
    const site = record && this.#known.find(record.site);
    const prepared = record && site && prepareContent(record, line.text, site, now);
    return { ...line, content: prepared?.content ?? null, limits: prepared?.limits };
  }

  async #receiveAnswer(): Promise<PreparationAnswer> {
    for (;;) {
      const answer = await this.#receive();
      if (answer !== undefined) return answer;
    }
  }

  async #receive(): Promise<PreparationAnswer | undefined> {
    const { value } = await this.#inbox.next();
    const message = asMessage(value[0]);
    if (message.kind === 'answer') return message.answer;
    this.#lotsAhead -= 1;
    return undefined;
  }

  #tell(message: FromPreparation): void {
    this.#port.postMessage(message);
  }
}

function readPlainRecord({ text }: BundleLine): ContentRecord | undefined {
  const record = parseBundleLine(text);
  return record.ok && record.value.kind === 'content' && isPlainRecord(record.value) ? record.value : undefined;
}

/** The type is not checked, because both ends run our own code. */
function asMessage(message: unknown): ToPreparation {
  return message as ToPreparation;
}

function asTask(task: unknown): PreparationTask {
  return task as PreparationTask;
}

async function prepareBundle(port: MessagePort): Promise<void> {
  try {
    await new Preparation(port).prepare(asTask(workerData));
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error;
    const fault: FromPreparation = { kind: 'fault', line: error.line, message: error.message };
    port.postMessage(fault);
  }
}

if (parentPort === null) throw new Error('This file must run as a worker thread');
await prepareBundle(parentPort);
