import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { LogEnds } from '../../storage/changes/select-log-ends.ts';
import { ChangeWatch, type WatchedReader } from './change-watch.ts';

const LONG_MS = 60_000;
const SITE = 's_one';
/** A token whose check never finishes. */
const SLOW = 'gk_slow';

function makeResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

function openWatch() {
  const state = {
    stamp: 1 as number | undefined,
    isStopping: false,
    ends: new Map<string, LogEnds>([[SITE, { start: 0, last: 10 }]]),
    revoked: new Set<string>(),
    /** The sites whose logs were read, one entry for each read. */
    reads: [] as (readonly string[])[],
    isDown: false,
    failures: 0,
  };
  const watch = new ChangeWatch({
    peekStamp: () => state.stamp,
    readLogEnds: async (siteIds) => {
      if (state.isDown) throw new Error('down');
      state.reads.push(siteIds);
      return new Map(state.ends);
    },
    isAdmitted: async ({ token }) => {
      if (token === SLOW) await new Promise(() => {});
      return !state.revoked.has(token);
    },
    isStopping: () => state.isStopping,
    onFailure: () => {
      state.failures += 1;
    },
  });
  /** Adds a reader that is behind, and resolves once the watch has read the log and woken this reader. */
  async function passALook(): Promise<void> {
    await watch.wait(read({ row: 9, stamp: 0 }), makeResponse());
  }
  return { state, watch, passALook };
}

function read(members: Partial<WatchedReader> = {}): WatchedReader {
  return { siteId: SITE, token: 'gk_one', row: 10, stamp: 1, ...members };
}

/** Whether a promise has already settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

test('a request waits until its site’s log grows', async () => {
  const { state, watch } = openWatch();
  const waiting = watch.wait(read(), makeResponse());
  state.ends.set(SITE, { start: 0, last: 11 });
  state.stamp = 2;
  await waiting;
  expect(state.reads).toEqual([[SITE]]);
});

test('a request does not wait if a row was added after its data was read', async () => {
  const { state, watch } = openWatch();
  state.ends.set(SITE, { start: 0, last: 11 });
  state.stamp = 2;
  await watch.wait(read({ stamp: 1 }), makeResponse());
});

test('changes to drafts or other sites do not wake waiting requests, and the logs are read only once per change for all of them', async () => {
  const { state, watch, passALook } = openWatch();
  const responses = Array.from({ length: 50 }, makeResponse);
  const waiting = responses.map((response) => watch.wait(read(), response));
  const elsewhere = watch.wait(read({ siteId: 's_two', row: 3 }), makeResponse());
  state.ends.set('s_two', { start: 0, last: 3 });
  state.stamp = 2;
  await passALook();
  expect(state.reads.length).toBeLessThanOrEqual(2);
  expect(new Set(state.reads.flat())).toEqual(new Set([SITE, 's_two']));
  state.ends.set('s_two', { start: 0, last: 4 });
  state.stamp = 3;
  await elsewhere;
  for (const each of waiting) expect(await isSettled(each)).toBe(false);
  for (const response of responses) response.emit('close');
  await Promise.all(waiting);
});

test('the logs are not read while nobody is writing', async () => {
  const { state, watch } = openWatch();
  await watch.wait(read(), makeResponse(), 100);
  expect(state.reads).toEqual([]);
});

test('a request ends if its position is no longer in the log, or if its site is deleted', async () => {
  const { state, watch } = openWatch();
  const expiring = watch.wait(read(), makeResponse());
  state.ends.set(SITE, { start: 11, last: 11 });
  state.stamp = 2;
  await expiring;
  const losing = watch.wait(read({ row: 11, stamp: 2 }), makeResponse());
  state.ends.delete(SITE);
  state.stamp = 3;
  await losing;
});

test('a request ends if its key is no longer allowed to read the site, and others keep waiting', async () => {
  const { state, watch } = openWatch();
  const response = makeResponse();
  const staying = watch.wait(read({ token: 'gk_two' }), response);
  const leaving = [watch.wait(read(), makeResponse()), watch.wait(read(), makeResponse())];
  state.revoked.add('gk_one');
  await Promise.all(leaving);
  expect(await isSettled(staying)).toBe(false);
  response.emit('close');
  await staying;
});

test('a slow check of one key does not delay the checks of others', async () => {
  const { state, watch } = openWatch();
  watch.wait(read({ token: SLOW }), makeResponse());
  state.revoked.add('gk_two');
  await watch.wait(read({ token: 'gk_two' }), makeResponse());
});

test('while the stamp is unknown, the logs are read without it', async () => {
  const { state, watch } = openWatch();
  state.stamp = undefined;
  const waiting = watch.wait(read({ stamp: undefined }), makeResponse());
  state.ends.set(SITE, { start: 0, last: 11 });
  await waiting;
});

test('if the logs cannot be read, the watch tries again later', async () => {
  const { state, watch } = openWatch();
  state.isDown = true;
  const waiting = watch.wait(read(), makeResponse());
  state.ends.set(SITE, { start: 0, last: 11 });
  state.stamp = 2;
  await expect.poll(() => state.failures).toBe(1);
  state.isDown = false;
  await waiting;
  expect(state.failures).toBe(1);
});

test('a request ends when its time limit is reached, when the client disconnects, or when the service stops', async () => {
  const { state, watch } = openWatch();
  await watch.wait(read(), makeResponse(), 1);
  const response = makeResponse();
  const waiting = watch.wait(read(), response);
  response.emit('close');
  await waiting;
  const last = watch.wait(read(), makeResponse(), LONG_MS);
  state.isStopping = true;
  await last;
  await watch.wait(read(), makeResponse());
});
