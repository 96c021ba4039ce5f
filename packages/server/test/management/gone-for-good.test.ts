// After a field or a block type is deleted, no table contains its values.

import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { deleteType } from '../../src/authoring/types/content-types.ts';
import { walkHolders, walkVersions } from '../../src/authoring/types/saved-values.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { selectCatalog, selectSite } from '../../src/storage/sites/select-catalog.ts';
import { defineStatement, type Procedure, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { articleRecord, boxOf, importTypeSite, quoteOf, readFields, SITE } from './type-site.ts';

describe.each(ENGINES)('on %s', (engine) => {
  describe('deleted values', () => {
    let manager: Manager;

    beforeEach(async () => {
      manager = await startManager({}, { engine });
      await importTypeSite(manager);
      return () => manager.close();
    });

    const findTables = (word: string) => findTablesWith(manager.service.storage, word);

    async function save(id: string, fields: object): Promise<void> {
      const path = `/sites/${SITE}/content/${id}`;
      const { version } = await manager.expectOk<{ version: number }>('GET', path);
      await manager.expectOk('PUT', path, { version, fields });
    }

    test('do not remain in any version, read model or stored sort key, at the top level or in blocks', async () => {
      // This title is long enough for its sort keys to be stored when the content's position in a list changes.
      const title = { text: `quincunx ${'long '.repeat(200)}` };
      const body = { blocks: [boxOf([quoteOf('An inner samovar', 'dry')])] };
      const record = articleRecord('c_9', { title, rank: { number: 9 }, body });
      await manager.service.importRecords([record, { ...articleRecord('c_8', { title, body }), status: 'archived' }]);
      await save('c_9', { title: { text: `${title.text} again` }, body, rank: { number: 10 } });
      await save('c_9', { title: { text: `${title.text} and again` }, body, rank: { number: 10 } });
      await manager.expectOk('POST', `/sites/${SITE}/content/c_9/publish`, {});
      await save('c_9', { title: { text: `${title.text} at last` }, body, rank: { number: 11 } });
      const inTables = ['content_versions', 'preview_bodies', 'published_bodies'];
      expect(await findTables('samovar')).toEqual(inTables);
      expect(await findTables('quincunx')).toEqual([
        'content_versions',
        'preview_bodies',
        'preview_departed_keys',
        'preview_texts',
        'published_bodies',
        'published_departed_keys',
        'published_texts',
      ]);
      const before = (await manager.read(SITE, '/c_9')).body as { fields: { title?: unknown } };

      await manager.expectOk('DELETE', `/sites/${SITE}/types/article/fields/title?confirm=title`);
      expect(await findTables('quincunx')).toEqual([]);
      const { title: _, ...fields } = before.fields;
      expect((await manager.read(SITE, '/c_9')).body).toEqual({ ...before, fields });
      expect(await readFields(manager, 'c_9', true)).toMatchObject({ rank: { number: 11 } });

      expect(await findTables('samovar')).toEqual(inTables);
      await manager.expectOk('DELETE', `/sites/${SITE}/types/quote/fields/words?confirm=words`);
      expect(await findTables('samovar')).toEqual([]);
      expect(JSON.stringify(await readFields(manager, 'c_9'))).toContain('dry');
    });

    async function findTypeNo(): Promise<number> {
      const { storage } = manager.service;
      const site = await storage.read(selectSite(SITE));
      const loaded = await storage.read(selectCatalog(site?.no ?? 0));
      return loaded?.catalog.typesByHandle.get('article')?.no ?? 0;
    }

    test('are searched for in batches, however many versions there are', async () => {
      const { storage } = manager.service;
      const insertMany = defineStatement(
        () => sql`with recursive n (k) as (select 1 union all select k + 1 from n where k < 450)
        insert into content_versions (content_no, number, saved_at, name, slug, seo, fields)
        select v.content_no, v.number + n.k, v.saved_at, v.name, v.slug, v.seo, v.fields
        from content_versions as v join n on true where v.number = 1
          and v.content_no = (select no from contents where id = 'c_1')`,
      );
      await storage.transaction((transaction) => transaction.run(query(insertMany)));
      const sizes: number[] = [];
      const found = new Set<string>();
      const run = async <Outcome>(procedure: Procedure<Outcome>): Promise<Outcome> => {
        const outcome = await storage.read(procedure);
        sizes.push((outcome as { versions: readonly unknown[] }).versions.length);
        return outcome;
      };
      const where = { typeNos: [await findTypeNo()], text: '"rank":' };
      for await (const { contentNo, number } of walkVersions(run, where)) found.add(`${contentNo}/${number}`);
      expect(found.size).toBe(453);
      expect(Math.max(...sizes)).toBe(200);
    });

    test('are counted once per content object, even if two of its versions are in different batches', async () => {
      const many = Array.from({ length: 196 }, (_, index) => articleRecord(`c_m${index}`, { rank: { number: 1 } }));
      await manager.service.importRecords([...many, articleRecord('c_last', { rank: { number: 1 } })]);
      await save('c_last', { rank: { number: 2 } });
      const groups: number[] = [];
      const where = { typeNos: [await findTypeNo()], text: '"rank":' };
      const { storage } = manager.service;
      for await (const group of walkHolders((procedure) => storage.read(procedure), where)) groups.push(group.length);
      expect(groups).toEqual([...Array.from({ length: 199 }, () => 1), 2]);
      expect(await manager.call('DELETE', `/sites/${SITE}/types/article/fields/rank`)).toMatchObject({
        body: { details: { contents_with_value: 200 } },
      });
    });

    test('a block that is saved while its type is being deleted causes the deletion to be rejected', async () => {
      const aside = {
        handle: 'aside',
        name: 'Aside',
        object_type: 'block',
        fields: [{ handle: 'note', type: 'text' }],
      };
      await manager.expectOk('POST', `/sites/${SITE}/types`, aside);
      const block = boxOf([{ content_type: 'aside', fields: { note: { text: 'Just in time' } } }]);
      const { storage, importRecords } = manager.service;
      let isLate = true;
      const slow: Storage = {
        ...storage,
        async transaction(work) {
          if (isLate) {
            isLate = false;
            await importRecords([articleRecord('c_9', { body: { blocks: [block] } })]);
          }
          return storage.transaction(work);
        },
      };
      await expect(deleteType(createDesk(slow), COMMAND_ACTOR, SITE, 'aside')).rejects.toMatchObject({
        reason: 'conflict',
        details: { contents: 1, allowed_by: [] },
      });
      expect(JSON.stringify(await readFields(manager, 'c_9'))).toContain('Just in time');
      await importRecords([articleRecord('c_9', {})]);
      await deleteType(createDesk(storage), COMMAND_ACTOR, SITE, 'aside');
      expect(await findTables('just in time')).toEqual([]);
    });
  });
});
