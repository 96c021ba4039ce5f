// Measures how long a publish takes with and without webhooks. The two kinds alternate on the same service, and all webhooks call a
// receiver in this process.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { listIds } from '../cases.ts';
import { SITE_ID } from '../content.ts';
import { runGalley, startGalley } from '../galley-process.ts';
import type { Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';
import { createEditor, type Editor } from './editor.ts';
import { publishOne } from './measure-publishes.ts';

export interface MeasuredWebhooks {
  readonly count: number;
  /** In milliseconds. */
  readonly without: readonly number[];
  readonly with: readonly number[];
}

const WEBHOOKS = 20;
const ROUNDS = 4;

/** @param publishes the number of publishes in each round */
export async function measureWebhooks(scratch: Scratch, site: Site, publishes: number): Promise<MeasuredWebhooks> {
  const receiver = await openReceiver();
  const galley = await startGalley(scratch, site.databaseUrl, { GALLEY_WEBHOOK_ALLOW: 'loopback' });
  const editor = await createEditor(scratch, site.databaseUrl, galley.origin);
  const url = `http://127.0.0.1:${receiver.port}/`;
  const webhooks: string[] = [];
  for (let number = 1; number <= WEBHOOKS; number++) {
    const options = ['--site', SITE_ID, '--name', `Bench ${number}`, '--url', url, '--off', '--json'];
    const { output } = await runGalley(scratch, site.databaseUrl, ['webhook', 'create', ...options]);
    webhooks.push(readId(output));
  }
  const ids = listIds(site, publishes);
  const measured = { without: [] as number[], with: [] as number[] };
  await publishAll(editor, ids);
  for (let round = 0; round < ROUNDS; round++) {
    measured.without.push(...(await publishAll(editor, ids)));
    await switchAll(editor, webhooks, true);
    const calls = receiver.next(ids.length * WEBHOOKS);
    measured.with.push(...(await publishAll(editor, ids)));
    await calls;
    await switchAll(editor, webhooks, false);
  }
  await galley.stop();
  receiver.close();
  return { count: WEBHOOKS, ...measured };
}

async function publishAll(editor: Editor, ids: readonly string[]): Promise<readonly number[]> {
  const milliseconds: number[] = [];
  for (const id of ids) milliseconds.push(await publishOne(editor, id));
  return milliseconds;
}

async function switchAll({ origin, token }: Editor, webhooks: readonly string[], isOn: boolean): Promise<void> {
  for (const id of webhooks) {
    const response = await fetch(`${origin}/manage/v1/sites/${SITE_ID}/webhooks/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ is_on: isOn }),
    });
    if (!response.ok) throw new Error(`The service returned ${response.status}: ${await response.text()}`);
  }
}

function readId(output: string): string {
  const webhook: unknown = JSON.parse(output);
  if (typeof webhook === 'object' && webhook !== null && 'id' in webhook && typeof webhook.id === 'string') {
    return webhook.id;
  }
  throw new Error(`The command printed no webhook: ${output}`);
}

interface Receiver {
  readonly port: number;
  /** Resolves after this many more calls. */
  readonly next: (calls: number) => Promise<void>;
  readonly close: () => void;
}

async function openReceiver(): Promise<Receiver> {
  let left = 0;
  let resolve = (): void => {};
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      left -= 1;
      if (left === 0) resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return {
    port: address.port,
    next(calls) {
      left = calls;
      const arrived = Promise.withResolvers<void>();
      resolve = arrived.resolve;
      return arrived.promise;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
