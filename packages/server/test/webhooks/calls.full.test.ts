// The contents of webhook calls, and the changes that lead to a call.

import type { NewWebhookBody, WebhookCallDetailsBody } from '@galley/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../support/run-sql.ts';
import { ENGINES } from '../support/test-database.ts';
import { ENVIRONMENT, FAST, HERE, HookDesk, SITE } from './hook-desk.ts';
import { summarize } from './receiver.ts';

let desk: HookDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeEach(async () => {
    desk = await HookDesk.open(engine);
  });

  afterEach(() => desk.close());

  describe('a call', () => {
    test('names the change, is signed, and has the custom headers, which the log masks', async () => {
      const { id, secret } = await desk.createWebhook({
        headers: { authorization: 'Bearer very-secret', 'x-env': 'prod' },
      });
      desk.receiver.secrets.add(secret);
      desk.manager.service.startSender(FAST);
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
          site: SITE,
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
      expect(listed).toMatchObject({
        id: call?.id,
        state: 'delivered',
        attempts: 1,
        status: 204,
        error: null,
        next_at: null,
      });
      const details = await desk.manager.expectOk<WebhookCallDetailsBody>(
        'GET',
        `${HERE}/webhooks/${id}/calls/${call?.id}`,
      );
      expect(details.request?.body).toBe(call?.body);
      expect(details.request?.headers).toMatchObject({ 'webhook-id': call?.id, authorization: '•••', 'x-env': '•••' });
      expect(details.response?.headers).toMatchObject({ 'x-receiver': 'test' });
      expect(JSON.stringify([details, desk.logged])).not.toContain('very-secret');
    });

    test('is made for each kind of change, and withdrawn content has no path', async () => {
      await desk.createWebhook();
      desk.manager.service.startSender(FAST);
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
      desk.receiver.behave = ({ event }) =>
        event.type === 'content.moved' && desk.receiver.calls.length < 1 ? 500 : 200;
      const sender = desk.manager.service.startSender({ ...FAST, retryAfterMs: [2000] });
      await desk.publish('c_a', { slug: 'hidden' });
      await expect.poll(async () => (await desk.readCalls(id))[0]?.attempts, { interval: 20 }).toBe(1);
      await sender.stop();
      await desk.unpublish('c_a');
      await desk.publish('c_a', { slug: 'shown' });
      desk.manager.service.startSender(FAST);
      await desk.accept(3);
      const again = desk.receiver.calls.find(({ isAccepted, event }) => isAccepted && event.type === 'content.moved');
      expect(again?.event.data).toMatchObject({ id: 'c_a', uri: 'posts/shown', moved: null });
      expect(desk.receiver.accepted.map(({ body }) => body).join()).not.toContain('hidden');
    });

    test('is made only for the kinds of changes, the types and the languages that the webhook subscribes to', async () => {
      await desk.createWebhook({ kinds: ['content.unpublished'] }, '/kinds');
      await desk.createWebhook({ content_types: ['note'] }, '/types');
      await desk.createWebhook({ languages: ['de'] }, '/languages');
      desk.manager.service.startSender(FAST);
      for (const id of ['c_a', 'c_de', 'c_note']) await desk.publish(id);
      await desk.unpublish('c_a');
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
      desk.manager.service.startSender(FAST);
      const { version } = await desk.manager.expectOk<{ version?: number }>('GET', `${HERE}/authors/u_ada`);
      await desk.manager.expectOk('PATCH', `${HERE}/authors/u_ada`, {
        name: 'Ada Lovelace',
        ...(version === undefined ? {} : { version }),
      });
      await desk.accept(2);
      expect(summarize(desk.receiver.calls).toSorted()).toEqual(['content.updated c_a', 'content.updated c_b']);
    });

    test('contains the object as the API returns it when the call is sent, or null', async () => {
      await desk.createWebhook({ payload: 'full' });
      await desk.publish('c_a');
      await desk.publish('c_b');
      await desk.unpublish('c_b');
      desk.manager.service.startSender(FAST);
      await desk.accept(3);
      const contentOf = (id: string): unknown =>
        desk.receiver.calls.find(({ event }) => event.data.id === id && event.type === 'content.updated')?.event.data
          .content;
      expect(contentOf('c_a')).toEqual((await desk.manager.read(SITE, '/c_a')).body);
      expect(contentOf('c_b')).toBeNull();
      expect(
        desk.receiver.calls.find(({ event }) => event.type === 'content.unpublished')?.event.data.content,
      ).toBeNull();
    });

    test('indicates when the object is too large to be sent', async () => {
      await desk.createWebhook({ payload: 'full' });
      await desk.publish('c_a', { fields: { text: { text: '"'.repeat(600_000) } } });
      desk.manager.service.startSender(FAST);
      await desk.accept(1);
      expect(desk.receiver.calls[0]?.event.data).toMatchObject({
        id: 'c_a',
        uri: 'posts/c_a',
        content: null,
        too_large: true,
      });
    });

    test('carries signatures made with both secrets for a day after the secret is rotated', async () => {
      const { id, secret } = await desk.createWebhook();
      const rotated = await desk.manager.expectOk<NewWebhookBody>('POST', `${HERE}/webhooks/${id}/rotate-secret`);
      desk.receiver.secrets.add(secret).add(rotated.secret);
      const sender = desk.manager.service.startSender(FAST);
      await desk.publish('c_a');
      await desk.accept(1);
      expect(String(desk.receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
      await desk.settled(id, 1);
      await sender.stop();
      await runSql(desk.manager.service.storage, `update webhooks set former_until = ${Date.now()}`);
      desk.receiver.secrets.delete(secret);
      desk.manager.service.startSender(FAST);
      await desk.publish('c_a');
      await desk.accept(2);
      expect(String(desk.receiver.calls[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
    });

    test('is sent promptly if an owner requests a test or sends the call again', async () => {
      const { id } = await desk.createWebhook();
      desk.manager.service.startSender(FAST);
      desk.receiver.behave = () => 500;
      await desk.manager.expectOk('POST', `${HERE}/webhooks/${id}/test`);
      await desk.settled(id, 1);
      const [first] = await desk.readCalls(id);
      // People who send a test call want to see its outcome immediately, so it is not retried.
      expect(first).toMatchObject({ type: 'webhook.test', state: 'failed', attempts: 1, status: 500 });
      expect((await desk.readWebhook(id)).failing_since).toBeNull();
      desk.receiver.behave = () => 200;
      await desk.manager.expectOk('POST', `${HERE}/webhooks/${id}/calls/${first?.id}/send-again`);
      await desk.settled(id, 2);
      expect((await desk.readCalls(id))[0]).toMatchObject({ type: 'webhook.test', state: 'delivered' });
    });
  });

  test('a call without the content that its webhook should receive is logged as a warning, once for each webhook', async () => {
    const { id } = await desk.createWebhook({ payload: 'full' });
    const { GALLEY_PUBLIC_URL: _, ...environment } = ENVIRONMENT;
    await desk.restart(environment);
    desk.manager.service.startSender(FAST);
    await desk.publish('c_a');
    await desk.publish('c_b');
    await desk.accept(2);
    expect(desk.receiver.calls.map(({ event }) => 'content' in event.data)).toEqual([false, false]);
    expect(desk.logged.filter(({ msg }) => msg.includes('GALLEY_PUBLIC_URL'))).toEqual([
      expect.objectContaining({ webhook: id }),
    ]);
  });
});
