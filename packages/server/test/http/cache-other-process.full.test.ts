// When a command changes the database while a service is responding from its cache, the next response must reflect the change.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, isHit, openConnection, type Received } from '../support/connection.ts';
import { runGalley } from '../support/galley-command.ts';
import { type ServedSite, serveSite } from '../support/served-site.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

const IDS = ['c_a', 'c_b', 'c_c'];
const TARGETS = ['/api/v1/content/c_b', '/api/v1/content?sort=created_at', '/api/v1/content?sort=name&limit=2'];

let served: ServedSite;
let connection: Connection;
beforeAll(async () => {
  served = await serveSite([siteRecord(), typeRecord(), ...IDS.map((id) => postRecord(id))]);
  connection = openConnection(served.url);
});
afterAll(async () => {
  connection.close();
  await served[Symbol.asyncDispose]();
});

function ask(target: string, token = served.key.token): Promise<Received> {
  return connection.ask({ target, headers: { authorization: `Bearer ${token}`, 'x-service-site': 's_small' } });
}

/** The responses for all URLs. On later calls they come from the cache where possible. */
async function readAll(): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const target of TARGETS) {
    const made = await ask(target);
    const again = await ask(target);
    expect(again.bytes).toEqual(made.bytes);
    expect([isHit(made), isHit(again)]).toEqual([false, made.status === 200]);
    texts.push(`${made.status} ${made.bytes}`);
  }
  return texts;
}

async function run(...args: readonly string[]): Promise<void> {
  const { status, stderr } = await runGalley(args, served.commandOptions);
  expect([status, stderr]).toEqual([0, '']);
}

async function importRecords(records: readonly object[]): Promise<void> {
  const path = join(served.commandOptions.cwd, 'bundle.ndjson');
  await writeFile(path, toLines(records));
  await run('import', path);
}

test('the next response reflects content that another process has published, unpublished or imported', async () => {
  const first = await readAll();
  for (const text of first) expect(text).toContain('c_b');

  await run('content', 'unpublish', 'c_b');
  const [object, ...lists] = await readAll();
  expect(object).toBe('404 {"message":"Content not found."}');
  for (const list of lists) expect(list).not.toContain('c_b');

  await run('content', 'publish', 'c_b');
  for (const text of await readAll()) expect(text).toContain('c_b');

  await importRecords([siteRecord(), typeRecord(), postRecord('c_b', { name: 'Imported over it' })]);
  for (const text of (await readAll()).slice(0, 2)) expect(text).toContain('Imported over it');
});

test('all content of a type reflects an imported change to the type', async () => {
  await importRecords([siteRecord(), { ...typeRecord(), name: 'Renamed type' }]);
  for (const text of await readAll()) expect(text).toContain('Renamed type');
});

test('a key that another process has revoked can no longer read cached responses', async () => {
  const [target = ''] = TARGETS;
  await ask(target);
  expect(isHit(await ask(target))).toBe(true);
  await run('key', 'revoke', served.key.id);
  const refused = await ask(target);
  expect([refused.status, refused.bytes.toString()]).toEqual([401, '{"message":"Unauthenticated."}']);
});
