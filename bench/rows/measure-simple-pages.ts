// Simple mode: how long a page takes, depending on its position. Requests are sent one after another, and no response comes from the
// cache.

import { LIST, STRIDE } from '../cases.ts';
import type { Site } from '../open-site.ts';
import { recordAnswer } from '../recorded-answer.ts';
import { withSimpleMode } from './timed-list.ts';

export interface MeasuredPages {
  readonly place: 'first page' | 'middle page' | 'last page' | 'any page';
  readonly milliseconds: readonly number[];
}

const PAGE = 20;
const PLACES = ['first page', 'middle page', 'last page', 'any page'] as const;

/** @param count the number of requests for each position */
export async function measureSimplePages({ size, reader }: Site, count: number): Promise<readonly MeasuredPages[]> {
  const pages = size / PAGE;
  const simple = withSimpleMode(reader);
  const measured = PLACES.map((place) => ({ place, milliseconds: [] as number[] }));
  for (let turn = 0; turn < count; turn++) {
    for (const { place, milliseconds } of measured) {
      const page = findPage(place, pages, turn);
      const startedAt = performance.now();
      const { body } = await recordAnswer(simple, `${LIST}?page=${page}&n=${place.replace(' ', '-')}-${turn}`);
      milliseconds.push(performance.now() - startedAt);
      refuseWrongTotal(body, size);
    }
  }
  return measured;
}

function findPage(place: MeasuredPages['place'], pages: number, turn: number): number {
  if (place === 'first page') return 1;
  if (place === 'middle page') return Math.ceil(pages / 2);
  if (place === 'last page') return pages;
  return 1 + (((turn + 1) * STRIDE) % pages);
}

function refuseWrongTotal(body: string, size: number): void {
  const total = /"total":(\d+)/.exec(body)?.[1];
  if (total !== String(size)) throw new Error(`A list of ${size} objects reports a total of ${total}`);
}
