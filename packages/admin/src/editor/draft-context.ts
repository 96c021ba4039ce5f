// The draft of the content that the editor is open for, for all of its tabs. A tab that changes what the draft holds changes
// it here, and so is saved, kept and compared like the form.

import { createContext, use, useSyncExternalStore } from 'react';
import type { ShownDraft } from './draft/draft-state.ts';
import type { Draft } from './draft/open-draft.ts';

export const DraftContext = createContext<Draft | undefined>(undefined);

export function useDraft(): { readonly draft: Draft; readonly state: ShownDraft } {
  const draft = use(DraftContext);
  if (draft === undefined) throw new Error('There is no draft outside of the editor');
  return { draft, state: useSyncExternalStore(draft.watch, draft.read) };
}
