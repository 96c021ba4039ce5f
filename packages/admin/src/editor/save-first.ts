import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import type { Draft } from './draft/open-draft.ts';

/** Before something is done with the saved text: what was written belongs to it. Fails where it cannot be saved. */
export async function saveFirst(draft: Draft): Promise<void> {
  if (!(await draft.flush())) throw new Error(EDITOR_TEXTS.notSavedFirst);
}
