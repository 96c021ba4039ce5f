// Eight readers read while a writer publishes and unpublishes, once for every hundred reads. No read that starts after a call has returned may
// show the earlier state, regardless of who made the call. Nearly all reads must come from the cache.

import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { isHit, openConnection, processOf, type Received } from '../../support/connection.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';
import { buildRecords, describeAnswer, SITE, VIEWS, type View } from '../changing-site.ts';
import {
  beginHistory,
  buildStorageWriter,
  type History,
  openManagementWriter,
  type TakeStep,
  takeSteps,
} from '../take-steps.ts';

const READERS = 8;
const STEPS = proofSize(20, 1500);
const READS_PER_STEP = 100;
/** As on any site, some URLs are requested much more often than others. */
const FAVOURITES = VIEWS.filter(({ target }) => target.includes('?')).slice(0, 3);
/** With too few cache hits, the test would prove nothing. */
const LEAST_HITS = 0.5;

interface Findings {
  reads: number;
  hits: number;
  notModified: number;
  readonly stale: string[];
  readonly processes: Set<string>;
}

describe('a read that starts after a call to publish content has returned', () => {
  test('shows the published change if there is one process', async () => {
    await using served = await serveSite(buildRecords());
    using writer = openManagementWriter(served);
    await expectFreshReads('one process', served, writer.takeStep, 1);
  });

  test('shows the published change if there are two workers', async () => {
    await using served = await serveSite(buildRecords(), { workers: 2 });
    using writer = openManagementWriter(served);
    await expectFreshReads('2 workers', served, writer.takeStep, 2);
  });

  test('shows the published change if another process published it', async () => {
    await using served = await serveSite(buildRecords());
    // This process writes, so nothing notifies the serving process, and the time at which a call returned is known exactly.
    const storage = await openSqlite(served.databasePath, Date.now());
    try {
      await expectFreshReads('the writer in another process', served, buildStorageWriter(storage), 1);
    } finally {
      await storage.close();
    }
  });
});

async function expectFreshReads(
  arrangement: string,
  served: ServedSite,
  takeStep: TakeStep,
  processes: number,
): Promise<void> {
  const history = beginHistory();
  const findings: Findings = { reads: 0, hits: 0, notModified: 0, stale: [], processes: new Set() };
  let hasFailed = false;
  const isOver = () => hasFailed || (history.acknowledged >= STEPS && findings.notModified > 0);
  const pace = { isOver, countReads: () => findings.reads, readsPerStep: READS_PER_STEP };
  const readers = Array.from({ length: READERS }, () => read(served, history, findings, isOver));
  await Promise.all([takeSteps(history, takeStep, pace), ...readers]).catch((error: unknown) => {
    hasFailed = true;
    throw error;
  });

  const { reads, hits, notModified, stale } = findings;
  reportProof(
    `freshness, ${arrangement}: ${reads} reads, ${history.acknowledged} publishes and unpublishes, ${stale.length} stale ` +
      `reads; ${((100 * hits) / reads).toFixed(1)}% hits, ${notModified} not modified`,
  );
  expect(stale.slice(0, 5)).toEqual([]);
  expect(findings.processes.size).toBe(processes);
  expect(hits / reads).toBeGreaterThan(LEAST_HITS);
}

/** The last response a reader has received for a view in one encoding. */
interface Known {
  readonly etag: string;
  readonly shown: string;
}

async function read(served: ServedSite, history: History, findings: Findings, isOver: () => boolean): Promise<void> {
  const connection = openConnection(served.url);
  const known = new Map<string, Known>();
  try {
    while (!isOver()) {
      const view = draw(Math.random() < 0.8 ? FAVOURITES : VIEWS);
      const encoding = Math.random() < 0.25 ? 'br' : 'identity';
      const seen = known.get(`${encoding} ${view.target}`);
      const headers = buildHeaders(served, view, encoding, Math.random() < 0.5 ? seen : undefined);
      const first = history.acknowledged;
      const received = await connection.ask({ target: view.target, headers });
      const last = history.begun;
      const shown = received.status === 304 ? (seen?.shown ?? 'nothing') : describeReceived(received);
      const { etag } = received.headers;
      if (etag !== undefined) known.set(`${encoding} ${view.target}`, { etag, shown });
      const allowed = history.states.slice(first, last + 1).map(view.expect);
      if (!allowed.includes(shown)) {
        findings.stale.push(`${view.target} (${encoding}) shows ${shown}, not ${allowed.join(' or ')}`);
      }
      findings.reads += 1;
      if (isHit(received)) findings.hits += 1;
      if (received.status === 304) findings.notModified += 1;
      findings.processes.add(processOf(received));
    }
  } finally {
    connection.close();
  }
}

function buildHeaders({ key }: ServedSite, { isSimple }: View, encoding: string, seen: Known | undefined) {
  return {
    authorization: `Bearer ${key.token}`,
    'x-service-site': SITE,
    'accept-encoding': encoding,
    ...(isSimple ? { 'x-service-simple-pagination': 'true' } : {}),
    ...(seen === undefined ? {} : { 'if-none-match': seen.etag }),
  };
}

function describeReceived({ status, headers, bytes }: Received): string {
  const plain = headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes;
  return describeAnswer(status, plain.toString());
}

function draw<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to choose from');
  return value;
}
