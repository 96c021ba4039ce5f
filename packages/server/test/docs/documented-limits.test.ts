// The pages about webhooks and the change feed state time limits, which must be those of the service.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STREAM_LIMITS } from '../../src/delivery/changes/open-streams.ts';
import { RETRY_AFTER_MS } from '../../src/webhooks/retry-plan.ts';
import { ATTEMPT_MS } from '../../src/webhooks/running-attempts.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000 };

/** The text of the page, with each paragraph on a single line. */
function readPage(name: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8');
  return page.replaceAll(/\n +/g, ' ');
}

/** The time limit in each of these sentences on the page, in milliseconds. */
function readSeconds(name: string, sentences: readonly RegExp[]): readonly number[] {
  const page = readPage(name);
  return sentences.map((sentence) => Number(sentence.exec(page)?.[1]) * 1000);
}

test('docs/webhooks.md states how long an attempt can take', () => {
  const sentences = [/A status from 200 to 299 within (\d+) seconds/, /attempts have timed out after (\d+) seconds/];
  expect(readSeconds('webhooks.md', sentences)).toEqual([ATTEMPT_MS, ATTEMPT_MS]);
});

test('docs/webhooks.md lists the pauses between attempts', () => {
  const list = /Galley tries again after ([^.]+?), with a new signature/.exec(readPage('webhooks.md'))?.[1] ?? '';
  const pauses = [...list.matchAll(/(\d+) (s|min|h)\b/g)].map(
    ([, count, unit = '']) => Number(count) * (UNITS[unit] ?? 0),
  );
  expect(pauses).toEqual(RETRY_AFTER_MS);
});

test('docs/changes.md states how often a stream sends a comment, and how long an event can remain unread', () => {
  const sentences = [
    /one is sent at least every (\d+) seconds/,
    /the limit must be longer than (\d+) seconds/,
    /remains unread for (\d+) seconds/,
  ];
  const { heartbeatMs, unreadMs } = STREAM_LIMITS;
  expect(readSeconds('changes.md', sentences)).toEqual([heartbeatMs, heartbeatMs, unreadMs]);
});
