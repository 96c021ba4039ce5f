// Large responses arrive whole, and content that embeds them can be edited, published and scheduled. large-answers.proof.test.ts measures
// that nobody else has to wait for them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRESS } from '../../conformance/records.ts';
import { type Manager, startManager } from '../../management/manager.ts';
import { buildLargeSite, DUE, EDITS, LARGE, LARGE_TARGETS } from './large-site.ts';

/** A single large object still exceeds what the main thread renders. */
const SHARE = 0.4;

let manager: Manager;
let token: string;
let now = Date.now();

beforeAll(async () => {
  manager = await startManager({}, { now: () => now });
  await manager.service.importRecords(buildLargeSite(SHARE));
  ({ token } = await manager.service.createKey({ sites: [PRESS] }));
});

afterAll(() => manager.close());

async function read(target: string): Promise<readonly [status: number, bytes: number]> {
  const headers = { authorization: `Bearer ${token}`, 'x-service-site': PRESS };
  const response = await fetch(`${manager.service.url}/api/v1/content${target}`, { headers });
  const bytes = (await response.arrayBuffer()).byteLength;
  // On a slow machine, a response may have to be requested again.
  return response.status === 503 ? read(target) : [response.status, bytes];
}

test('concurrent large responses all arrive whole', async () => {
  const answers = await Promise.all(LARGE_TARGETS.map(([, target]) => read(target)));
  for (const [index, [status, bytes]] of answers.entries()) {
    const [name, , megabytes = 0] = LARGE_TARGETS[index] ?? [];
    expect(status, name).toBe(200);
    expect(bytes, name).toBeGreaterThan(SHARE * megabytes * 1_000_000);
  }
});

test('an editor can work on a small object that embeds large ones', async () => {
  for (const [method, path, body, status] of EDITS) {
    const answer = await manager.call(method, `/sites/${PRESS}/content${path}`, { body, token: manager.editor });
    expect([method, path, answer.status]).toEqual([method, path, status]);
  }
});

test('a schedule publishes a small object that embeds large ones', async () => {
  const path = `/sites/${PRESS}/content`;
  const fields = { related: { content_links: LARGE } };
  await manager.expectOk('POST', path, { id: 'c_due', content_type: 'hub', name: 'Due', fields });
  await manager.expectOk('POST', `${path}/c_due/schedule`, { publish_at: DUE });
  now = Date.parse(DUE);
  manager.service.startClock();
  await expect.poll(async () => (await read('/c_due'))[0]).toBe(200);
});
