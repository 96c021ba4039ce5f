// Makes random management calls. The site's generation must change if the body or ETag of any public response changes, and stay the
// same otherwise. This also applies to rejected calls, which must change nothing.

import { expect, test } from 'vitest';
import { runSeeded } from '../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../oracle/proof.ts';
import { listOther, PublicSite } from './public-answers.ts';
import { createRandomSteps, StepClock } from './random-steps.ts';

const STEPS = proofSize(60, 300);

test('the generation changes if and only if a public response differs', async () => {
  for (const seed of seeds(proofSize(1, 12))) await change(seed);
});

async function change(seed: number): Promise<void> {
  const clock = new StepClock();
  const site = await PublicSite.open(clock.now);
  const steps = createRandomSteps(site.manager, clock);
  const figures = { moved: 0, unmoved: 0 };

  try {
    await runSeeded(seed, async (draw) => {
      let before = await site.read();
      for (let index = 0; index < STEPS; index += 1) {
        const { name, isCautious = false, take } = await steps.draw(draw);
        await take();
        const after = await site.read();
        const hasMoved = after.numbers.generation !== before.numbers.generation;
        const others = [...listOther(before, after, 'body'), ...listOther(before, after, 'etag')];
        const told = `step ${index}, ${name}: generation ${hasMoved ? 'changed' : 'unchanged'}, ${others.length} responses differ (${others.slice(0, 3).join('; ')})`;
        if (!hasMoved) expect(others, told).toEqual([]);
        else if (!isCautious) expect(others.length, told).toBeGreaterThan(0);
        figures[hasMoved ? 'moved' : 'unmoved'] += 1;
        before = after;
      }
    });
  } finally {
    await site.close();
  }
  reportProof(
    `${STEPS} changes: ${figures.moved} changed the generation, ${figures.unmoved} did not, ${steps.refused()} rejected`,
  );
}
