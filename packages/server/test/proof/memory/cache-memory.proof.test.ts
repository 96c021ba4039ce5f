// Sends a large number of different requests to a service with a 16 MB cache, each of them twice so that its response is cached. The
// process must stay small.

import { expect, test } from 'vitest';
import { at, content, contentType, PRESS, site } from '../../conformance/records.ts';
import { reportProof } from '../../oracle/proof.ts';
import { type Asking, isHit, openConnection } from '../../support/connection.ts';
import { readResidentMb } from '../../support/resident-memory.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';

const QUERIES = 200_000;
const CACHE_MB = 16;
const MOST_RESIDENT_MB = 200;
const CONNECTIONS = 8;
const OBJECTS = 60;
const TEXT = 'A sentence that is only here to take up some space. '.repeat(30);

test('200,000 different queries do not increase the memory usage of the process', async () => {
  await using served = await serveSite(buildRecords(), { environment: { GALLEY_CACHE_MB: String(CACHE_MB) } });
  const findings = { requests: 0, hits: 0, compressed: 0, bytes: 0, mostResidentMb: 0 };
  let next = 0;
  async function ask(): Promise<void> {
    const connection = openConnection(served.url);
    try {
      while (next < QUERIES) {
        const number = next;
        next += 1;
        for (let time = 0; time < 2; time += 1) {
          const { status, headers, bytes } = await connection.ask(buildAsking(served, number));
          if (status !== 200) throw new Error(`Query ${number} returned ${status}: ${bytes}`);
          findings.requests += 1;
          findings.bytes += bytes.length;
          if (isHit({ status, headers, bytes })) findings.hits += 1;
          if (headers['content-encoding'] === 'br') findings.compressed += 1;
        }
        if (number % 1000 === 0) {
          findings.mostResidentMb = Math.max(findings.mostResidentMb, readResidentMb(served.server.pid));
        }
      }
    } finally {
      connection.close();
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));

  const residentMb = readResidentMb(served.server.pid);
  const { requests, hits, compressed, bytes, mostResidentMb } = findings;
  reportProof(
    `cache memory: ${QUERIES} different queries, ${requests} requests (${((100 * hits) / requests).toFixed(1)}% hits, ` +
      `${compressed} with br), ${Math.round(bytes / 2 ** 20)} MB of responses with a cache of ${CACHE_MB} MB; ` +
      `${residentMb} MB resident, at most ${mostResidentMb} MB`,
  );
  expect(residentMb).toBeLessThan(MOST_RESIDENT_MB);
  // The response to the second request for each query must come from the cache, which shows that responses were cached the whole time.
  expect(hits).toBeGreaterThan(requests * 0.45);
  expect(compressed).toBeGreaterThan(requests * 0.2);
  expect(bytes).toBeGreaterThan(2 * CACHE_MB * 2 ** 20);
});

/** Objects, short lists and long lists. An unknown parameter makes each URL, and therefore the links in its response, unique. */
function buildAsking({ key }: ServedSite, number: number): Asking {
  const isObject = number % 3 === 0;
  const path = isObject ? `/c_${number % OBJECTS}?n=${number}` : `?limit=${2 + (number % 19)}&sort=name&n=${number}`;
  return {
    target: `/api/v1/content${path}`,
    headers: {
      authorization: `Bearer ${key.token}`,
      'x-service-site': PRESS,
      'accept-encoding': number % 4 === 0 ? 'br' : 'identity',
    },
  };
}

function buildRecords(): readonly object[] {
  const contents = Array.from({ length: OBJECTS }, (_, index) =>
    content({ id: `c_${index}`, published_at: at(1 + (index % 28)), fields: { line: { text: `${index} ${TEXT}` } } }),
  );
  return [site(PRESS), contentType(PRESS, 'note', [{ handle: 'line', type: 'text' }]), ...contents];
}
