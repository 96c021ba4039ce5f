// Tests the draft with random sequences of events. The draft must uphold its guarantees after every event, whatever the order, and the text
// must be saved in the end. The model checks these guarantees with `ensure`.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SaveStatus } from './draft-state.ts';
import { createWorld, type Happening, type Outcome, PARTS, type Quality } from './draft-world.fixture.ts';

const part = fc.constantFrom(...PARTS);
const which = fc.nat(3);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      part,
      quality: fc.constantFrom<Quality>('good', 'good', 'good', 'bad', 'html'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write_back' as const), part }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('other_saves' as const), part }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const), theirs: fc.subarray([...PARTS]) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom<Outcome>('arrive', 'lose', 'lose_answer', 'fail'), which }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const), isSent: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('timer' as const, 'online' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('flush' as const, 'publish' as const, 'hear' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('forget' as const, 'show_stored' as const, 'enter' as const, 'leave' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('close' as const, 'delete_field' as const) }) },
);

test('upholds its guarantees for any sequence of events', () => {
  const reached = new Set<SaveStatus>();
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
      const world = createWorld();
      for (const each of happenings) world.happen(each);
      world.comeToRest();
      for (const status of world.reached) reached.add(status);
    }),
    { numRuns: 300 },
  );
  expect([...reached].toSorted()).toEqual(['changed', 'contested', 'failing', 'offline', 'refused', 'saved', 'saving']);
});
