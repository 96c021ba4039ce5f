// The data for the dashboard: how much content a site has, its upcoming schedules, and its traffic.

import type { OverviewBody, TrafficBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

let manager: Manager;
let desk: ContentDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    desk = await openContentDesk(manager);
  });

  afterAll(() => manager.close());

  const readOverview = () =>
    manager.expectOk<OverviewBody>('GET', `/sites/${SITE}/overview`, undefined, manager.editor);

  test('the counts are empty for a site without content', async () => {
    expect(await readOverview()).toEqual({
      states: { draft: 0, published: 0, changed: 0, unpublished: 0, archived: 0, scheduled: 0, failed: 0 },
      types: [],
      scheduled: [],
      failed: [],
    });
  });

  test('content is counted by status as in the content lists, and by type, excluding archived content', async () => {
    await desk.create({ name: 'Draft' });
    await desk.create({ content_type: 'note', name: 'Note', fields: {} });
    const published = await desk.create({ name: 'Published' });
    await desk.act(published, 'publish');
    const changed = await desk.create({ name: 'Changed' });
    await desk.save(await desk.act(changed, 'publish'), { name: 'Changed since' });
    const unpublished = await desk.create({ name: 'Unpublished' });
    await desk.act(unpublished, 'publish');
    await desk.act(unpublished, 'unpublish');
    await desk.act(await desk.create({ name: 'Archived' }), 'archive');
    const { states, types } = await readOverview();
    expect(states).toEqual({
      draft: 2,
      published: 2,
      changed: 1,
      unpublished: 1,
      archived: 1,
      scheduled: 0,
      failed: 0,
    });
    expect(types).toEqual([
      { content_type: 'post', total: 4 },
      { content_type: 'note', total: 1 },
    ]);
  });

  test('upcoming schedules are listed with their action, soonest first', async () => {
    const early = '2090-01-01T00:00:00+00:00';
    const late = '2091-01-01T00:00:00+00:00';
    const middle = '2090-06-01T00:00:00+00:00';
    const one = await desk.create({ name: 'From and to' });
    await desk.act(one, 'schedule', { publish_at: early, unpublish_at: late });
    const two = await desk.create({ name: 'From', language: 'fr' });
    await desk.act(two, 'schedule', { publish_at: middle });
    const { states, scheduled } = await readOverview();
    expect(states.scheduled).toBe(2);
    const common = { content_type: 'post' };
    expect(scheduled).toEqual([
      { ...common, id: one.id, name: 'From and to', language: 'en', action: 'publish', at: early },
      { ...common, id: two.id, name: 'From', language: 'fr', action: 'publish', at: middle },
      { ...common, id: one.id, name: 'From and to', language: 'en', action: 'unpublish', at: late },
    ]);
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('traffic is counted immediately in the current minute, including cache hits', async () => {
    const sum = ({ data }: TrafficBody) => ({
      answers: data.reduce((total, { answers }) => total + answers, 0),
      hits: data.reduce((total, { hits }) => total + hits, 0),
    });
    const before = sum(await manager.expectOk<TrafficBody>('GET', '/traffic'));
    for (let count = 0; count < 5; count++) await manager.read(SITE, '?limit=7');
    const after = await manager.expectOk<TrafficBody>('GET', '/traffic', undefined, manager.editor);
    expect(after.data).toHaveLength(60);
    expect(sum(after)).toEqual({ answers: before.answers + 5, hits: before.hits + 4 });
    const [first, second] = after.data.map(({ at }) => Date.parse(at));
    expect((second ?? 0) - (first ?? 0)).toBe(60_000);
  });

  test("traffic on one account's sites is not visible to another account", async () => {
    const read = (token?: string) => manager.expectOk<TrafficBody>('GET', '/traffic', undefined, token);
    await manager.read(SITE);
    const theirs = await read(manager.stranger);
    expect(theirs.data).toHaveLength(60);
    expect(theirs.data.filter(({ answers }) => answers > 0)).toEqual([]);
    expect((await read()).data.filter(({ answers }) => answers > 0)).not.toEqual([]);
  });
});
