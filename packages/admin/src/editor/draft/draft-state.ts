import type { ManagedContentBody, WarningBody } from '@galley/wire';
import type { Fault } from '../../api/api-error.ts';
import type { TakenUrl } from '../taken-url.ts';
import type { DraftBase } from './draft-base.ts';
import type { DraftValues } from './draft-values.ts';
import type { ContestedPart } from './merge-drafts.ts';

/**
 * `offline` and `failing`: kept in this browser, and tried again; the service is not reached, or has a fault of its own.
 * `refused`: what is wrong must be mended first; parts that nothing is wrong with are saved.
 */
export type SaveStatus = 'saved' | 'changed' | 'saving' | 'offline' | 'failing' | 'refused' | 'contested';

export interface Contest {
  readonly theirs: ManagedContentBody;
  readonly parts: readonly ContestedPart[];
}

/**
 * What happened that the editor did not do. `restored`: unsaved text was put back. `merged`: another's changes were taken in.
 * `sanitised`: the service changed the HTML of texts. `left_out`: values have no place any more, as their fields are gone.
 * `url_taken`: it was not published, as another page has its URL. `url_shared`: it was, and other pages have its URL, too.
 */
export type DraftNews =
  | { readonly kind: 'restored' }
  | { readonly kind: 'merged'; readonly by: string | null }
  | { readonly kind: 'sanitised'; readonly texts: readonly SanitisedText[] }
  | { readonly kind: 'left_out'; readonly paths: readonly string[] }
  | ({ readonly kind: 'url_taken' } & TakenUrl)
  | { readonly kind: 'url_shared'; readonly warnings: readonly WarningBody[] };

export interface SanitisedText {
  readonly path: string;
  readonly sent: string;
  readonly stored: string;
}

export interface DraftState {
  /** The newest saved version that is known. */
  readonly content: ManagedContentBody;
  /** What the values were made from: that version, but for contested parts. */
  readonly base: DraftBase;
  readonly values: DraftValues;
  readonly status: SaveStatus;
  readonly faults: readonly Fault[];
  /** The parts that cannot be saved as they are, while the others are. */
  readonly unsaved: readonly string[];
  /** What went wrong without a place. */
  readonly message: string | undefined;
  readonly contest: Contest | undefined;
  readonly news: DraftNews | undefined;
  /** Whether what is not saved is kept in this browser: there may be no room for it. */
  readonly isKept: boolean;
  /** Grows whenever the first fault should get the focus. */
  readonly focusRequests: number;
}
