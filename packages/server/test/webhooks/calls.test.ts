// The contents of webhook calls, the changes that lead to a call, and what happens if a receiver rejects one.

import type { NewWebhookBody, WebhookCallDetailsBody } from '@galley/wire';
import { describe, expect, test } from 'vitest';
import { runSql } from '../support/run-sql.ts';
import { ENGINES } from '../support/test-database.ts';
import { FAST, type HookDesk, useHookDesk } from './hook-desk.ts';
import { summarize } from './receiver.ts';

let desk: HookDesk;
const take = (opened: HookDesk): void => {
  desk = opened;
};

describe.each(ENGINES)('a call on %s', (engine) => {
  useHookDesk(engine, take);

  test('names the change, is signed, and has the custom headers, which the log masks', async () => {
    const { id, secret } = await desk.createWebhook({
      headers: { authorization: 'Bearer very-secret', 'x-env': 'prod' },
    });
    desk.receiver.secrets.add(secret);
    desk.startSender();
    await desk.publish('c_a', { slug: 'moved' });
    await desk.accept(1);
    const [call] = desk.receiver.calls;
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Galley',
      authorization: 'Bearer very-secret',
      'x-env': 'prod',
    });
    expect(call?.event).toEqual({
      type: 'content.moved',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        site: desk.site,
        id: 'c_a',
        content_type: 'post',
        language: 'en',
        uri: 'posts/moved',
        moved: { from: 'posts/c_a', to: 'posts/moved' },
        position: expect.any(String),
      },
    });
    await desk.settled(id, 1);
    const [listed] = await desk.readCalls(id);
    const outcome = { state: 'delivered', attempts: 1, status: 204, error: null, next_at: null };
    expect(listed).toMatchObject({ id: call?.id, ...outcome });
    const details = await desk.manager.expectOk<WebhookCallDetailsBody>(
      'GET',
      `${desk.path}/webhooks/${id}/calls/${call?.id}`,
    );
    expect(details.request?.body).toBe(call?.body);
    expect(details.request?.headers).toMatchObject({ 'webhook-id': call?.id, authorization: '•••', 'x-env': '•••' });
    expect(details.response?.headers).toMatchObject({ 'x-receiver': 'test' });
    expect(JSON.stringify([details, desk.logged])).not.toContain('very-secret');
  });

  test('that fails is sent again before later calls about the same content, while other calls are sent', async () => {
    const { id } = await desk.createWebhook();
    for (const each of ['c_a', 'c_b', 'c_a', 'c_c', 'c_a']) await desk.publish(each);
    desk.receiver.behave = ({ event }) => (event.data.id === 'c_a' && desk.receiver.accepted.length < 2 ? 500 : 200);
    desk.startSender({ ...FAST, retryAfterMs: Array.from({ length: 1000 }, () => 50) });
    await desk.accept(5);
    const ofA = desk.receiver.calls.filter(({ event }) => event.data.id === 'c_a');
    const positions = ofA.map(({ event }) => event.data.position);
    expect(positions).toEqual(positions.toSorted());
    const failed = ofA.filter(({ isAccepted }) => !isAccepted);
    expect(new Set([...failed, ofA[failed.length]].map((call) => call?.id)).size).toBe(1);
    await desk.settled(id, 5);
    const calls = await desk.readCalls(id);
    expect(calls.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'delivered'));
    expect(calls.at(-1)?.attempts).toBe(failed.length + 1);
    expect((await desk.readWebhook(id)).failing_since).toBeNull();
  });

  test('that is answered with 410 switches its webhook off, and pending calls fail', async () => {
    const { id } = await desk.createWebhook();
    desk.receiver.behave = () => 410;
    for (const each of ['c_a', 'c_a', 'c_a']) await desk.publish(each);
    desk.startSender();
    await desk.settled(id, 3);
    expect(await desk.readWebhook(id)).toMatchObject({ is_on: false, off_reason: 'gone', waiting_calls: 0 });
    expect((await desk.readCalls(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(desk.receiver.calls).toHaveLength(1);
    expect(desk.logged.filter(({ msg }) => msg === 'a webhook was switched off')).toMatchObject([
      { webhook: id, reason: 'gone' },
    ]);
  });
});

describe('a call', () => {
  useHookDesk('sqlite', take);

  test('is made for each kind of change, and withdrawn content has no path', async () => {
    await desk.createWebhook();
    desk.startSender();
    await desk.publish('c_a');
    await desk.unpublish('c_a');
    await desk.publish('c_a');
    await desk.deleteForGood('c_note');
    await desk.receiver.waitUntil(
      ({ calls }) => summarize(calls).includes('content.deleted c_note') && calls.length >= 4,
    );
    const ofA = desk.receiver.calls.filter(({ event }) => event.data.id === 'c_a');
    expect(summarize(ofA)).toEqual(['content.updated c_a', 'content.unpublished c_a', 'content.published c_a']);
    expect(ofA[1]?.event.data.uri).toBeNull();
    const deleted = desk.receiver.calls.find(({ event }) => event.type === 'content.deleted');
    expect(deleted?.event.data).toMatchObject({ id: 'c_note', uri: null, moved: null });
  });

  test('does not name the former paths of content that was unpublished and published again elsewhere', async () => {
    const { id } = await desk.createWebhook();
    desk.receiver.behave = () => (desk.receiver.calls.length < 1 ? 500 : 200);
    const sender = desk.startSender({ ...FAST, retryAfterMs: [600_000] });
    await desk.publish('c_a', { slug: 'hidden' });
    await expect.poll(async () => (await desk.readCalls(id))[0]?.attempts, { interval: 20 }).toBe(1);
    await sender.stop();
    await desk.unpublish('c_a');
    await desk.publish('c_a', { slug: 'shown' });
    desk.clock.advance(2 * 600_000);
    desk.startSender();
    await desk.accept(3);
    const again = desk.receiver.accepted.find(({ event }) => event.type === 'content.moved');
    expect(again?.event.data).toMatchObject({ id: 'c_a', uri: 'posts/shown', moved: null });
    expect(desk.receiver.accepted.map(({ body }) => body).join()).not.toContain('hidden');
  });

  test('is made only for the kinds of changes, the types and the languages that the webhook subscribes to', async () => {
    await desk.createWebhook({ kinds: ['content.unpublished'] }, '/kinds');
    await desk.createWebhook({ content_types: ['note'] }, '/types');
    await desk.createWebhook({ languages: ['de'] }, '/languages');
    for (const id of ['c_a', 'c_de', 'c_note']) await desk.publish(id);
    await desk.unpublish('c_a');
    desk.startSender();
    await desk.accept(3);
    const seen = desk.receiver.calls.map(({ path, event }) => `${path} ${event.type} ${event.data.id}`);
    expect(seen.toSorted()).toEqual([
      '/hook/kinds content.unpublished c_a',
      '/hook/languages content.updated c_de',
      '/hook/types content.updated c_note',
    ]);
  });

  test('is made for every object that shows a renamed author', async () => {
    await desk.createWebhook();
    desk.startSender();
    await desk.manager.expectOk('PATCH', `${desk.path}/authors/u_ada`, { name: 'Ada Lovelace' });
    await desk.accept(2);
    expect(summarize(desk.receiver.calls).toSorted()).toEqual(['content.updated c_a', 'content.updated c_b']);
  });

  test('contains the object as the API returns it when the call is sent, or null', async () => {
    await desk.createWebhook({ payload: 'full' });
    await desk.publish('c_a');
    await desk.publish('c_b');
    await desk.unpublish('c_b');
    desk.startSender();
    await desk.accept(3);
    const find = (id: string, type: string) =>
      desk.receiver.calls.find(({ event }) => event.data.id === id && event.type === type)?.event.data;
    expect(find('c_a', 'content.updated')?.content).toEqual((await desk.manager.read(desk.site, '/c_a')).body);
    expect(find('c_b', 'content.updated')?.content).toBeNull();
    expect(find('c_b', 'content.unpublished')?.content).toBeNull();
  });

  test('indicates when the object is too large to be sent', async () => {
    await desk.createWebhook({ payload: 'full' });
    await desk.publish('c_a', { fields: { text: { text: '"'.repeat(600_000) } } });
    desk.startSender();
    await desk.accept(1);
    const about = { id: 'c_a', uri: 'posts/c_a', content: null, too_large: true };
    expect(desk.receiver.calls[0]?.event.data).toMatchObject(about);
  });

  test('carries signatures made with both secrets for a day after the secret is rotated', async () => {
    const { id, secret } = await desk.createWebhook();
    const rotated = await desk.manager.expectOk<NewWebhookBody>('POST', `${desk.path}/webhooks/${id}/rotate-secret`);
    desk.receiver.secrets.add(secret).add(rotated.secret);
    const sender = desk.startSender();
    await desk.publish('c_a');
    await desk.accept(1);
    expect(String(desk.receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await desk.settled(id, 1);
    await sender.stop();
    await runSql(desk.manager.service.storage, `update webhooks set former_until = ${desk.clock.now()}`);
    desk.receiver.secrets.delete(secret);
    desk.startSender();
    await desk.publish('c_a');
    await desk.accept(2);
    expect(String(desk.receiver.calls[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('is sent promptly if an owner requests a test or sends the call again', async () => {
    const { id } = await desk.createWebhook();
    desk.startSender();
    desk.receiver.behave = () => 500;
    await desk.manager.expectOk('POST', `${desk.path}/webhooks/${id}/test`);
    await desk.settled(id, 1);
    const [first] = await desk.readCalls(id);
    // People who send a test call want to see its outcome immediately, so it is not retried.
    expect(first).toMatchObject({ type: 'webhook.test', state: 'failed', attempts: 1, status: 500 });
    expect((await desk.readWebhook(id)).failing_since).toBeNull();
    desk.receiver.behave = () => 200;
    await desk.manager.expectOk('POST', `${desk.path}/webhooks/${id}/calls/${first?.id}/send-again`);
    await desk.settled(id, 2);
    expect((await desk.readCalls(id))[0]).toMatchObject({ type: 'webhook.test', state: 'delivered' });
  });

  test('is logged as a warning, once for each webhook, if it lacks the content that its webhook should receive', async () => {
    const { id } = await desk.createWebhook({ payload: 'full' });
    const node = await desk.startNode({ GALLEY_WEBHOOK_ALLOW: '127.0.0.1' });
    node.service.startSender(FAST);
    await desk.publish('c_a');
    await desk.publish('c_b');
    await desk.accept(2);
    expect(desk.receiver.calls.map(({ event }) => 'content' in event.data)).toEqual([false, false]);
    expect(desk.logged.filter(({ msg }) => msg.includes('GALLEY_PUBLIC_URL'))).toEqual([
      expect.objectContaining({ webhook: id }),
    ]);
  });
});

describe('batches', () => {
  useHookDesk('sqlite', take);

  test('combine the changes made within two seconds', async () => {
    await desk.createWebhook({ is_batched: true });
    desk.clock.stop();
    desk.startSender();
    for (const id of ['c_a', 'c_b', 'c_a', 'c_c']) await desk.publish(id);
    expect(desk.receiver.calls).toEqual([]);
    desk.clock.advance(2000);
    await desk.accept(1);
    const names = ['content.updated c_a', 'content.updated c_b', 'content.updated c_a', 'content.updated c_c'];
    expect(summarize(desk.receiver.calls)).toEqual(names);
    expect(desk.receiver.calls[0]?.event).toMatchObject({ type: 'batch', data: { site: desk.site } });
  });

  test.each<[string, number, number, readonly number[]]>([
    ['cover all changes within two seconds, however few of them the webhook subscribes to', 600, 10, [60]],
    ['contain at most 100 events', 250, 1, [50, 100, 100]],
  ])('%s', async (_, changes, wantedEvery, sizes) => {
    const { id } = await desk.createWebhook({ is_batched: true, content_types: ['note'] });
    desk.clock.stop();
    await desk.importMany(changes, (index) => (index % wantedEvery === 0 ? { content_type: 'note' } : {}));
    // To the sender, an import looks like a publish in progress, so it works in small batches until the import ends.
    desk.startSender();
    desk.clock.advance(2000);
    await desk.settled(id, sizes.length);
    const events = desk.receiver.calls.map(({ event }) => event.data.events?.length ?? 0);
    expect(events.toSorted((a, b) => a - b)).toEqual(sizes);
  });
});
