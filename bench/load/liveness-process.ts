// Asks a service every few milliseconds whether it lives, over one connection, as a process of its own: whoever makes the
// other requests must not delay these. It tells the longest wait when it is asked to.

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
// The first request makes the connection.
await recordAnswer(reader, '/livez');
for (let longestMs = 0; ; await sleep(PAUSE_MS)) {
  const wasAsked = isAsked;
  const startedAt = performance.now();
  await recordAnswer(reader, '/livez');
  longestMs = Math.max(longestMs, performance.now() - startedAt);
  // This request was sent after the question came, so the one that waited when it came has been counted.
  if (wasAsked) {
    process.send?.({ longestMs } satisfies LivenessMessage);
    [isAsked, longestMs] = [false, 0];
  }
}
