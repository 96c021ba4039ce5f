// Makes random management calls while a mirror reads the change feed. The mirror is interrupted at random, and must end up with exactly
// the objects that the delivery API returns. Calls that change nothing for readers must not change the feed.

import { describe, expect, test } from 'vitest';
import { ChangeReader } from '../../changes/change-reader.ts';
import { Mirror } from '../../changes/mirror.ts';
import { CONTENT_IDS, PublicSite, SITE } from '../../management/public-answers.ts';
import { createRandomSteps, StepClock } from '../../management/random-steps.ts';
import { chance, type Draw, drawNumber, runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { ENGINES, type Engine } from '../../support/test-database.ts';

const STEPS = proofSize(60, 400);

describe.each(ENGINES)('on %s', (engine) => {
  test('a copy that follows the change feed contains the same objects as the API, and the feed names only objects that were public', async () => {
    for (const seed of seeds(proofSize(1, 25))) await follow(engine, seed);
  });
});

async function follow(engine: Engine, seed: number): Promise<void> {
  const clock = new StepClock();
  const site = await PublicSite.open(clock.now, engine);
  const { service } = site.manager;
  const steps = createRandomSteps(site.manager, clock);
  const { token } = await service.createKey({ sites: [SITE] });
  const reader = new ChangeReader(service.url, token, SITE);
  const mirror = new Mirror(reader);
  const everPublic = new Set<string>();
  const figures = { pulls: 0, changes: 0 };

  async function readObjects(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const id of CONTENT_IDS) {
      const text = await reader.object(id);
      if (text !== undefined) found.set(id, text);
    }
    return found;
  }

  /** Pulls a few pages, or all of them. Occasionally, the mirror is interrupted in the middle of a page. */
  async function pull(draw: Draw, isWhole: boolean): Promise<boolean> {
    for (let pages = isWhole ? Number.POSITIVE_INFINITY : drawNumber(draw, 0, 2); pages > 0; pages -= 1) {
      figures.pulls += 1;
      const stopAfter = chance(draw, 20) ? drawNumber(draw, 0, 2) : undefined;
      if (!(await mirror.pull(drawNumber(draw, 1, 6), stopAfter)) && mirror.position?.startsWith('sync') === false)
        return true;
    }
    return false;
  }

  try {
    const start = await reader.sync();
    await runSeeded(seed, async (draw) => {
      let before = { changes: await reader.since(start), ...(await site.readNumbers()) };
      for (const id of (await readObjects()).keys()) everPublic.add(id);
      for (let index = 0; index < STEPS; index += 1) {
        const { name, take } = await steps.draw(draw);
        await take();
        const objects = await readObjects();
        for (const id of objects.keys()) everPublic.add(id);
        const changes = await reader.since(start);
        const { generation } = await site.readNumbers();
        const told = `step ${index}, ${name}`;
        for (const { id, moved } of changes) {
          expect(everPublic, told).toContain(id);
          if (moved !== null) expect(objects.has(id), told).toBe(true);
        }
        const rows = changes.map(({ position }) => Number.parseInt(position, 36));
        expect(rows, told).toEqual(rows.toSorted((a, b) => a - b));
        // Permanently deleting content that readers could once see adds a row to the log.
        const mayStay = generation === before.generation && !name.startsWith('delete ');
        if (mayStay) expect(changes, told).toEqual(before.changes);
        before = { ...before, changes, generation };
        figures.changes = changes.length;
        if (chance(draw, 3)) mirror.startOver();
        if (await pull(draw, chance(draw, 40))) expect(new Map(mirror.objects), told).toEqual(objects);
      }
    });
  } finally {
    await site.close();
  }
  reportProof(`${STEPS} steps: ${figures.changes} changes in the feed, ${figures.pulls} pages read`);
}
