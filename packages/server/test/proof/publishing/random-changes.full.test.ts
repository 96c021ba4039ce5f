// Makes random management calls. The site's generation must change if the body of any public response changes, and stay the same
// otherwise; if it stays the same, so must the ETags. This also applies to rejected calls, which must change nothing.

import { describe, expect, test } from 'vitest';
import { RESUMABLE_ROUTES } from '../../../src/management/routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from '../../../src/management/routes.ts';
import { listOther, PublicSite } from '../../management/public-answers.ts';
import { createRandomSteps, StepClock } from '../../management/random-steps.ts';
import { runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { ENGINES, type Engine } from '../../support/test-database.ts';

const STEPS = { sqlite: proofSize(50, 300), postgres: proofSize(25, 300) };

describe.each(ENGINES)('on %s', (engine) => {
  test('the generation changes if and only if a public response differs', async () => {
    for (const seed of seeds(proofSize(1, 12))) await change(engine, seed);
  });
});

test('the random steps call every route that can change something', async () => {
  const routes = [...MANAGEMENT_ROUTES, ...RESUMABLE_ROUTES]
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path}`)
    // In the router, the path with the fewest parameters takes precedence.
    .sort((a, b) => a.split('{').length - b.split('{').length);
  const clock = new StepClock();
  const site = await PublicSite.open(clock.now, 'sqlite');
  const steps = createRandomSteps(site.manager, clock);

  try {
    for (const seed of seeds(1)) {
      await runSeeded(seed, async (draw) => {
        for (const { take } of await steps.list(draw)) await take();
      });
    }
  } finally {
    await site.close();
  }
  const called = [...steps.calls].map((call) => routes.find((route) => matches(call, route)));
  expect(routes.filter((route) => !called.includes(route))).toEqual([]);
});

function matches(call: string, route: string): boolean {
  return new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(call);
}

async function change(engine: Engine, seed: number): Promise<void> {
  const clock = new StepClock();
  const site = await PublicSite.open(clock.now, engine);
  const steps = createRandomSteps(site.manager, clock);
  const figures = { moved: 0, unmoved: 0 };

  try {
    await runSeeded(seed, async (draw) => {
      let before = await site.read();
      for (let index = 0; index < STEPS[engine]; index += 1) {
        const { name, caution, take } = await steps.draw(draw);
        await take();
        const after = await site.read();
        const hasMoved = after.numbers.generation !== before.numbers.generation;
        const others = listOther(before, after, 'body');
        const told = `step ${index}, ${name}: generation ${hasMoved ? 'changed' : 'unchanged'}, ${others.length} responses differ (${others.slice(0, 3).join('; ')})`;
        if (!hasMoved) expect([...others, ...listOther(before, after, 'etag')], told).toEqual([]);
        else if (caution === undefined) expect(others.length, told).toBeGreaterThan(0);
        figures[hasMoved ? 'moved' : 'unmoved'] += 1;
        before = after;
      }
    });
  } finally {
    await site.close();
  }
  reportProof(
    `${STEPS[engine]} changes on ${engine}: ${figures.moved} changed the generation, ${figures.unmoved} did not, ${steps.refused()} rejected`,
  );
}
