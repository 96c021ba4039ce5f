// Types for the draft of one content object: its state, the events that change it, and the resulting effects.

import type { ManagedContentBody, WarningBody } from '@galley/wire';
import type { Fault } from '../../api/api-error.ts';
import type { TakenUrl } from '../../content/refusals.ts';
import type { DraftValues } from './draft-values.ts';
import type { ContestedPart, DraftBase, DraftChange } from './merge-drafts.ts';

/**
 * `offline` and `failing`: the service cannot be reached, or reports an internal error. The text is kept in this browser and the
 * save is retried. `refused`: the editor has to correct something first. Parts without errors are saved.
 */
export type SaveStatus = 'saved' | 'changed' | 'saving' | 'offline' | 'failing' | 'refused' | 'contested';

export interface Contest {
  readonly theirs: ManagedContentBody;
  readonly parts: readonly ContestedPart[];
}

/**
 * A notice for the editor. `restored`: unsaved text was restored. `merged`: somebody else's
 * changes were added. `sanitised`: the service changed HTML in the text. `left_out`: values were dropped because their
 * fields no longer exist. `url_taken`: publishing was refused because another page has the URL. `url_shared`: the content was
 * published, but other pages have the same URL.
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

/** The part of a draft's state that the editor sees. */
export interface ShownDraft {
  /** The newest known saved version. */
  readonly content: ManagedContentBody;
  readonly values: DraftValues;
  readonly status: SaveStatus;
  readonly faults: readonly Fault[];
  /** The parts that the service refuses to save. It saves all other parts. */
  readonly unsaved: readonly string[];
  /** An error that does not belong to a field. */
  readonly message: string | undefined;
  readonly contest: Contest | undefined;
  readonly news: DraftNews | undefined;
  /** False if the browser has no room to keep the unsaved text. */
  readonly isKept: boolean;
  /** Incremented whenever the first input with an error should receive the focus. */
  readonly focusRequests: number;
  /** The paths that the last response listed as sanitised. */
  readonly sanitised: readonly string[];
}

export interface DraftState extends ShownDraft {
  /** The version that the values are based on: the newest known version, except for parts in conflict. */
  readonly base: DraftBase;
  /** The request in flight, if any. There is at most one. */
  readonly request: DraftRequest | undefined;
  /** The action to take after saving everything that can be saved. Until then, the draft saves without waiting for a pause. */
  readonly wish: 'save' | 'publish' | undefined;
  readonly isPublishing: boolean;
  /** A version that arrived while a request was in flight. */
  readonly heard: ManagedContentBody | undefined;
  /** The parts that the service refused, with the values that it refused. */
  readonly refused: ReadonlyMap<string, unknown>;
  /** The number of consecutive failed saves. */
  readonly failures: number;
  /** Set after publishing was refused: all errors are shown until they are corrected. */
  readonly isStrict: boolean;
  /** The editor has been closed, so the draft closes once everything is saved. */
  readonly isLeft: boolean;
  readonly isClosed: boolean;
}

export type DraftRequest =
  /** `before` is the base to return to if the service did not store `sent`. */
  | { readonly kind: 'save'; readonly sent: DraftValues; readonly before: DraftBase }
  /** Reads the newest version after a conflict, or to find out whether a save without a response was stored. */
  | { readonly kind: 'read'; readonly why: 'conflict' | 'unanswered' }
  /** Reads the content type after a refused save, to find values whose fields no longer exist. */
  | { readonly kind: 'read_type'; readonly error: Error; readonly sent: DraftValues };

export interface DraftEvents {
  // Events from the editor
  readonly change: { readonly values: DraftValues };
  readonly save: object;
  /** Saves everything, including parts that were refused before, because they may be valid now. */
  readonly flush: object;
  readonly publish: object;
  /** `theirs` are the conflicting parts to take from the other version. */
  readonly settle: { readonly theirs: readonly string[] };
  /** Goes back to a saved version. */
  readonly forget: { readonly content: ManagedContentBody };
  /** Shows the stored text, unless there are unsaved changes. */
  readonly show_stored: object;
  readonly show_faults: { readonly faults: readonly Fault[] };
  readonly focus_fault: object;
  readonly tell: { readonly news: DraftNews | undefined };
  readonly enter: object;
  readonly leave: object;
  readonly close: object;
  // Events from the service
  readonly saved: { readonly answer: ManagedContentBody };
  readonly save_failed: { readonly error: Error };
  readonly was_read: { readonly content: ManagedContentBody };
  readonly read_failed: { readonly error: Error };
  /** `leaveOut` removes the values of deleted fields; undefined if the type could not be read. */
  readonly type_read: { readonly leaveOut: ((values: DraftValues) => DraftValues) | undefined };
  readonly published: { readonly content: ManagedContentBody };
  readonly publish_failed: object;
  /** A saved version that another part of the panel received. */
  readonly adopt: { readonly content: ManagedContentBody };
  // Events from the browser
  readonly kept: { readonly hasRoom: boolean };
}

export type DraftEvent<Kind extends keyof DraftEvents = keyof DraftEvents> = {
  [Each in Kind]: { readonly kind: Each } & DraftEvents[Each];
}[Kind];

export type DraftEffect =
  | { readonly kind: 'save'; readonly version: number; readonly values: DraftValues }
  | { readonly kind: 'read' }
  | { readonly kind: 'read_type' }
  | { readonly kind: 'publish'; readonly version: number }
  /** Nothing was published, because something could not be saved. */
  | { readonly kind: 'not_published' }
  | { readonly kind: 'keep'; readonly changes: readonly DraftChange[] }
  | { readonly kind: 'drop_kept' }
  | { readonly kind: 'save_after_pause' }
  | { readonly kind: 'save_soon' }
  | { readonly kind: 'retry'; readonly failures: number }
  | { readonly kind: 'stop_timer' }
  /** A new version was saved. */
  | { readonly kind: 'announce'; readonly content: ManagedContentBody }
  /** Everything is saved, or nothing more can be saved at the moment. */
  | { readonly kind: 'rested' }
  | { readonly kind: 'close' };
