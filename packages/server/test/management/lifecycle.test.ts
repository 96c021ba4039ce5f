// The content lifecycle in the management API: each call takes effect on the next delivery request.

import type { ManagedContentBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

const SOON = '2998-01-01T00:00:00+00:00';
const LATER = '2999-01-01T00:00:00+00:00';

let manager: Manager;
let desk: ContentDesk;

beforeAll(async () => {
  manager = await startManager();
  desk = await openContentDesk(manager);
});

afterAll(() => manager.close());

/** The name that readers see and the name that previews show. */
async function seen({ id }: { readonly id: string }): Promise<readonly (string | null)[]> {
  return [await desk.readName(id), await desk.previewName(id)];
}

async function createPublished(members: Readonly<Record<string, unknown>> = {}): Promise<ManagedContentBody> {
  return desk.act(await desk.create(members), 'publish');
}

describe('publishing', () => {
  test('takes effect immediately, for the first version and for later changes', async () => {
    const post = await desk.create({ name: 'One' });
    const published = await desk.act(post, 'publish');
    expect(published).toMatchObject({ state: 'published', published_version: 1 });
    expect(await seen(post)).toEqual(['One', 'One']);
    const changed = await desk.save(published, { name: 'Two' });
    expect(await seen(post)).toEqual(['One', 'Two']);
    const again = await desk.act(changed, 'publish', { version: 2 });
    expect(again).toMatchObject({ state: 'published', published_version: 2, published_at: published.published_at });
    expect(await seen(post)).toEqual(['Two', 'Two']);
  });

  test('accepts an explicit time in the past', async () => {
    const post = await desk.create();
    const published = await desk.act(post, 'publish', { published_at: '2001-02-03T04:05:06+00:00' });
    expect(published.published_at).toBe('2001-02-03T04:05:06+00:00');
    const read = await manager.read(SITE, `/${post.id}`);
    expect(read.body).toMatchObject({ published_at: '2001-02-03T04:05:06+00:00' });
    await desk.act(post, 'publish', { published_at: '2002-02-03T04:05:06+00:00' });
    const later = await manager.read(SITE, `/${post.id}`);
    expect(later.body).toMatchObject({ published_at: '2002-02-03T04:05:06+00:00' });
    const early = await desk.call('POST', `/${post.id}/publish`, { published_at: SOON });
    expect(early).toMatchObject({ status: 422, body: { errors: [{ path: 'published_at' }] } });
  });

  test('is rejected if the given version is not the latest', async () => {
    const post = await desk.create({ name: 'Meant' });
    await desk.save(post, { name: 'Not meant' });
    const refused = await desk.call('POST', `/${post.id}/publish`, { version: 1 });
    expect(refused).toMatchObject({ status: 409, body: { details: { current_version: 2, changed: ['name'] } } });
    expect(await seen(post)).toEqual([null, 'Not meant']);
  });
});

describe('unpublishing', () => {
  test('hides content from readers immediately and resets its publish time', async () => {
    const post = await createPublished({ name: 'Here' });
    await desk.act(post, 'schedule', { unpublish_at: SOON });
    const gone = await desk.act(post, 'unpublish');
    expect(gone).toMatchObject({
      state: 'unpublished',
      published_version: null,
      published_at: null,
      unpublish_at: null,
    });
    expect(await seen(post)).toEqual([null, 'Here']);
    const refused = await desk.call('POST', `/${post.id}/unpublish`);
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { reason: 'not_published', state: 'unpublished' } },
    });
  });

  test('requires a confirmation if published content links to the object, and returns the links', async () => {
    const target = await createPublished({ name: 'Target' });
    const link = { fields: { title: { text: 'T' }, related: { content_links: [target.id] } } };
    const source = await createPublished({ name: 'Source', ...link });
    await desk.create({ name: 'Draft', ...link });
    for (const action of ['unpublish', 'archive']) {
      const refused = await desk.call('POST', `/${target.id}/${action}`, {});
      const linkedFrom = [{ id: source.id, name: 'Source', content_type: 'post', language: 'en' }];
      expect(refused).toMatchObject({ status: 409, body: { details: { total: 1, linked_from: linkedFrom } } });
    }
    expect(await seen(target)).toEqual(['Target', 'Target']);
    await desk.act(target, 'unpublish', { confirm: true });
    expect(await seen(target)).toEqual([null, 'Target']);
    const read = await manager.read(SITE, `/${source.id}`);
    expect(read.body).toMatchObject({ fields: { related: { content_links: [] } } });
    await desk.act(target, 'archive');
  });
});

