// Nobody has to wait for another person's save. A separate thread sanitises HTML and does all other work for a large save.
// cleaning.full.test.ts shows what it returns.

import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from '../../management/manager.ts';
import { reportProof } from '../../oracle/proof.ts';
import { watchTurns } from '../../support/watch-turns.ts';
import { addHtmlType, buildHtml, CONTENT, SAVES } from './html-saves.ts';

/** The longest uninterrupted work of the service's main thread. */
const MOST_TURN_MS = 50;

interface ClientAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests from a separate thread, so this thread does only the service's work. */
const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ url, ...request }) => {
    const response = await fetch(url, request);
    parentPort.postMessage({ status: response.status, text: (await response.text()).slice(0, 2000) });
  });`;

describe('a save', () => {
  let manager: Manager;
  let client: Worker;

  beforeAll(async () => {
    manager = await startManager();
    client = new Worker(CLIENT, { eval: true });
    await addHtmlType(manager);
    // The code is loaded and compiled only once, and the time this takes must not be measured.
    await save(buildHtml('<p>warm <b>up</b></p>', 20_000));
    await save(buildHtml('<p>warm <b>up</b></p>', 20_000));
  });

  afterAll(async () => {
    await client.terminate();
    await manager.close();
  });

  async function save(fields: object): Promise<ClientAnswer & { readonly longestTurn: number }> {
    const body = JSON.stringify({ content_type: 'page', name: 'Page', fields });
    await setTimeout(20);
    const watch = watchTurns();
    client.postMessage({
      url: `${manager.service.url}/manage/v1${CONTENT}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${manager.editor}` },
      body,
    });
    const [answer]: ClientAnswer[] = await once(client, 'message');
    const longestTurn = watch.stop();
    if (answer === undefined) throw new Error('The client did not respond');
    return { ...answer, longestTurn };
  }

  test.each(SAVES)('does not make anyone else wait if its HTML consists of %s', async (name, piece, length, status) => {
    const answer = await save(buildHtml(piece, length));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
    reportProof(`a save of ${name}: the longest turn took ${answer.longestTurn.toFixed(1)} ms`);
    expect(answer.longestTurn).toBeLessThan(MOST_TURN_MS);
  });

  test('does not make anyone else wait if it contains a million empty objects', async () => {
    const answer = await save({ html_0: Array.from({ length: 1_000_000 }, () => ({})) });
    reportProof(`a save of a million objects: the longest turn took ${answer.longestTurn.toFixed(1)} ms`);
    expect(answer.longestTurn).toBeLessThan(MOST_TURN_MS);
  });
});
