// Nine objects to page through. Several of them share a rank, one has no rank, and names are in the reverse order of ids.

import { at, content, contentType, PRESS } from './records.ts';

const STEPS = Array.from({ length: 9 }, (_, index) => ({
  id: `step_${index + 1}`,
  name: `step ${9 - index}`,
  rank: index === 4 ? null : index % 3,
}));

export const STEP_RECORDS: readonly object[] = [
  contentType(PRESS, 'step', [
    { handle: 'rank', type: 'number' },
    { handle: 'title', type: 'text' },
  ]),
  ...STEPS.map(({ id, name, rank }, index) =>
    content({ id, content_type: 'step', name, published_at: at(index + 1), fields: { rank: { number: rank } } }),
  ),
];
