// Nobody waits for what somebody else saves: HTML is cleaned on a thread of its own, and a large save works in short turns.

import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from '../management/manager.ts';

const SITE = 's_cleaning';
const CONTENT = `/sites/${SITE}/content`;
const FIELDS = 10;
/** As many characters as a field of HTML takes. */
const MOST_CHARACTERS = 400_000;

interface ClientAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends from another thread, so that only the work of the service counts on this one. */
const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ url, ...request }) => {
    const response = await fetch(url, request);
    parentPort.postMessage({ status: response.status, text: (await response.text()).slice(0, 2000) });
  });`;

/** The longest time that the thread worked without looking for other requests: CPU time, whatever else the machine does. */
function watchTurns(): { stop(): number } {
  let isOn = true;
  let longest = 0;
  let last = process.threadCpuUsage();
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage();
    longest = Math.max(longest, user + system - last.user - last.system);
    last = { user, system };
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      isOn = false;
      return longest / 1000;
    },
  };
}

describe('a save', () => {
  let manager: Manager;
  let client: Worker;

  beforeAll(async () => {
    manager = await startManager();
    client = new Worker(CLIENT, { eval: true });
    await manager.expectOk('POST', '/sites', { id: SITE, name: 'Cleaning' });
    const fields = Array.from({ length: FIELDS }, (_, index) => ({
      handle: `html_${index}`,
      name: 'HTML',
      type: 'text',
      format: 'html',
    }));
    await manager.expectOk('POST', `/sites/${SITE}/types`, { handle: 'page', name: 'Page', fields });
    // What is loaded and compiled once is not what this is about.
    await save(buildFields('<p>warm <b>up</b></p>', 20_000));
    await save(buildFields('<p>warm <b>up</b></p>', 20_000));
  });

  afterAll(async () => {
    await client.terminate();
    await manager.close();
  });

  function buildFields(piece: string, length: number): object {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    return Object.fromEntries(
      Array.from({ length: FIELDS }, (_, index) => [`html_${index}`, { text: `${text}${index}` }]),
    );
  }

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
    if (answer === undefined) throw new Error('The client gave no answer');
    return { ...answer, longestTurn };
  }

  test.each([
    ['nothing but <', '<', MOST_CHARACTERS - 1, 422],
    ['elements without an end', '<b>', MOST_CHARACTERS - 1, 422],
    ['attributes without an end', "<a href='", MOST_CHARACTERS - 1, 422],
    ['paragraphs without an end', '<p>', 40_000, 201],
    ['entities', '&#1;', 40_000, 201],
    ['pictures with many sizes', '<img srcset="a 1x, b 2x, c 3x">', 40_000, 201],
  ])('of HTML that is %s keeps nobody waiting', async (_, piece, length, status) => {
    const answer = await save(buildFields(piece, length));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
    expect(answer.longestTurn).toBeLessThan(50);
  });

  test('of a million empty objects keeps nobody waiting', async () => {
    const answer = await save({ html_0: Array.from({ length: 1_000_000 }, () => ({})) });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('at most 60000 members and items')]);
    expect(answer.longestTurn).toBeLessThan(50);
  });

  test('of as much ordinary HTML as a body takes keeps nobody waiting, and is stored', async () => {
    const answer = await save(buildFields('<p>Some <b>words</b> &amp; more of them.</p>', MOST_CHARACTERS - 1));
    expect(answer.status).toBe(201);
    // CPU time of one turn; other tests on the same cores can double it.
    expect(answer.longestTurn).toBeLessThan(100);
  });
});
