// Discarding changes: one call makes the published version the latest again, without affecting readers.

import type { ManagedContentBody, VersionListBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Answer, type Manager, startManager } from './manager.ts';

const SOON = '2998-01-01T00:00:00+00:00';
const LATER = '2999-01-01T00:00:00+00:00';

let manager: Manager;
let desk: ContentDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    desk = await openContentDesk(manager);
  });

  afterAll(() => manager.close());

  async function createChanged(members: Readonly<Record<string, unknown>> = {}): Promise<ManagedContentBody> {
    const published = await desk.act(await desk.create({ author: 'u_ada', slug: crypto.randomUUID() }), 'publish');
    const fields = { title: { text: 'Other' }, photos: { assets: ['a_photo'] } };
    const changed = await desk.save(published, { name: 'Changed', slug: crypto.randomUUID(), author: 'u_bob', fields });
    return desk.save(changed, { name: 'Changed again', ...members });
  }

  function call({ id }: { readonly id: string }, body: unknown = {}, headers = {}): Promise<Answer> {
    return manager.call('POST', `/sites/${SITE}/content/${id}/discard-changes`, {
      body,
      headers,
      token: manager.editor,
    });
  }

  /** The complete responses that a reader gets for the content itself and for a list. */
  async function readPublic(id: string): Promise<readonly unknown[]> {
    const one = await manager.read(SITE, `/${id}`);
    const list = await manager.read(SITE, '?sort=updated_at:desc&limit=100');
    return [one, list].map(({ status, body, headers }) => [status, body, headers.get('etag')]);
  }

  describe('discarding changes', () => {
    test('makes the published version the latest again without affecting readers', async () => {
      const changed = await createChanged();
      const { slug: publishedSlug } = (await manager.read(SITE, `/${changed.id}`)).body as { slug: string };
      const before = await readPublic(changed.id);
      const kept = await desk.act(changed, 'discard-changes', { version: 3 });
      expect(kept).toMatchObject({
        state: 'published',
        version: 4,
        published_version: 4,
        published_at: changed.published_at,
        name: 'A post',
        slug: publishedSlug,
        author: 'u_ada',
        fields: { title: { text: 'A title' } },
      });
      expect(await readPublic(changed.id)).toEqual(before);
      expect(await desk.previewName(changed.id)).toBe('A post');
      expect(await desk.get(changed.id)).toEqual(kept);
      const list = await manager.read(SITE, '', { 'x-service-preview': 'true' });
      expect(JSON.stringify(list.body)).not.toContain('Changed again');
    });

    test('keeps the discarded versions in the history, and frees a slug that only they used', async () => {
      const changed = await createChanged();
      await desk.act(changed, 'discard-changes');
      const { data } = await manager.expectOk<VersionListBody>('GET', `/sites/${SITE}/content/${changed.id}/versions`);
      expect(
        data.map((each) => [each.number, each.name, each.is_published, each.was_published, each.restored_from]),
      ).toEqual([
        [4, 'A post', true, true, 1],
        [3, 'Changed again', false, false, null],
        [2, 'Changed', false, false, null],
        [1, 'A post', false, true, null],
      ]);
      expect(data[0]?.saved_at).toBe(data[3]?.saved_at);
      // The slug of the discarded version is free again.
      const other = await desk.create({ name: 'Takes the slug', slug: changed.slug });
      expect(other.slug).toBe(changed.slug);
      const back = await desk.call('POST', `/${changed.id}/versions/3/restore`, { version: 4 });
      expect(back).toMatchObject({ status: 200, body: { version: 5, left_out: [{ path: 'slug' }] } });
      await desk.act(changed, 'publish');
      expect(await desk.readName(changed.id)).toBe('Changed again');
    });

    test('cancels scheduled publishing, which would have nothing to publish, but keeps scheduled unpublishing', async () => {
      const changed = await createChanged();
      await desk.act(changed, 'schedule', { publish_at: SOON, unpublish_at: LATER });
      const kept = await desk.act(changed, 'discard-changes');
      expect(kept).toMatchObject({ state: 'published', publish_at: null, unpublish_at: LATER });
      await desk.act(kept, 'schedule', { publish_at: SOON });
      expect(await desk.act(kept, 'discard-changes')).toMatchObject({ publish_at: SOON, unpublish_at: LATER });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('frees an asset that only the discarded versions used', async () => {
      const assets = `/sites/${SITE}/assets`;
      const { id } = await manager.expectOk<{ id: string }>('POST', assets, {
        name: 'A',
        url: 'https://files.example/a.png',
      });
      const changed = await createChanged({ fields: { title: { text: 'Other' }, photos: { assets: [id] } } });
      expect((await manager.call('DELETE', `${assets}/${id}`)).status).toBe(409);
      await desk.act(changed, 'discard-changes');
      await manager.expectOk('DELETE', `${assets}/${id}`);
    });

    test('does not move content to a new URL, although publishing would', async () => {
      const type = `/sites/${SITE}/types/post`;
      const changed = await createChanged();
      await manager.expectOk('PATCH', type, { uri_pattern: '{language}/moved/{slug}' });
      const before = await readPublic(changed.id);
      const kept = await desk.act(changed, 'discard-changes');
      expect(kept.path).toMatch(/^moved\//);
      expect(kept.published_path).toMatch(/^blog\//);
      expect(await readPublic(changed.id)).toEqual(before);
      await manager.expectOk('PATCH', type, { uri_pattern: '{language}/blog/{slug}' });
    });

    test('is logged once in the audit log', async () => {
      const changed = await createChanged();
      const entries = async (): Promise<unknown> =>
        (await manager.expectOk<{ data: unknown }>('GET', `/audit?action=content.discard_changes&limit=1`)).data;
      await desk.act(changed, 'discard-changes');
      const noted = await entries();
      expect(noted).toMatchObject([{ subject: { id: changed.id, name: 'A post' }, details: { from: 1, version: 4 } }]);
      await desk.act(changed, 'discard-changes');
      expect(await entries()).toEqual(noted);
    });

    test('does nothing if there are no changes', async () => {
      const published = await desk.act(await desk.create({ slug: crypto.randomUUID() }), 'publish');
      expect(await desk.act(published, 'discard-changes')).toEqual(published);
    });

    test('is rejected for content that is unpublished or archived', async () => {
      const draft = await desk.create({ slug: crypto.randomUUID() });
      expect(await call(draft)).toMatchObject({ status: 409, body: { details: { reason: 'not_published' } } });
      await desk.act(draft, 'archive');
      expect(await call(draft)).toMatchObject({ status: 409, body: { details: { reason: 'archived' } } });
      expect(await call({ id: 'c_nowhere' })).toMatchObject({ status: 404 });
    });

    test('does not discard versions that are newer than the given one', async () => {
      const changed = await createChanged();
      expect(await call(changed, { version: 2 })).toMatchObject({
        status: 409,
        body: { details: { current_version: 3 } },
      });
      expect(await call(changed, { version: 9 })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'version' }] },
      });
      for (const version of ['3', 0, 1.5, [3]]) expect(await call(changed, { version })).toMatchObject({ status: 422 });
      expect(await desk.get(changed.id)).toEqual(changed);
      const stale = await call(changed, {}, { 'if-match': '"another"' });
      expect(stale.status).toBe(412);
      const { headers } = await manager.call('GET', `/sites/${SITE}/content/${changed.id}`);
      expect((await call(changed, {}, { 'if-match': headers.get('etag') ?? '' })).status).toBe(200);
    });

    test('happens only once for all requests with the same Idempotency-Key', async () => {
      const changed = await createChanged();
      const key = { 'idempotency-key': `discard-${changed.id}` };
      const first = await call(changed, { version: 3 }, key);
      const again = await call(changed, { version: 3 }, key);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });
  });
});
