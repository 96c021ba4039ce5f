import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ChangeWatch } from './change-watch.ts';

const LONG_MS = 60_000;

function makeResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

function openWatch() {
  const state = { stamp: 1, isStopping: false };
  const watch = new ChangeWatch({ peekStamp: () => state.stamp, isStopping: () => state.isStopping });
  return { state, watch };
}

test('a request waits for the next write', async () => {
  const { state, watch } = openWatch();
  const waiting = watch.wait(watch.stamp, LONG_MS, makeResponse());
  state.stamp = 2;
  expect(await waiting).toBe(true);
});

test('a request does not wait for a write that came after the reader looked', async () => {
  const { state, watch } = openWatch();
  const seen = watch.stamp;
  state.stamp = 2;
  expect(await watch.wait(seen, LONG_MS, makeResponse())).toBe(true);
});

test('a request ends if its time is over, if the client disconnects, or if the service stops', async () => {
  const { state, watch } = openWatch();
  expect(await watch.wait(1, 1, makeResponse())).toBe(true);
  const response = makeResponse();
  const waiting = watch.wait(1, LONG_MS, response);
  response.emit('close');
  expect(await waiting).toBe(true);
  const last = watch.wait(1, LONG_MS, makeResponse());
  state.isStopping = true;
  expect(await last).toBe(true);
  expect(await watch.wait(1, LONG_MS, makeResponse())).toBe(false);
});

test('if 5,000 requests are waiting, the next one may not wait', async () => {
  const { state, watch } = openWatch();
  const waiting = Array.from({ length: 5000 }, () => watch.wait(1, LONG_MS, makeResponse()));
  expect(await watch.wait(1, LONG_MS, makeResponse())).toBe(false);
  state.stamp = 2;
  expect((await Promise.all(waiting)).every((hasWaited) => hasWaited)).toBe(true);
});
