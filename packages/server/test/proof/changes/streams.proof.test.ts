// Opens thousands of streams of changes on one node. Each published change must reach all of them promptly, and they
// must use little memory.

import { expect, test } from 'vitest';
import { ManyStreams } from '../../../../../scripts/testing/many-streams.ts';
import { ChangeReader } from '../../changes/change-reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { readResidentMb } from '../../support/resident-memory.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';

const STREAMS = proofSize(500, 2000);
const PUBLISHES = proofSize(5, 20);
const MOST_MB = 100;
const MOST_MS = 250;

test(`a published change reaches ${STREAMS} streams within ${MOST_MS} ms, and the streams use less than ${MOST_MB} MB`, async () => {
  await using served = await serveSite([
    site(PRESS),
    contentType(PRESS, 'note', [{ handle: 'line', type: 'text' }]),
    content({ id: 'c_one', fields: { line: { text: 'A line. '.repeat(100) } } }),
  ]);
  const { url, key } = served;
  const since = await new ChangeReader(url, key.token, PRESS).sync();
  // Publishing for the first time loads code that stays loaded.
  await publish(served, 'Warm-up');
  const before = readResidentMb(served.server.pid);
  using streams = await ManyStreams.open({
    url,
    token: key.token,
    site: PRESS,
    count: STREAMS,
    query: `?since=${since}&include=content`,
  });
  const delays: number[] = [];
  let most = readResidentMb(served.server.pid);
  for (let count = 0; count < PUBLISHES; count += 1) {
    const name = `Publish ${count}.`;
    const arriving = streams.arrival(name);
    await publish(served, name);
    const publishedAt = performance.now();
    await arriving;
    delays.push(performance.now() - publishedAt);
    most = Math.max(most, readResidentMb(served.server.pid));
  }
  const worst = Math.max(...delays);
  reportProof(
    `${STREAMS} streams: ${most - before} MB (${before} MB before), reached within ${delays.map(Math.round).join(', ')} ms`,
  );
  expect(most - before).toBeLessThan(MOST_MB);
  expect(worst).toBeLessThan(MOST_MS);
});

async function publish({ url, managementToken }: ServedSite, name: string): Promise<void> {
  const path = `${url}/manage/v1/sites/${PRESS}/content/c_one`;
  const headers = { authorization: `Bearer ${managementToken}`, 'content-type': 'application/json' };
  const { version } = await call(path, { headers });
  await call(path, { method: 'PUT', headers, body: JSON.stringify({ version, name }) });
  await call(`${path}/publish`, { method: 'POST', headers, body: '{}' });
}

async function call(url: string, init: RequestInit): Promise<{ readonly version: number }> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}
