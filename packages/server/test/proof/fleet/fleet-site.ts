// The sites that the fleet serves: a static site, whose responses stay in the cache, and a site on which content is published constantly.
// Every URL of the second site shows a counter.

import { LIST_PATH } from '../../conformance/reader.ts';
import { content, contentType, site } from '../../conformance/records.ts';

export const RESTING_SITE = 's_resting';
export const MOVING_SITE = 's_moving';
export const COUNTER = 'c_counter';

/** The counter's name on a server that has left the fleet. */
export const ELSEWHERE = 'Elsewhere';

const RESTING = Array.from({ length: 8 }, (_, index) => `c_resting_${index}`);

export const RESTING_TARGETS = [...RESTING.map((id) => `${LIST_PATH}/${id}`), LIST_PATH, `${LIST_PATH}?sort=name`];
export const MOVING_TARGETS = [`${LIST_PATH}/${COUNTER}`, `${LIST_PATH}?sort=name&limit=5`];

export function buildFleetRecords(): readonly object[] {
  return [
    site(RESTING_SITE),
    contentType(RESTING_SITE, 'note', []),
    ...RESTING.map((id) => content({ id, site: RESTING_SITE })),
    site(MOVING_SITE),
    contentType(MOVING_SITE, 'tally', []),
    content({ id: COUNTER, site: MOVING_SITE, content_type: 'tally', name: nameCount(0) }),
    content({ id: 'c_other', site: MOVING_SITE, content_type: 'tally' }),
  ];
}

/** A URL that has never been requested before. The unknown parameter has no other effect. */
export function buildNewTarget(turn: string): string {
  return `${LIST_PATH}/${COUNTER}?turn=${turn}`;
}

export function nameCount(count: number): string {
  return `Count ${count}`;
}

/** The counter in a response from the changing site, or NaN if the response comes from a server that has left the fleet. */
export function readCount(text: string): number {
  return Number(/"name":"Count (\d+)"/.exec(text)?.[1]);
}
