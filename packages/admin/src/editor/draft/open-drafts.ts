// The drafts that are open on this page, one per content object. Editors who return before everything is saved get the same draft.

import { registerUnsavedWork } from '../../forms/unsaved-work.ts';
import { type DraftPlace, type OpenedKeeper, openDraftKeeper } from './kept-drafts.ts';
import type { Draft } from './open-draft.ts';

interface OpenDraft {
  readonly opened: OpenedKeeper;
  draft: Draft | undefined;
}

const drafts = new Map<string, OpenDraft>();

/** Loads unsaved text before the editor is shown. */
export async function prepareDraft(place: DraftPlace): Promise<void> {
  const key = buildKey(place);
  const known = drafts.get(key);
  if (known !== undefined) return known.draft?.stay();
  const opened = await openDraftKeeper(window.localStorage, navigator.locks, place);
  if (drafts.has(key)) opened.keeper.close();
  else drafts.set(key, { opened, draft: undefined });
}

/** @param open opens the draft if it is not open yet, and calls `onClosed` when it closes */
export function findDraft(place: DraftPlace, open: (opened: OpenedKeeper, onClosed: () => void) => Draft): Draft {
  const key = buildKey(place);
  const known = drafts.get(key);
  if (known === undefined) throw new Error('A draft must be prepared before it is opened');
  if (known.draft !== undefined) return known.draft;
  const draft = open(known.opened, () => {
    drafts.delete(key);
    unregister();
  });
  const unregister = registerUnsavedWork({ save: () => draft.flush(), end: () => draft.close() });
  known.draft = draft;
  return draft;
}

function buildKey({ user, site, content }: DraftPlace): string {
  return `${user}:${site}:${content}`;
}
