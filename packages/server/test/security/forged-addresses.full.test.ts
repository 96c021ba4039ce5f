// Behind a proxy that appends to X-Forwarded-For, the client controls the left part of the list and the proxies write the right part.

import type { AuditLogBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from '../management/manager.ts';

const CLIENT = '203.0.113.9';

describe.each([
  { trust: 'true', appended: CLIENT, seen: CLIENT },
  { trust: '2', appended: `${CLIENT}, 10.0.0.2`, seen: CLIENT },
  { trust: 'loopback, 10.0.0.0/8', appended: `${CLIENT}, 10.0.0.3, 10.0.0.2`, seen: CLIENT },
  { trust: 'false', appended: CLIENT, seen: '127.0.0.1' },
  { trust: '10.0.0.0/8', appended: CLIENT, seen: '127.0.0.1' },
])('with GALLEY_TRUST_PROXY=$trust', ({ trust, appended, seen }) => {
  let manager: Manager;
  let count = 0;

  beforeAll(async () => {
    manager = await startManager({ GALLEY_TRUST_PROXY: trust });
  });

  afterAll(() => manager.close());

  test.each([
    '',
    '198.51.100.1, ',
    '198.51.100.1, 198.51.100.2, 198.51.100.3, ',
    ', , ',
    'unknown, ',
    '127.0.0.1, 10.0.0.2, ',
    '"><script>, ',
    '1.2.3.4, '.repeat(1_000),
  ])('a client cannot choose its address in the audit log by sending %j', async (invented) => {
    count += 1;
    const name = `Account ${count}`;
    const headers = { 'x-forwarded-for': `${invented}${appended}` };
    expect(await manager.call('PATCH', '/account', { body: { name }, headers })).toMatchObject({ status: 200 });
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=1');
    expect(data).toMatchObject([{ subject: { name }, actor: { address: seen } }]);
  });

  test('a client cannot send a megabyte of addresses', async () => {
    const headers = { 'x-forwarded-for': '1.2.3.4,'.repeat(131_072) };
    const answer = await manager.call('GET', '/account', { headers }).catch(() => undefined);
    expect([undefined, 431]).toContain(answer?.status);
    expect(await manager.call('GET', '/account')).toMatchObject({ status: 200 });
  });
});