describe('schedules', () => {
  test('can be saved, moved and cancelled without affecting readers', async () => {
    const post = await desk.create({ name: 'Due' });
    const both = await desk.act(post, 'schedule', { publish_at: SOON, unpublish_at: LATER });
    expect(both).toMatchObject({ state: 'draft', publish_at: SOON, unpublish_at: LATER });
    const moved = await desk.act(post, 'schedule', { publish_at: '2998-06-01T02:00:00+02:00' });
    expect(moved).toMatchObject({ publish_at: '2998-06-01T00:00:00+00:00', unpublish_at: LATER });
    const far = { publish_at: '3000-01-01T00:00:00+00:00', unpublish_at: '3001-01-01T00:00:00+00:00' };
    expect(await desk.act(post, 'schedule', far)).toMatchObject(far);
    const one = await desk.act(post, 'cancel-schedule', { which: 'unpublish' });
    expect(one).toMatchObject({ publish_at: far.publish_at, unpublish_at: null });
    expect(await desk.act(post, 'cancel-schedule')).toMatchObject({ publish_at: null });
    expect(await desk.call('POST', `/${post.id}/cancel-schedule`)).toMatchObject({
      status: 409,
      body: { details: { reason: 'not_scheduled' } },
    });
    expect(await seen(post)).toEqual([null, 'Due']);
  });

  test('are listed until publishing removes them', async () => {
    const post = await desk.create({ name: 'Listed' });
    await desk.act(post, 'schedule', { publish_at: SOON, unpublish_at: LATER });
    const listed = await desk.call('GET', '?status=scheduled');
    expect(listed.body).toMatchObject({ data: [{ id: post.id, publish_at: SOON }] });
    expect(await desk.act(post, 'publish')).toMatchObject({ publish_at: null, unpublish_at: LATER });
  });

  test.each([
    [{}, 'publish_at'],
    [{ publish_at: null, unpublish_at: null }, 'publish_at'],
    [{ publish_at: '2020-01-01T00:00:00Z' }, 'publish_at'],
    [{ unpublish_at: '2020-01-01T00:00:00Z' }, 'unpublish_at'],
    [{ publish_at: SOON, unpublish_at: SOON }, 'unpublish_at'],
    [{ publish_at: LATER, unpublish_at: SOON }, 'unpublish_at'],
    [{ publish_at: 'tomorrow' }, 'publish_at'],
    [{ publish_at: 7 }, 'publish_at'],
  ])('cannot be created from %j, which returns an error at %s', async (body, path) => {
    const post = await desk.create();
    const refused = await desk.call('POST', `/${post.id}/schedule`, body);
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect(await desk.get(post.id)).toEqual(post);
  });
});

describe('archiving', () => {
  test('hides content from everybody immediately and frees its slug', async () => {
    const post = await createPublished({ name: 'Old', slug: 'old' });
    expect(await desk.act(post, 'archive')).toMatchObject({ state: 'archived', published_version: null, faults: [] });
    expect(await seen(post)).toEqual([null, null]);
    for (const [path, body] of [
      ['/publish', {}],
      ['/unpublish', {}],
      ['/schedule', { publish_at: SOON }],
      ['/cancel-schedule', {}],
      ['/archive', {}],
    ] as const) {
      const refused = await desk.call('POST', `/${post.id}${path}`, body);
      expect(refused).toMatchObject({ status: 409, body: { code: 'wrong_state', details: { reason: 'archived' } } });
    }
    expect(await desk.call('PUT', `/${post.id}`, { version: 1, name: 'x' })).toMatchObject({ status: 409 });
    const heir = await desk.create({ name: 'Heir', slug: 'old' });
    const refused = await desk.call('POST', `/${post.id}/restore`);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining(heir.id) } });
    await desk.save(heir, { slug: 'heir' });
    expect(await desk.act(post, 'restore')).toMatchObject({ state: 'draft', version: 1, published_at: null });
    expect(await seen(post)).toEqual([null, 'Old']);
    expect(await desk.call('POST', `/${post.id}/restore`)).toMatchObject({ status: 409 });
  });

  test('can be undone with a new slug if the old one is taken', async () => {
    const post = await createPublished({ name: 'Lost', slug: 'lost' });
    await desk.act(post, 'archive');
    const heir = await desk.create({ name: 'Heir of lost', slug: 'lost' });
    expect(await desk.call('POST', `/${post.id}/restore`)).toMatchObject({
      status: 409,
      body: {
        message:
          `Content ${post.id} cannot be restored with its slug lost, which is taken by content ${heir.id} (same type ` +
          'and language). Restore it with a different slug.',
        code: 'taken',
        errors: [{ path: 'slug', code: 'taken', values: { id: heir.id, name: heir.name } }],
      },
    });
    for (const slug of ['lost', 'No slug!', 7, '']) {
      const refused = await desk.call('POST', `/${post.id}/restore`, { slug });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'slug' }] } });
    }
    expect(await desk.get(post.id)).toMatchObject({ state: 'archived', version: 1 });
    const restored = await desk.act(post, 'restore', { slug: 'found' });
    expect(restored).toMatchObject({ state: 'draft', slug: 'found', version: 2, path: 'blog/found', name: 'Lost' });
    expect(await seen(post)).toEqual([null, 'Lost']);
    const log = await manager.expectOk<{ data: object[] }>('GET', '/audit?limit=1');
    expect(log.data).toMatchObject([{ action: 'content.restore', details: { slug: 'found', version: 2 } }]);
    expect(await desk.call('POST', `/${post.id}/restore`, { slug: 'again' })).toMatchObject({
      status: 409,
      body: { details: { reason: 'not_archived' } },
    });
  });

  test('can be undone with the old slug if the call specifies it', async () => {
    const post = await desk.create({ name: 'Same', slug: 'same' });
    await desk.act(post, 'archive');
    expect(await desk.act(post, 'restore', { slug: 'same' })).toMatchObject({ slug: 'same', version: 1 });
  });
});

test('every call is recorded in the audit log with its caller', async () => {
  const post = await desk.create({ name: 'Noted' });
  await desk.save(post, { name: 'Noted again' });
  await desk.act(post, 'schedule', { publish_at: SOON });
  await desk.act(post, 'cancel-schedule');
  await desk.act(post, 'publish');
  await desk.act(post, 'publish');
  await desk.act(post, 'unpublish');
  await desk.act(post, 'archive');
  await desk.act(post, 'restore');
  const log = await manager.expectOk<{ data: { action: string; subject: { id: string | null } }[] }>(
    'GET',
    '/audit?limit=100',
  );
  const actions = log.data.filter((entry) => entry.subject.id === post.id).map(({ action }) => action);
  expect(actions.reverse()).toEqual([
    ...['content.create', 'content.save', 'content.schedule', 'content.cancel_schedule'],
    // Publishing content that is already published changes nothing.
    ...['content.publish', 'content.unpublish', 'content.archive', 'content.restore'],
  ]);
});
