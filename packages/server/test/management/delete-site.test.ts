// Permanently deleting a site hides it from everybody immediately, and then removes it step by step from every table.

import type { ApiKeyBody, AuditLogBody, ManagedContentBody } from '@galley/wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { deleteSite } from '../../src/authoring/sites/delete-site.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { withNewDemo } from '../../src/demo/with-new-demo.ts';
import { checkContent } from '../../src/doctor/check-content.ts';
import { selectDue } from '../../src/storage/contents/schedules.ts';
import { selectConsistency } from '../../src/storage/inspection.ts';
import { selectSite } from '../../src/storage/sites/select-catalog.ts';
import { writeSite } from '../../src/storage/sites/write-site.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { startService } from '../support/service.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { createTestDatabase, ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';

const GONE = { status: 400, body: { message: 'Invalid Site ID.' } };
/** A site with every kind of record. All its text values contain the word "pangolin". */
const RECORDS = [
  { ...siteRecord(), name: 'Pangolin' },
  { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada Pangolin', email: 'ada@pangolin.example' },
  { kind: 'asset', id: 'a_1', site: 's_small', name: 'Pangolin', url: 'https://small.example/pangolin.jpg' },
  typeRecord(),
  ...['c_a', 'c_b', 'c_c'].map((id) =>
    postRecord(id, {
      name: `Pangolin ${id}`,
      author: 'u_ada',
      fields: {
        title: { text: `Pangolin ${'long '.repeat(200)}` },
        rank: { number: 1 },
        related: { content_links: ['c_a'] },
      },
      draft: { name: 'Pangolin draft' },
    }),
  ),
  postRecord('c_later', { status: 'draft', name: 'Pangolin later', publish_at: '2090-01-01T00:00:00+00:00' }),
  postRecord('c_archived', { status: 'archived', name: 'Pangolin archived' }),
];
const OTHER = [
  siteRecord('s_other'),
  typeRecord('s_other'),
  { ...postRecord('c_a', { name: 'Other' }), site: 's_other' },
];

const isSound = {
  counts_wrong: 0,
  values_orphaned: 0,
  published_extra: 0,
  preview_wrong: 0,
  unfinished_deletion: null,
};

function checkSound(storage: Storage): Promise<unknown> {
  return storage.read(selectConsistency(Date.now(), 0));
}

/** The number of a site's rows in each table that refers to sites. */
async function countRows(storage: Storage, siteNo: number): Promise<number> {
  const tables = ['contents', 'authors', 'assets', 'content_types', 'fields', 'content_assets', 'content_counts'];
  const models = ['published', 'preview'].flatMap((model) =>
    ['contents', 'links', 'departed_keys'].map((kind) => `${model}_${kind}`),
  );
  let rows = 0;
  for (const table of [...tables, ...models, 'api_key_sites']) {
    const select = defineStatement(() => sql`select * from ${sql.table(table)} where site_no = ${sql.lit(siteNo)}`);
    rows += (await storage.read(query(select))).length;
  }
  return rows;
}

describe.each(ENGINES)('on %s', (engine) => {
  describe('permanently deleting a site', () => {
    let manager: Manager;

    beforeAll(async () => {
      manager = await startManager({}, { engine });
      await manager.service.importRecords(OTHER);
    });
    afterAll(() => manager.close());

    const remove = (query = '?confirm=s_small', token = manager.owner) =>
      manager.call('DELETE', `/sites/s_small${query}`, { token });
    const findTables = (word: string) => findTablesWith(manager.service.storage, word);
    const createKey = (body: object) => manager.expectOk<ApiKeyBody & { token: string }>('POST', '/keys', body);
    const readWith = (token: string, site: string) => manager.read(site, '/c_a', { authorization: `Bearer ${token}` });

    test("removes all of the site's data from every table, and nothing from other sites", async () => {
      const { storage, importRecords } = manager.service;
      await importRecords(RECORDS);
      const sole = await createKey({ name: 'Sole', sites: ['s_small'] });
      const both = await createKey({ name: 'Both', sites: ['s_small', 's_other'] });
      const content = await manager.expectOk<ManagedContentBody>('GET', '/sites/s_small/content/c_b');
      await manager.expectOk('PUT', '/sites/s_small/content/c_b', { version: content.version, name: 'Pangolin again' });
      await manager.expectOk('POST', '/sites/s_small/content/c_b/publish', {});
      await manager.expectOk('PATCH', '/sites/s_small/authors/u_ada', { email: 'new@pangolin.example' });
      const no = (await storage.read(selectSite('s_small')))?.no ?? 0;
      expect(await countRows(storage, no)).toBeGreaterThan(20);
      // The second response comes from the cache.
      for (let times = 0; times < 2; times++) expect((await manager.read('s_small')).status).toBe(200);
      expect((await readWith(both.token, 's_small')).status).toBe(200);

      expect((await remove()).status).toBe(204);
      expect(await manager.read('s_small')).toMatchObject(GONE);
      expect(await manager.read('s_small', '/c_a')).toMatchObject(GONE);
      expect(await findTables('pangolin')).toEqual([]);
      expect(await countRows(storage, no)).toBe(0);
      for (const path of ['/sites/s_small', '/sites/s_small/content', '/sites/s_small/overview']) {
        expect((await manager.call('GET', path)).status).toBe(404);
      }
      expect(JSON.stringify((await manager.call('GET', '/sites')).body)).not.toContain('s_small');
      expect((await remove()).status).toBe(404);

      expect((await readWith(sole.token, 's_other')).status).toBe(401);
      expect((await manager.call('GET', `/keys/${sole.id}`)).status).toBe(404);
      expect(await readWith(both.token, 's_other')).toMatchObject({ status: 200, body: { name: 'Other' } });
      expect(await manager.expectOk('GET', `/keys/${both.id}`)).toMatchObject({ all_sites: false, sites: ['s_other'] });
      expect(await checkSound(storage)).toMatchObject(isSound);
      const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?site=s_small');
      expect(data[0]).toMatchObject({ action: 'site.delete', subject: { id: 's_small', name: null }, details: null });
      expect(data.length).toBeGreaterThan(3);
      for (const { subject, details } of data) expect([subject?.name, details]).toEqual([null, null]);
    });

    test('requires the id as confirmation, and is restricted to owners of the account', async () => {
      await manager.service.importRecords(RECORDS);
      for (const query of ['', '?confirm=', '?confirm=Pangolin', '?confirm=s_other']) {
        expect(await remove(query)).toMatchObject({ status: 422, body: { errors: [{ path: 'query.confirm' }] } });
      }
      expect((await remove('?confirm=s_small', manager.editor)).status).toBe(403);
      expect((await remove('?confirm=s_small', manager.stranger)).status).toBe(404);
      expect((await manager.read('s_small', '/c_a')).status).toBe(200);
      expect((await remove()).status).toBe(204);
    });

    test('frees the id for a new site, which contains nothing from the old one', async () => {
      const { importRecords, storage } = manager.service;
      await importRecords(RECORDS);
      const lists = ['', '?sort=name', '?limit=1', '/c_b'];
      for (const path of [...lists, ...lists]) expect((await manager.read('s_small', path)).status).toBe(200);
      expect((await remove()).status).toBe(204);
      await manager.expectOk('POST', '/sites', { id: 's_small', name: 'New' });
      expect(await manager.read('s_small')).toMatchObject({ status: 200, body: { data: [] } });
      expect((await manager.read('s_small', '/c_b')).status).toBe(404);
      await importRecords([typeRecord(), postRecord('c_b', { name: 'New b' })]);
      for (const path of lists) expect(JSON.stringify((await manager.read('s_small', path)).body)).toContain('New b');
      expect(await checkSound(storage)).toMatchObject(isSound);
      expect((await remove()).status).toBe(204);

      // Generations continue from the last value, even if the clock has not advanced.
      const run = <Outcome>(procedure: Parameters<typeof storage.read<Outcome>>[0]): Promise<Outcome> =>
        storage.transaction((transaction) => transaction.run(procedure));
      const select = defineStatement(() => sql`select generation, catalog from sites where id = 's_small'`);
      const [before] = await storage.read(query<{ generation: number; catalog: number }>(select));
      const site = { accountNo: 1, id: 's_small', name: 'Again', url: null, defaultLanguage: 'en', languages: ['en'] };
      await run(writeSite(site, 1));
      const [after] = await storage.read(query<{ generation: number; catalog: number }>(select));
      expect(after?.generation).toBeGreaterThan(before?.generation ?? Number.NaN);
      expect(after?.catalog).toBeGreaterThan(before?.catalog ?? Number.NaN);
      expect((await remove()).status).toBe(204);
    });

    test('resumes where it was interrupted, and in the meantime nobody can see the site or use its id', async () => {
      const { storage, importRecords } = manager.service;
      const many = Array.from({ length: 90 }, (_, index) => postRecord(`c_${index}`, { name: `Pangolin ${index}` }));
      await importRecords([...RECORDS, ...many]);
      const etag = (await manager.call('GET', '/sites/s_small')).headers.get('etag') ?? '';
      let transactions = 0;
      const failing: Storage = {
        ...storage,
        transaction(work) {
          transactions += 1;
          return storage.transaction(async (transaction) => {
            let portions = 0;
            return work({
              ...transaction,
              run: (procedure) => {
                portions += 1;
                // The first transaction hides the site; the next ones delete its content.
                if (transactions > 1 && portions > 2) throw new Error('The power failed');
                return transaction.run(procedure);
              },
            });
          });
        },
      };
      await expect(deleteSite(createDesk(failing), COMMAND_ACTOR, 's_small', 's_small')).rejects.toThrow('power');
      expect(transactions).toBe(2);
      expect(await manager.read('s_small')).toMatchObject(GONE);
      expect((await manager.call('GET', '/sites/s_small')).status).toBe(404);
      expect(await checkSound(storage)).toMatchObject({ ...isSound, unfinished_deletion: 's_small' });
      const [advice] = checkContent(await storage.read(selectConsistency(Date.now(), 0)));
      expect(advice).toMatchObject({
        status: 'warning',
        advice: expect.stringContaining('npx --no galley site delete s_small'),
      });
      expect(await storage.read(selectDue(Date.UTC(2091, 0, 1), 10))).toEqual([]);
      expect(await manager.call('POST', '/sites', { body: { id: 's_small', name: 'New' } })).toMatchObject({
        status: 409,
        body: {
          message: 'Site s_small is being deleted. Wait until it is gone, or delete it again to resume the deletion.',
        },
      });
      await expect(importRecords(RECORDS)).rejects.toThrow('site s_small: a site with this id is being deleted');
      expect((await remove('')).status).toBe(422);
      expect((await remove('?confirm=s_small', manager.stranger)).status).toBe(404);

      const resumed = await manager.call('DELETE', '/sites/s_small?confirm=s_small', { headers: { 'if-match': etag } });
      expect(resumed.status).toBe(204);
      expect(await findTables('pangolin')).toEqual([]);
      expect(await checkSound(storage)).toMatchObject(isSound);
      await manager.expectOk('POST', '/sites', { id: 's_small', name: 'New' });
      expect((await remove()).status).toBe(204);
    });
  });

  test('a site deleted by another process disappears from this process and its cache', async () => {
    const database = await createTestDatabase(engine);
    const kept = { ...database, remove: async () => {} };
    const environment = { GALLEY_FRESHNESS_MS: '100' };
    const here = await startService(environment, { createDatabase: async () => kept });
    const there = await startService(environment, { createDatabase: async () => kept });
    try {
      await here.importRecords([...RECORDS, ...OTHER]);
      const { token } = await here.createKey({ allSites: true });
      const ask = async (): Promise<string> => {
        const headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_small' };
        const response = await fetch(`${here.url}/api/v1/content`, { headers });
        return `${response.status} ${response.headers.get('cache-status')} ${(await response.text()).slice(0, 30)}`;
      };
      await ask();
      expect(await ask()).toContain('200 galley; hit');
      await deleteSite(createDesk(there.storage), COMMAND_ACTOR, 's_small', 's_small');
      await expect.poll(ask).toBe('400 null {"message":"Invalid Site ID."}');
      // Readers do not get the site's last known state, even if the database cannot be reached.
      expect(here.storage.delivery.recallLastVisit(token, 's_small')).toBeUndefined();
    } finally {
      await here.close();
      await there.close();
      await database.remove();
    }
  });

  test('the demo is not created again after the last site has been deleted', async () => {
    const service = await startService({}, { engine });
    try {
      await service.importRecords(RECORDS);
      await deleteSite(createDesk(service.storage), COMMAND_ACTOR, 's_small', 's_small');
      const assetsUrl = { kind: 'folder', path: 'data/assets' } as const;
      const options = { now: Date.now(), isAdminServed: true, assetsUrl };
      const demo = await withNewDemo(service.storage, options, async (made) => made);
      expect(demo).toBeUndefined();
    } finally {
      await service.close();
    }
  });
});
