// Owners can permanently delete archived content.

import type { AuditLogBody, ManagedContentBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectConsistency } from '../../src/storage/inspection.ts';
import { exportText } from '../import/export-database.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { startService } from '../support/service.ts';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

describe.each(ENGINES)('on %s', (engine) => {
  describe('permanently deleting content', () => {
    let manager: Manager;
    let desk: ContentDesk;

    beforeAll(async () => {
      manager = await startManager({}, { engine });
      desk = await openContentDesk(manager);
    });
    afterAll(() => manager.close());

    const remove = (id: string, confirm: string | undefined = id, token = manager.owner) =>
      manager.call('DELETE', `/sites/${SITE}/content/${id}${confirm === undefined ? '' : `?confirm=${confirm}`}`, {
        token,
      });
    const findTables = (word: string) => findTablesWith(manager.service.storage, word);

    async function createArchived(members: Readonly<Record<string, unknown>> = {}): Promise<ManagedContentBody> {
      const content = await desk.create(members);
      return desk.act(content, 'archive');
    }

    test('leaves none of its text in any table, and removes its name from the audit log', async () => {
      // This name is long enough for its sort keys to be stored when the content's position in a list changes.
      const name = `Quagga ${'long '.repeat(48)}`.trim();
      const notes = { text: `quagga ${'and more '.repeat(200)}` };
      const first = await desk.create({ name, slug: 'quagga', fields: { title: { text: 'A quagga' }, notes } });
      await desk.act(first, 'publish', {});
      const second = await desk.save(await desk.get(first.id), {
        name: `${name} x`,
        fields: { title: { text: 'Quagga' }, notes },
      });
      await desk.act(second, 'publish', {});
      await desk.act(second, 'archive');
      expect(await findTables('quagga')).toEqual([
        'audit_entries',
        'content_versions',
        'contents',
        'preview_departed_keys',
        'published_departed_keys',
      ]);

      expect((await remove(first.id)).status).toBe(204);
      expect(await findTables('quagga')).toEqual([]);
      // The change log says that the object is gone.
      expect(await findTables(first.id)).toEqual(['audit_entries', 'changes']);
      expect((await desk.call('GET', `/${first.id}`)).status).toBe(404);
      const { data } = await manager.expectOk<AuditLogBody>('GET', `/audit?site=${SITE}`);
      const entries = data.filter(({ subject }) => subject?.id === first.id);
      expect(entries[0]).toMatchObject({ action: 'content.delete', actor: { name: 'Test owner' } });
      expect(entries.map(({ action }) => action)).toContain('content.create');
      for (const entry of entries) expect(entry).toMatchObject({ subject: { name: null }, details: null });
      expect(await manager.service.storage.read(selectConsistency(Date.now(), 0))).toMatchObject({
        counts_wrong: 0,
        values_orphaned: 0,
        versions_missing: 0,
      });
    });

    test('keeps links to it in other content, which can still be read, saved and published', async () => {
      const target = await desk.create();
      await desk.act(target, 'publish', {});
      const related = { content_links: [target.id] };
      const holder = await desk.create({ fields: { title: { text: 'Holder' }, related } });
      await desk.act(holder, 'publish', {});
      await desk.act(target, 'archive', { confirm: true });
      expect((await remove(target.id)).status).toBe(204);

      expect(JSON.stringify((await manager.read(SITE, `/${holder.id}`)).body)).not.toContain(target.id);
      const saved = await desk.save(await desk.get(holder.id), { fields: { title: { text: 'Again' }, related } });
      await desk.act(saved, 'publish', {});
      expect((await manager.read(SITE, `/${holder.id}`)).body).toMatchObject({
        fields: { title: { text: 'Again' }, related: { content_links: [] } },
      });
      const other = await desk.create({ fields: { title: { text: 'Other' } } });
      const refused = await desk.call('PUT', `/${other.id}`, { version: other.version, fields: { related } });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'fields.related.content_links[0]' }] } });
    });

    test('keeps its translations, and frees its id, its slug and its language', async () => {
      const english = await desk.create({ id: 'c_again', slug: 'again' });
      const french = await manager.expectOk<ManagedContentBody>('POST', `/sites/${SITE}/content/c_again/translations`, {
        language: 'fr',
        name: 'Encore',
      });
      await desk.act(english, 'archive');
      expect((await remove('c_again')).status).toBe(204);
      expect(await desk.get(french.id)).toMatchObject({ name: 'Encore', translations: [{ id: french.id }] });

      // New content with the same id does not join the old translation group.
      const again = await desk.create({ id: 'c_again', slug: 'again', language: 'fr', name: 'Nouveau' });
      expect(again).toMatchObject({ version: 1, translations: [{ id: 'c_again' }] });
      const back = await desk.create({ translation_of: french.id, language: 'en' });
      expect((await desk.get(french.id)).translations.map(({ id }) => id)).toEqual([back.id, french.id]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('is rejected with 409 unless the content is archived', async () => {
      const content = await desk.create();
      const refused = await remove(content.id);
      expect(refused).toMatchObject({
        status: 409,
        body: {
          message: `Content ${content.id} is not archived. Archive it first, then delete it for good.`,
          details: { reason: 'not_archived', state: 'draft' },
        },
      });
      await desk.act(content, 'publish', {});
      expect(await remove(content.id)).toMatchObject({ status: 409, body: { details: { state: 'published' } } });
      expect(await desk.readName(content.id)).toBe('A post');
    });

    test('requires the id as confirmation, and the owner role', async () => {
      const { id } = await createArchived();
      const fault = { path: 'query.confirm', message: `must be ${id} to delete it for good` };
      const path = `/sites/${SITE}/content/${id}`;
      for (const query of ['', '?confirm=', '?confirm=true', `?confirm=${id.toUpperCase()}`]) {
        expect(await manager.call('DELETE', `${path}${query}`)).toMatchObject({
          status: 422,
          body: { errors: [fault] },
        });
      }
      for (const query of [`?confirm=${id}&confirm=${id}`, `?confirm=${id}&force=1`]) {
        expect((await manager.call('DELETE', `${path}${query}`)).status).toBe(422);
      }
      expect((await remove(id, id, manager.editor)).status).toBe(403);
      expect((await remove(id, id, manager.stranger)).status).toBe(404);
      expect((await remove('c_none')).status).toBe(404);
      expect(await desk.get(id)).toMatchObject({ state: 'archived', version: 1 });
      expect((await remove(id)).status).toBe(204);
      expect((await remove(id)).status).toBe(404);
    });

    test('does not prevent the site from being exported and imported elsewhere', async () => {
      const lines = (await exportText(manager.service.storage, SITE)).trim().split('\n');
      const other = await startService({}, { engine });
      try {
        await other.importRecords(lines.map((line): object => JSON.parse(line)));
        expect((await exportText(other.storage, SITE)).trim().split('\n')).toEqual(lines);
      } finally {
        await other.close();
      }
    });
  });
});
