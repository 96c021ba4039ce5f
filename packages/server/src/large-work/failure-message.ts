// Converts the failure of a job into data that can be sent between threads, and back into an error.

import { AuthoringRefusal, type RefusalParts } from '../authoring/authoring-refusal.ts';
import { type Problem, ProblemError } from '../http/problems.ts';
import {
  ImportRunning,
  type Obstacle,
  OutcomeUnknown,
  StorageFault,
  StorageUnavailable,
  TookTooLong,
} from '../storage/engine.ts';
import { DamagedContent } from '../storage/lists/content-rows.ts';

export type FailureMessage =
  | { readonly kind: 'refusal'; readonly message: string; readonly parts: RefusalParts }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'fault'; readonly obstacle: Obstacle; readonly error: unknown }
  | { readonly kind: 'unknown-outcome'; readonly fault: FailureMessage | undefined; readonly error: unknown }
  | { readonly kind: 'damaged'; readonly contentId: string }
  | { readonly kind: 'import-running' | 'late' | 'unavailable' | 'bug'; readonly error: unknown };

export function describeFailure(error: unknown): FailureMessage {
  if (error instanceof AuthoringRefusal) {
    const { message, reason, code, faults, details } = error;
    return { kind: 'refusal', message, parts: { reason, code, faults, ...(details === undefined ? {} : { details }) } };
  }
  if (error instanceof ProblemError) return { kind: 'problem', problem: error.problem };
  if (error instanceof StorageFault) return { kind: 'fault', obstacle: error.obstacle, error };
  if (error instanceof OutcomeUnknown) {
    return { kind: 'unknown-outcome', fault: error.fault && describeFailure(error.fault), error };
  }
  if (error instanceof DamagedContent) return { kind: 'damaged', contentId: error.contentId };
  if (error instanceof ImportRunning) return { kind: 'import-running', error };
  if (error instanceof TookTooLong) return { kind: 'late', error };
  return { kind: error instanceof StorageUnavailable ? 'unavailable' : 'bug', error };
}

export function rebuildFailure(failure: FailureMessage): Error {
  switch (failure.kind) {
    case 'refusal':
      return new AuthoringRefusal(failure.message, failure.parts);
    case 'problem':
      return new ProblemError(failure.problem);
    case 'fault':
      return new StorageFault(failure.obstacle, messageOf(failure.error), { cause: failure.error });
    case 'unknown-outcome': {
      const cause = failure.fault === undefined ? failure.error : rebuildFailure(failure.fault);
      return new OutcomeUnknown(messageOf(failure.error), { cause });
    }
    case 'damaged':
      return new DamagedContent(failure.contentId);
    case 'late':
      return new TookTooLong(messageOf(failure.error), { cause: failure.error });
    case 'import-running':
      return new ImportRunning(messageOf(failure.error), { cause: failure.error });
    case 'unavailable':
      return new StorageUnavailable(messageOf(failure.error), { cause: failure.error });
    case 'bug':
      return new Error(messageOf(failure.error), { cause: failure.error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
