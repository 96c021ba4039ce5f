// Readers that ask for the same page of changes at the same time.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PageParts, type PageRequest, SharedPages } from '../../src/delivery/changes/shared-pages.ts';
import { MakingTime } from '../../src/delivery/making-time.ts';
import { createLogger } from '../../src/http/create-logger.ts';
import { UnreadAnswers } from '../../src/http/unread-answers.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { FeedSite } from './feed-site.ts';

let manager: Manager;
let site: FeedSite;
let keys: { readonly id: string; readonly token: string }[];
let counts: { pages: number; checks: number };

beforeAll(async () => {
  manager = await startManager();
});
afterAll(() => manager.close());
beforeEach(async () => {
  site = await FeedSite.open(manager);
  keys = [site.key, await manager.service.createKey({ sites: [site.id] })];
  counts = { pages: 0, checks: 0 };
});

/** Reads from the database as the service does with GALLEY_FRESHNESS_MS=0: the stamp is unknown, and every read takes a while. */
function openPages(beforeCheck: () => Promise<unknown> = nextTurn): SharedPages {
  const { delivery } = manager.service.storage;
  const reads: PageParts['reads'] = {
    peekStamp: () => undefined,
    recallVisit: () => undefined,
    async readVisit(caller) {
      counts.checks += 1;
      await beforeCheck();
      return delivery.readVisit(caller);
    },
    async readNewest(caller, select) {
      counts.pages += 1;
      await nextTurn();
      return delivery.readNewest(caller, select);
    },
    selectContents: (ids, reading) => delivery.selectContents(ids, reading),
  };
  const log = createLogger('silent', new PassThrough());
  const unread = new UnreadAnswers({ connections: new Set(), log });
  return new SharedPages({ reads, unread, log, making: new MakingTime(), now: Date.now });
}

function buildRequest(token = ''): PageRequest {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return { token, siteId: site.id, baseUrl: 'http://127.0.0.1', response };
}

const QUERY = { since: null, types: null, limit: 100, hasContent: true, waitMs: 0 };

test('readers that are woken together share one read, even if the stamp is unknown, and readers with the same key share one check of the key', async () => {
  const pages = openPages();
  const [one, other] = keys;
  const requests = [one, one, one, other, other].map((key) => buildRequest(key?.token));
  const found = await Promise.all(requests.map((request) => pages.read(request, QUERY, 'shared')));
  expect(new Set(found.map((page) => (page.ok ? page.value.event : undefined))).size).toBe(1);
  expect(found[0]?.ok && found[0].value.hasNews).toBe(true);
  // The first reader's key was checked when the page was read.
  expect(counts).toEqual({ pages: 1, checks: 2 });
  await pages.read(buildRequest(one?.token), QUERY, 'shared');
  expect(counts.pages).toBe(2);
});

test('every new request reads its own page', async () => {
  const pages = openPages();
  const requests = keys.map(({ token }) => pages.read(buildRequest(token), QUERY, 'alone'));
  await Promise.all(requests);
  expect(counts).toEqual({ pages: 2, checks: 0 });
});

test('a reader whose key was revoked while a page was being read does not get the page', async () => {
  const [one, other] = keys;
  const pages = openPages(() => manager.expectOk('POST', `/keys/${other?.id}/revoke`, {}));
  const first = pages.read(buildRequest(one?.token), QUERY, 'shared');
  const second = pages.read(buildRequest(other?.token), QUERY, 'shared');
  expect((await first).ok).toBe(true);
  expect(await second).toMatchObject({ ok: false, problem: { status: 401 } });
});
