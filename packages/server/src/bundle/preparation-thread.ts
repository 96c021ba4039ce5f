// The thread that reads a bundle and prepares its content, while the import writes what came before.

import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { parseBundleLine } from './bundle-record.ts';
import type { ContentRecord } from './content-record.ts';
import { KnownSites } from './known-sites.ts';
import {
  type FromPreparation,
  MOST_LOTS_AHEAD,
  type PreparationAnswer,
  type PreparationTask,
  type PreparedLine,
  type ToPreparation,
} from './preparation-messages.ts';
import { isPlainRecord, prepareContent } from './prepare-content.ts';
import { BundleFault, type BundleLine, readBundleLines } from './read-bundle-lines.ts';

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

/** Both ends are ours. */
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

if (parentPort === null) throw new Error('Not a thread of its own');
await prepareBundle(parentPort);
