// Clients that request a lot of data and do not read it cannot exhaust memory.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PRESS } from '../../conformance/records.ts';
import { reportProof } from '../../oracle/proof.ts';
import type { ServedSite } from '../../support/served-site.ts';
import { readAsOther, repeat, serveLargeLists, UnreadClients } from './unread-clients.ts';

/**
 * Measured with all cores busy: 255 to 401 MB, mostly for a few lists of 15 MB that are being rendered or compressed. Without limits the
 * tests used 540 to 2,039 MB, so this limit lies between the two ranges.
 */
const MOST_MB = 480;
/**
 * The limit with an editor, whose calls use a separate thread. Measured: 335 to 482 MB, and 666 MB when large bodies did not wait their
 * turn.
 */
const MOST_WITH_EDITOR_MB = 570;

let served: ServedSite;
let clients: UnreadClients;

beforeAll(async () => {
  served = await serveLargeLists();
  clients = new UnreadClients(served);
});

afterAll(() => served[Symbol.asyncDispose]());

beforeEach(() => {
  clients.disconnect();
  // Resets the peak memory.
  writeFileSync(`/proc/${served.server.pid}/clear_refs`, '5');
});

async function expectLittleMemory(name: string, mostMb = MOST_MB): Promise<void> {
  expect(await readAsOther(served, 20)).toEqual(new Set([200]));
  const status = readFileSync(`/proc/${served.server.pid}/status`, 'utf8');
  const peakMb = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  reportProof(`${name}: at most ${peakMb.toFixed()} MB`);
  expect(peakMb).toBeLessThan(mostMb);
}

test('a client cannot exhaust memory by requesting 400 lists of 15 MB on one connection without reading them', async () => {
  await clients.send(repeat(400, (index) => clients.build(`?limit=100&cb=${index}`)));
  await expectLittleMemory('400 lists on one connection');
});

test('a client cannot exhaust memory with unread lists on many connections', async () => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => clients.send(clients.build(`?limit=100&many=${index}`).repeat(3))),
  );
  await expectLittleMemory('unread lists on many connections');
  await served.server.waitForLog(({ msg }) => msg === 'clients were disconnected because of too many unread responses');
  await expectLittleMemory('unread lists on many connections, after disconnecting clients');
});

test('a client cannot exhaust memory with lists waiting for compression', async () => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      clients.send(clients.build(`?limit=100&br=${index}`, 'Accept-Encoding: br\r\n')),
    ),
  );
  await expectLittleMemory('lists waiting for compression');
});

test('a client cannot exhaust memory with small requests waiting behind a large response', async () => {
  const small = 'GET / HTTP/1.1\r\n\r\n'.repeat(3_000);
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => clients.send(clients.build(`?limit=100&small=${index}`) + small)),
  );
  await expectLittleMemory('small requests behind a large response');
});

test('an editor with many concurrent saves and a client that reads no responses cannot exhaust memory together', async () => {
  const body = JSON.stringify({
    content_type: 'story',
    name: 'Large',
    fields: { body: { text: 'x'.repeat(4_190_000) } },
  });
  const headers = { authorization: `Bearer ${served.managementToken}`, 'content-type': 'application/json' };
  const leaving = new AbortController();
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => clients.send(clients.build(`?limit=100&both=${index}`).repeat(3))),
  );
  const saves = Array.from({ length: 100 }, () =>
    fetch(`${served.url}/manage/v1/sites/${PRESS}/content`, { method: 'POST', headers, body, signal: leaving.signal }),
  );
  await Promise.race(saves);
  await expectLittleMemory('unread lists and an editor', MOST_WITH_EDITOR_MB);
  leaving.abort();
  await Promise.allSettled(saves);
});
