// Webhook calls that combine several changes.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { FAST, HookDesk, post, SITE } from './hook-desk.ts';
import { summarize } from './receiver.ts';

let desk: HookDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeEach(async () => {
    desk = await HookDesk.open(engine);
  });

  afterEach(() => desk.close());

  describe('batches', () => {
    test('combine the changes made within two seconds', async () => {
      await desk.createWebhook({ is_batched: true });
      desk.manager.service.startSender(FAST);
      for (const id of ['c_a', 'c_b', 'c_a', 'c_c']) await desk.publish(id);
      await desk.receiver.waitUntil(({ calls }) => summarize(calls).length >= 4);
      const names = ['content.updated c_a', 'content.updated c_b', 'content.updated c_a', 'content.updated c_c'];
      expect(summarize(desk.receiver.calls)).toEqual(names);
      expect(desk.receiver.calls.length).toBeLessThanOrEqual(2);
      expect(desk.receiver.calls[0]?.event).toMatchObject({ type: 'batch', data: { site: SITE } });
    });

    test('cover all changes within two seconds, however few of them the webhook subscribes to', async () => {
      const { id } = await desk.createWebhook({ is_batched: true, content_types: ['note'] });
      const members = (index: number) => (index % 10 === 0 ? { content_type: 'note' } : {});
      const records = Array.from({ length: 600 }, (_, index) => post(`c_${index}`, members(index)));
      await desk.manager.service.importRecords(records);
      // To the sender, an import looks like a publish in progress, so it works in small batches until the import ends.
      desk.manager.service.startSender(FAST);
      await desk.receiver.waitUntil(({ calls }) => summarize(calls).length >= 60);
      expect(desk.receiver.calls.map(({ event }) => event.data.events?.length)).toEqual([60]);
      await desk.settled(id, 1);
    });

    test('contain at most 100 events', async () => {
      const { id } = await desk.createWebhook({ is_batched: true });
      await desk.manager.service.importRecords(Array.from({ length: 250 }, (_, index) => post(`c_many_${index}`)));
      desk.manager.service.startSender(FAST);
      await desk.receiver.waitUntil(({ calls }) => summarize(calls).length >= 250);
      expect(desk.receiver.calls.map(({ event }) => event.data.events?.length).toSorted()).toEqual([100, 100, 50]);
      await desk.settled(id, 3);
    });
  });
});
