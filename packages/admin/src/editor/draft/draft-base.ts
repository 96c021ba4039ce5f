import type { ManagedContentBody } from '@galley/wire';
import { type DraftValues, readDraftValues } from './draft-values.ts';

/** What a text was made from. */
export interface DraftBase {
  /** As the form had it, including HTML that the service has removed. */
  readonly saved: DraftValues;
  /** First as the service has it, then what was sent without an answer: the service may have stored that instead. */
  readonly known: readonly DraftValues[];
}

export function buildBase(content: ManagedContentBody): DraftBase {
  const values = readDraftValues(content);
  return { saved: values, known: [values] };
}

/** Of what was sent without an answer, the first and the last may be stored: between them there was no connection. */
export function addSent({ saved, known: [stored, first] }: DraftBase, sent: DraftValues): DraftBase {
  return { saved, known: [stored, first, sent].filter((each) => each !== undefined) };
}

export function listUnanswered({ known }: DraftBase): readonly DraftValues[] {
  return known.slice(1);
}

export function hasUnanswered({ known }: DraftBase): boolean {
  return known.length > 1;
}

/** For a version that turned out not to hold what was sent. */
export function dropUnanswered({ saved, known }: DraftBase): DraftBase {
  return { saved, known: known.slice(0, 1) };
}

/** For a text that starts again from the saved version, while earlier saves are still unanswered. */
export function replaceSaved(base: DraftBase, content: ManagedContentBody): DraftBase {
  const saved = readDraftValues(content);
  return { saved, known: [saved, ...listUnanswered(base)] };
}
