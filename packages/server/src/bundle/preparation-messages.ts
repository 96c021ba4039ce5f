// What an import and the thread that prepares its content tell each other.

import type { Catalog } from '../content/catalog.ts';
import type { NewContent } from '../storage/port.ts';
import type { LimitFindings } from './find-limit-faults.ts';
import type { BundleLine } from './read-bundle-lines.ts';

export interface PreparationTask {
  readonly path: string;
  readonly now: number;
}

export interface PreparedLine extends BundleLine {
  /** Null where the line is to be looked at by the import. */
  readonly content: NewContent | null;
  /** Of content that was prepared, where its type has limits. */
  readonly limits?: LimitFindings | undefined;
}

/** What the thread has to know before it goes on. */
export interface PreparationQuestion {
  readonly sites: readonly string[];
  readonly authors: readonly { readonly site: string; readonly id: string }[];
}

/** What is not there is null. */
export interface PreparationAnswer {
  readonly sites: readonly { readonly id: string; readonly catalog: Catalog | null }[];
  readonly authors: readonly { readonly site: string; readonly id: string; readonly no: number | null }[];
}

export type FromPreparation =
  | { readonly kind: 'lines'; readonly lines: readonly PreparedLine[] }
  | { readonly kind: 'question'; readonly question: PreparationQuestion }
  | { readonly kind: 'fault'; readonly line: number; readonly message: string }
  | { readonly kind: 'end' };

export type ToPreparation = { readonly kind: 'more' } | { readonly kind: 'answer'; readonly answer: PreparationAnswer };

/** How many lots of lines the thread may be ahead: whoever is slower, no more than these are held. */
export const MOST_LOTS_AHEAD = 4;
