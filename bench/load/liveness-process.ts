// Requests /livez every few milliseconds over one connection. It runs in a separate process, so that the load generator does not delay
// these requests. When asked, it reports the longest wait.

import { setTimeout as sleep } from 'node:timers/promises';
import { recordAnswer } from '../recorded-answer.ts';
import type { LivenessMessage } from './watch-liveness.ts';

const PAUSE_MS = 3;

let isAsked = false;
process.on('message', () => {
  isAsked = true;
});
process.on('disconnect', () => process.exit(0));

const reader = { origin: process.argv[2] ?? '', headers: {} };
// The first request only opens the connection.
await recordAnswer(reader, '/livez');
for (let longestMs = 0; ; await sleep(PAUSE_MS)) {
  const wasAsked = isAsked;
  const startedAt = performance.now();
  await recordAnswer(reader, '/livez');
  longestMs = Math.max(longestMs, performance.now() - startedAt);
  // This request was sent after the parent's message arrived, so the request that was pending at that time has been counted.
  if (wasAsked) {
    process.send?.({ longestMs } satisfies LivenessMessage);
    [isAsked, longestMs] = [false, 0];
  }
}
