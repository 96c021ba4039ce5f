import type { ManagedContentBody } from '@galley/wire';
import type { DraftChange } from './draft-changes.ts';
import type { DraftValues } from './draft-values.ts';
import type { DraftKeeper } from './kept-drafts.ts';

/** What a draft needs of the world around it. */
export interface DraftOptions {
  readonly content: ManagedContentBody;
  readonly keeper: DraftKeeper;
  /** What was left unsaved before. */
  readonly kept: readonly DraftChange[];
  readonly save: (version: number, values: DraftValues) => Promise<ManagedContentBody>;
  readonly read: () => Promise<ManagedContentBody>;
  /** Reads the content type anew. @returns leaves out values that have no field */
  readonly readFit: () => Promise<(values: DraftValues) => DraftValues>;
  /** Called with each version that was saved. */
  readonly onSaved: (content: ManagedContentBody) => void;
  /** Called when nothing more will be saved here. */
  readonly onClosed: () => void;
}
