// Makes random choices with a fast-check generator. Every choice depends only on the seed.

import fc from 'fast-check';

export type Draw = fc.GeneratorValue;

export function drawNumber(draw: Draw, min: number, max: number): number {
  return min + draw(fc.nat, max - min);
}

export function pick<Item>(draw: Draw, items: readonly Item[]): Item {
  const item = items[draw(fc.nat, items.length - 1)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Returns true with this probability, in percent. */
export function chance(draw: Draw, percent: number): boolean {
  return draw(fc.nat, 99) < percent;
}

/** Picks up to `max` different items, in random order. */
export function pickSome<Item>(draw: Draw, items: readonly Item[], max: number): readonly Item[] {
  return shuffle(draw, items).slice(0, drawNumber(draw, 0, Math.min(max, items.length)));
}

export function shuffle<Item>(draw: Draw, items: readonly Item[]): readonly Item[] {
  const rest = [...items];
  return items.map(() => {
    const [taken] = rest.splice(draw(fc.nat, rest.length - 1), 1);
    if (taken === undefined) throw new Error('nothing left to take');
    return taken;
  });
}

/** Runs one random case; a failure names the seed that reproduces it. */
export async function runSeeded(seed: number, check: (draw: Draw) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.gen(), check), {
    seed,
    numRuns: 1,
    unbiased: true,
    endOnFailure: true,
    reporter: (run) => {
      if (run.failed) throw new Error(`seed ${seed}: ${String(run.errorInstance)}`, { cause: run.errorInstance });
    },
  });
}
