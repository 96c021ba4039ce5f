// Keys are revoked, lose a site, regain it or expire while eight readers use them. Every request that starts after the call has returned,
// or after the expiry time, must be subject to the new permissions, even if its response is cached.

import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { site } from '../../conformance/records.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { type Connection, openConnection } from '../../support/connection.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';
import { buildRecords, SITE } from '../changing-site.ts';
import { beginHistory, callManagement, openManagementWriter, takeSteps } from '../take-steps.ts';
import { type KeyFindings, readWithKey, type WatchedKey, watchExpiringKey, watchKey } from '../watched-key.ts';

const READERS = 8;
const CHANGES = proofSize(9, 1500);
const EXPIRIES = proofSize(1, 60);
const READS_PER_STEP = 40;
const OTHER_SITE = 's_other';
/** The number of responses for a key before its permissions change again. */
const SETTLED_READS = 10;
const PUBLISHING = 'while content is published';
const LIFE_MS = 500;
const TARGETS = ['/api/v1/content/c_resting_0', '/api/v1/content?limit=100&sort=created_at'];

interface Load {
  readonly served: ServedSite;
  /** The keys that readers choose from. */
  readonly keys: Set<WatchedKey>;
  readonly findings: KeyFindings;
  readonly isOver: () => boolean;
  changes: number;
  expiries: number;
}

describe("changes to a key's permissions under load", () => {
  test.each([
    { arrangement: 'one process', workers: 1, meanwhile: 'while nothing else is written' },
    { arrangement: 'one process', workers: 1, meanwhile: PUBLISHING },
    { arrangement: '2 workers', workers: 2, meanwhile: 'while nothing else is written' },
    { arrangement: '2 workers', workers: 2, meanwhile: PUBLISHING },
  ])('apply to the next request with $arrangement, $meanwhile', async ({ arrangement, workers, meanwhile }) => {
    await using served = await serveSite([...buildRecords(), site(OTHER_SITE)], { workers });
    using writer = openManagementWriter(served);
    let hasFailed = false;
    const findings: KeyFindings = { reads: 0, hits: 0, refused: 0, faults: [] };
    const load: Load = {
      served,
      keys: new Set(),
      findings,
      isOver: () => hasFailed || hasShownEnough(load),
      changes: 0,
      expiries: 0,
    };
    const pace = { isOver: load.isOver, countReads: () => findings.reads, readsPerStep: READS_PER_STEP };
    await Promise.all([
      changeRights(load),
      letExpire(load),
      ...Array.from({ length: READERS }, () => read(load)),
      ...(meanwhile === PUBLISHING ? [takeSteps(beginHistory(), writer.takeStep, pace)] : []),
    ]).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });

    const { reads, hits, refused, faults } = findings;
    reportProof(
      `rights, ${arrangement}, ${meanwhile}: ${reads} reads, ${((100 * hits) / reads).toFixed(1)}% hits, ${refused} ` +
        `rejected; ${load.changes} permission changes, ${load.expiries} keys expired, ${faults.length} applied too late`,
    );
    expect(faults.slice(0, 5)).toEqual([]);
  });
});

function hasShownEnough({ changes, expiries, findings: { hits, refused } }: Load): boolean {
  return changes >= CHANGES && expiries >= EXPIRIES && hits > 0 && refused > 0;
}

async function read({ served, keys, findings, isOver }: Load): Promise<void> {
  const connection = openConnection(served.url);
  try {
    for (let turn = 0; !isOver(); turn++) {
      const key = [...keys][Math.floor(Math.random() * keys.size)];
      const target = TARGETS[turn % TARGETS.length] ?? '';
      if (key === undefined) await wait(1);
      else await readWithKey(connection, key, { target, headers: { 'x-service-site': SITE } }, findings);
    }
  } finally {
    connection.close();
  }
}

/** Each key in turn loses the site, regains it, and is revoked. */
async function changeRights(load: Load): Promise<void> {
  const connection = openConnection(load.served.url);
  try {
    while (!load.isOver()) {
      const { key, change } = watchKey(await createKey(connection, load, { sites: [SITE, OTHER_SITE] }));
      const patch = (body: object) => call(connection, load, 'PATCH', `/keys/${key.id}`, body);
      load.keys.add(key);
      await waitForReads(key, load);
      for (const [status, carryOut] of [
        [403, () => patch({ sites: [OTHER_SITE] })],
        [200, () => patch({ sites: [SITE] })],
        [401, () => call(connection, load, 'POST', `/keys/${key.id}/revoke`)],
      ] as const) {
        if (load.isOver()) break;
        await change(status, carryOut);
        load.changes += 1;
        await waitForReads(key, load);
      }
      load.keys.delete(key);
    }
  } finally {
    connection.close();
  }
}

async function letExpire(load: Load): Promise<void> {
  const connection = openConnection(load.served.url);
  try {
    let lifeMs = LIFE_MS;
    while (!load.isOver()) {
      const expiresAt = Date.now() + lifeMs;
      const rights = { all_sites: true, expires_at: new Date(expiresAt).toISOString() };
      const created = await createKey(connection, load, rights).catch(noteLate);
      // On a slow machine, the time may have passed before the service creates the key.
      if (created === undefined) {
        lifeMs *= 2;
        continue;
      }
      const key = watchExpiringKey(created, expiresAt);
      load.keys.add(key);
      await wait(Math.max(0, expiresAt - Date.now()));
      key.settledReads = 0;
      await waitForReads(key, load);
      load.keys.delete(key);
      load.expiries += 1;
    }
  } finally {
    connection.close();
  }
}

function noteLate(error: unknown): undefined {
  if (!String(error).includes('"in_past"')) throw error;
}

async function waitForReads(key: WatchedKey, { isOver }: Load): Promise<void> {
  while (key.settledReads < SETTLED_READS && !isOver()) await wait(1);
}

async function createKey(
  connection: Connection,
  load: Load,
  rights: object,
): Promise<{ readonly id: string; readonly token: string }> {
  return readKey(await call(connection, load, 'POST', '/keys', { name: 'Watched', ...rights }));
}

function call(connection: Connection, { served }: Load, method: string, path: string, body?: object): Promise<unknown> {
  return callManagement(connection, served.managementToken, { method, path, body });
}

function readKey(body: unknown): { readonly id: string; readonly token: string } {
  return body as { readonly id: string; readonly token: string };
}
