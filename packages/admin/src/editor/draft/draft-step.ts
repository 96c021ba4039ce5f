// The building blocks of a step: the next state, the resulting effects, and transitions that many events share.

import type { Fault } from '../../api/api-error.ts';
import { isSame } from '../fields/field-values.ts';
import type { DraftEffect, DraftState } from './draft-state.ts';
import { isSameDraft } from './draft-values.ts';
import { hasUnanswered, listChanges } from './merge-drafts.ts';

export interface Step {
  readonly state: DraftState;
  readonly effects: readonly DraftEffect[];
}

export function stay(state: DraftState, ...effects: readonly DraftEffect[]): Step {
  return { state, effects };
}

export function andThen(step: Step, next: (state: DraftState) => Step): Step {
  const { state, effects } = next(step.state);
  return { state, effects: [...step.effects, ...effects] };
}

export function keepLocally(state: DraftState): Step {
  const changes = listChanges(state.base, state.values);
  if (changes.length === 0) return stay({ ...state, isKept: true }, { kind: 'drop_kept' });
  return stay(state, { kind: 'keep', changes });
}

/** The step taken when everything is saved. */
export function finish(state: DraftState): Step {
  const faults = state.isStrict ? state.content.faults : [];
  const saved: DraftState = {
    ...state,
    status: 'saved',
    faults: keepIfSame(state.faults, faults),
    refused: new Map(),
    unsaved: [],
    message: undefined,
    failures: 0,
    isKept: true,
  };
  return andThen(stay(saved, { kind: 'drop_kept' }), (each) => (each.isLeft ? close(each) : stay(each)));
}

export function close(state: DraftState): Step {
  if (state.isClosed) return stay(state);
  return stay({ ...state, isClosed: true }, { kind: 'stop_timer' }, { kind: 'close' });
}

export function waitForPause(state: DraftState): Step {
  return wait(state, { kind: 'save_after_pause' });
}

export function saveSoonIfChanged(state: DraftState): Step {
  return state.status === 'changed' ? wait(state, { kind: 'save_soon' }) : stay(state);
}

export function wait(state: DraftState, timer: DraftEffect): Step {
  return state.isClosed ? stay(state) : stay(state, timer);
}

/** Handles an event that should never happen: a response while no request is in flight. */
export function impossible(state: DraftState): never {
  throw new Error(`Unexpected response in state ${state.status}`);
}

export function isUnsaved({ base, values }: DraftState): boolean {
  return !isSameDraft(values, base.saved) || hasUnanswered(base);
}

/** Keeps the old list of errors if the new one is equal. Replacing it would re-render every input in the form and slow down typing. */
export function keepIfSame(before: readonly Fault[], after: readonly Fault[]): readonly Fault[] {
  return isSame(before, after) ? before : after;
}
