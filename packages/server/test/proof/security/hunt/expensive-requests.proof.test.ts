// Searches for expensive requests on a site with 20,000 objects. However the search combines the requests that an API key or an editor's
// account allows, other clients must not wait much longer than on an idle service, and the process must stay small.

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../../../src/authoring/actor.ts';
import { createManagementToken } from '../../../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../../../src/cli/with-storage.ts';
import { openSqlite } from '../../../../src/storage/sqlite/open-sqlite.ts';
import { PRESS } from '../../../conformance/records.ts';
import { reportProof } from '../../../oracle/proof.ts';
import { readResidentMb } from '../../../support/resident-memory.ts';
import { type ServedSite, serveSite } from '../../../support/served-site.ts';
import { type Hunt, hunt } from './hunter.ts';
import { watchOthers } from './watch-others.ts';
import { buildWideSite } from './wide-site.ts';

const HUNT_MS = 600_000;
const IDLE_MS = 30_000;
const MOST_WAIT_MS = 50;
const MOST_RESIDENT_MB = 300;

describe('searching for expensive requests', () => {
  test('does not make others wait if the attacker has an API key', async () => {
    await using served = await serveSite(buildWideSite());
    await expectNobodyWaits('an API key', served, { who: 'reader', token: served.key.token });
  });

  test("does not make others wait if the attacker has an editor's account", async () => {
    await using served = await serveSite(buildWideSite());
    await expectNobodyWaits("an editor's account", served, { who: 'editor', token: await createEditor(served) });
  });
});

async function expectNobodyWaits(name: string, served: ServedSite, hunter: Pick<Hunt, 'who' | 'token'>): Promise<void> {
  await using watch = await watchOthers({
    url: served.url,
    pid: served.server.pid,
    target: '/api/v1/content?limit=20',
    headers: { authorization: `Bearer ${served.key.token}`, 'x-service-site': PRESS },
  });
  // The first samples are not served from the cache.
  await pause(1000);
  await watch.take();
  await pause(IDLE_MS);
  const idle = await watch.take();

  let mostMb = 0;
  const measure = setInterval(() => {
    mostMb = Math.max(mostMb, readResidentMb(served.server.pid));
  }, 200);
  const found = await hunt({ ...hunter, url: served.url, milliseconds: HUNT_MS }).finally(() => clearInterval(measure));
  const hunted = await watch.take();

  const statuses = [...found.statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  const slowest = found.slowest.map(({ took, text }) => `\n  ${took} ms: ${text}`).join('');
  reportProof(
    `hunt with ${name}: ${found.requests} requests in ${HUNT_MS / 1000} s (${statuses}); others waited at most ` +
      `${hunted.most.toFixed(1)} ms (99th percentile: ${hunted.most99.toFixed(1)} ms, ${hunted.samples} samples), on an idle ` +
      `service ${idle.most.toFixed(1)} ms (99th percentile: ${idle.most99.toFixed(1)} ms); at most ${mostMb} MB. ` +
      `The slowest requests:${slowest}`,
  );
  expect(found.requests).toBeGreaterThan(HUNT_MS / 1000);
  expect(hunted.samples).toBeGreaterThan(HUNT_MS / 200);
  expect(hunted.most).toBeLessThanOrEqual(idle.most + MOST_WAIT_MS);
  expect(mostMb).toBeLessThan(MOST_RESIDENT_MB);
}

async function createEditor({ databasePath }: ServedSite): Promise<string> {
  const storage = await openSqlite(databasePath, Date.now());
  try {
    const rights = { name: 'Editors', role: 'editor', expiresAt: null } as const;
    return (await createManagementToken(createDesk(storage), COMMAND_ACTOR, rights)).token;
  } finally {
    await storage.close();
  }
}
