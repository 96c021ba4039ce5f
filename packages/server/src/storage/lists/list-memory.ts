// What is known of lists that are read by page number: how many objects they have, and where some of them stand, so that
// a page far inside is reached from a place nearby. It holds for one generation of a site.

import { LRUCache } from 'lru-cache';
import type { Position } from '../../listing/cursor.ts';
import type { ListPlan } from './list-plan.ts';

/** Between the objects before it and those after it: the beginning at 0, the end at the list's total. */
export interface Landmark {
  /** How many objects stand before it. */
  readonly at: number;
  /** Of the last object before it; null at the beginning, and at an end that was not walked to. */
  readonly position: Position | null;
}

export interface KnownList {
  readonly total: number;
  /** How many objects lie between landmarks, about. */
  readonly stride: number;
  /** In the order of the list. */
  readonly landmarks: Landmark[];
}

interface RememberedList {
  readonly generation: number;
  readonly list: KnownList;
}

const MOST_LISTS = 200;
const MOST_TOTALS = 2000;

export class ListMemory {
  readonly #lists = new LRUCache<ListPlan, RememberedList>({ max: MOST_LISTS });
  readonly #totals = new LRUCache<string, number>({ max: MOST_TOTALS });

  recall(plan: ListPlan, generation: number): KnownList | undefined {
    const known = this.#lists.get(plan);
    if (known?.generation === generation) return known.list;
    const total = this.#totals.get(nameTotal(plan, generation));
    return total === undefined ? undefined : this.remember(plan, generation, total);
  }

  remember(plan: ListPlan, generation: number, total: number): KnownList {
    const list = startList(total);
    this.#lists.set(plan, { generation, list });
    this.#totals.set(nameTotal(plan, generation), total);
    return list;
  }
}

/** A walk over so many objects takes about as long as reading a page. */
const LEAST_STRIDE = 10_000;
const MOST_STRIDES = 100;

export function startList(total: number, leastStride = LEAST_STRIDE): KnownList {
  return {
    total,
    stride: Math.max(leastStride, Math.ceil(total / MOST_STRIDES)),
    landmarks: [
      { at: 0, position: null },
      { at: total, position: null },
    ],
  };
}

/** Lists that differ only in their order or their page size have the same total. */
function nameTotal({ siteNo, language, fallback, filters }: ListPlan, generation: number): string {
  return JSON.stringify([siteNo, generation, language, fallback, filters]);
}
