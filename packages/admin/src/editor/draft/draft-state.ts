import type { ManagedContentBody } from '@galley/wire';
import type { Fault } from '../../api/api-error.ts';
import type { DraftValues } from './draft-values.ts';
import type { ContestedPart } from './merge-drafts.ts';

/** `offline`: kept in this browser, and tried again. `refused`: what is wrong must be mended first. */
export type SaveStatus = 'saved' | 'changed' | 'saving' | 'offline' | 'refused' | 'contested';

export interface Contest {
  readonly theirs: ManagedContentBody;
  readonly parts: readonly ContestedPart[];
}

export interface DraftState {
  /** The newest saved version that is known. */
  readonly content: ManagedContentBody;
  /** Its values as this form has them. */
  readonly saved: DraftValues;
  readonly values: DraftValues;
  readonly status: SaveStatus;
  readonly faults: readonly Fault[];
  /** What was refused without a place. */
  readonly message: string | undefined;
  readonly contest: Contest | undefined;
  /** What happened that the editor did not do: unsaved text was put back, or another's changes were taken in. */
  readonly news: { readonly kind: 'restored' } | { readonly kind: 'merged'; readonly by: string | null } | undefined;
  /** Whether this browser has room to keep what is not saved. */
  readonly isKept: boolean;
  /** Grows whenever the first fault should get the focus. */
  readonly focusRequests: number;
}
