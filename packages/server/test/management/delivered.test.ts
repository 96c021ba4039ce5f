// Editors can view content as the delivery API returns it.

import type { ContentBody, DeliveredContentBody } from '@galley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../conformance/records.ts';
import { type Manager, startManager } from './manager.ts';

const SITE = 's_delivered';
const PREVIEW = { 'X-SERVICE-PREVIEW': 'true' };

let manager: Manager;

beforeAll(async () => {
  manager = await startManager();
  await manager.service.importRecords([
    site(SITE),
    contentType(SITE, 'note', [
      { handle: 'title', type: 'text' },
      { handle: 'related', type: 'content_links' },
    ]),
    content({ id: 'c_hidden', site: SITE, status: 'draft', fields: { title: { text: 'Hidden' } } }),
    content({ id: 'c_gone', site: SITE, status: 'archived' }),
    content({
      id: 'c_changed',
      site: SITE,
      fields: { title: { text: 'As published' }, related: { content_links: ['c_hidden'] } },
      draft: { fields: { title: { text: 'As saved' }, related: { content_links: ['c_hidden'] } } },
    }),
  ]);
});

afterAll(() => manager.close());

function readDelivered(id: string): Promise<DeliveredContentBody> {
  return manager.expectOk('GET', `/sites/${SITE}/content/${id}/delivered`, undefined, manager.editor);
}

test('delivered content matches the delivery API, for readers and in previews', async () => {
  const { published, preview } = await readDelivered('c_changed');
  expect(published).toEqual((await manager.read(SITE, '/c_changed')).body);
  expect(preview).toEqual((await manager.read(SITE, '/c_changed', PREVIEW)).body);
  expect(published).toMatchObject({ fields: { title: { text: 'As published' }, related: { content_links: [] } } });
  expect(preview).toMatchObject({
    fields: { title: { text: 'As saved' }, related: { content_links: [{ content_link: { id: 'c_hidden' } }] } },
  });
});

test('delivered content is null if the delivery API returns 404', async () => {
  const draft = await readDelivered('c_hidden');
  expect(draft.published).toBeNull();
  expect(draft.preview).toMatchObject({ id: 'c_hidden' } satisfies Partial<ContentBody>);
  expect(await readDelivered('c_gone')).toEqual({ published: null, preview: null });
});

test('reading delivered content returns 404 for other accounts, and for content that does not exist', async () => {
  const path = `/sites/${SITE}/content`;
  expect((await manager.call('GET', `${path}/c_changed/delivered`, { token: manager.stranger })).status).toBe(404);
  expect((await manager.call('GET', `${path}/c_none/delivered`)).status).toBe(404);
});
