import type { ManagedContentBody } from '@galley/wire';
import { type DraftValues, readDraftValues } from './draft-values.ts';

/** What a text was made from. */
export interface DraftBase {
  /** As the form had it. What the service takes out of a text is still in there. */
  readonly saved: DraftValues;
  /** As the service has it, and besides what was sent and never answered: it may have that too. */
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
