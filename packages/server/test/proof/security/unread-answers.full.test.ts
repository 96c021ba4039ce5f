// Clients that request a lot of data and read it late or not at all. unread-answers.proof.test.ts measures how much memory they cost.

import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ServedSite } from '../../support/served-site.ts';
import { readAsOther, repeat, serveLargeLists, UnreadClients } from './unread-clients.ts';

let served: ServedSite;
let clients: UnreadClients;

beforeAll(async () => {
  served = await serveLargeLists();
  clients = new UnreadClients(served);
});

afterEach(() => clients.disconnect());

afterAll(() => served[Symbol.asyncDispose]());

test('a client that reads late receives all 200 responses, complete and in order', async () => {
  const limits = Array.from({ length: 200 }, (_, index) => 1 + (index % 3));
  const socket = await clients.send(repeat(200, (index) => clients.build(`?limit=${limits[index]}&late=${index}`)));
  expect(await readAsOther(served, 20)).toEqual(new Set([200]));
  expect(await countObjects(socket, limits.length)).toEqual(limits);
});

test('clients that leave too many bytes unread are disconnected, and others are served all the while', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => clients.send(clients.build(`?limit=100&many=${index}`).repeat(3))),
  );
  expect(await readAsOther(served, 20)).toEqual(new Set([200]));
  await served.server.waitForLog(({ msg }) => msg === 'clients were disconnected because of too many unread responses');
  expect(await readAsOther(served, 20)).toEqual(new Set([200]));
});

/** The number of objects in each later response. */
async function countObjects(socket: Socket, answers: number): Promise<readonly number[]> {
  const counts: number[] = [];
  let rest = Buffer.alloc(0);
  let missing = 0;
  let parts: Buffer[] = [];
  for await (const chunk of socket) {
    parts.push(chunk);
    missing -= chunk.length;
    if (missing > 0) continue;
    rest = Buffer.concat([rest, ...parts]);
    parts = [];
    for (;;) {
      const headEnd = rest.indexOf('\r\n\r\n');
      if (headEnd === -1) break;
      const head = rest.toString('latin1', 0, headEnd);
      expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      const bodyEnd = headEnd + 4 + Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]);
      missing = bodyEnd - rest.length;
      if (missing > 0) break;
      const body = JSON.parse(rest.toString('utf8', headEnd + 4, bodyEnd));
      counts.push('data' in body ? body.data.length : 1);
      rest = rest.subarray(bodyEnd);
      if (counts.length === answers) return counts;
    }
  }
  return counts;
}
