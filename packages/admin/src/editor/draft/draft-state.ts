import type { ManagedContentBody } from '@galley/wire';
import type { Fault } from '../../api/api-error.ts';
import type { DraftBase } from './draft-base.ts';
import type { DraftValues } from './draft-values.ts';
import type { ContestedPart } from './merge-drafts.ts';

/**
 * `offline` and `failing`: kept in this browser, and tried again; the service is not reached, or has a fault of its own.
 * `refused`: what is wrong must be mended first.
 */
export type SaveStatus = 'saved' | 'changed' | 'saving' | 'offline' | 'failing' | 'refused' | 'contested';

export interface Contest {
  readonly theirs: ManagedContentBody;
  readonly parts: readonly ContestedPart[];
}

/**
 * What happened that the editor did not do. `restored`: unsaved text was put back. `merged`: another's changes were taken in.
 * `sanitised`: the service took HTML out of texts. `left_out`: values have no place any more, as their fields are gone.
 */
export type DraftNews =
  | { readonly kind: 'restored' }
  | { readonly kind: 'merged'; readonly by: string | null }
  | { readonly kind: 'sanitised' | 'left_out'; readonly paths: readonly string[] };

export interface DraftState {
  /** The newest saved version that is known. */
  readonly content: ManagedContentBody;
  /** What the values were made from: that version, but for contested parts. */
  readonly base: DraftBase;
  readonly values: DraftValues;
  readonly status: SaveStatus;
  readonly faults: readonly Fault[];
  /** What went wrong without a place. */
  readonly message: string | undefined;
  readonly contest: Contest | undefined;
  readonly news: DraftNews | undefined;
  /** Whether what is not saved is kept in this browser: there may be no room for it. */
  readonly isKept: boolean;
  /** Grows whenever the first fault should get the focus. */
  readonly focusRequests: number;
}
