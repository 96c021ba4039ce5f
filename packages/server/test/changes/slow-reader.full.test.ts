import { expect, test } from 'vitest';
import { createDrainState } from '../../src/http/drain.ts';
import { startManager } from '../management/manager.ts';
import { FeedSite } from './feed-site.ts';

/** More than the operating system keeps in memory for a connection. */
const OBJECTS = 30;

test('a stream reads no page until the client has received the previous one', async () => {
  const drain = createDrainState();
  const manager = await startManager({}, { drain });
  using site = await FeedSite.open(manager);
  const text = { fields: { text: { text: 'x'.repeat(400_000) } } };
  const ids = Array.from({ length: OBJECTS }, (_, index) => `d_${String(index).padStart(2, '0')}`);
  await site.import(...ids.map((id) => site.post(id, text)));
  const stream = await site.stream({ include: 'content' });
  stream.response.pause();
  const findStuck = () => [...drain.connections].find(({ writableLength }) => writableLength > 0);
  await expect.poll(findStuck).toBeDefined();
  expect(findStuck()?.writableLength).toBeLessThan(3_000_000);
  // The client is still at the beginning of the sync, so the sync no longer contains the last object.
  const last = ids.at(-1) ?? '';
  await site.act(last, 'unpublish');
  const named: string[] = [];
  let page = await stream.page();
  for (; !page.drop_others; page = await stream.page()) named.push(...page.changes.map(({ id }) => id));
  named.push(...page.changes.map(({ id }) => id));
  expect(named).toContain(ids[0]);
  expect(named).not.toContain(last);
  stream[Symbol.dispose]();
  await manager.close();
});
