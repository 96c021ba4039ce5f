// Runs the draft of one content object: passes events to the reducer, and carries out the effects that it returns.

import type { ManagedContentBody } from '@galley/wire';
import type { Fault } from '../../api/api-error.ts';
import { reduceDraft, startDraft } from './draft-reducer.ts';
import type { DraftEffect, DraftEvent, DraftNews, DraftState, ShownDraft } from './draft-state.ts';
import type { DraftValues } from './draft-values.ts';
import type { DraftKeeper } from './kept-drafts.ts';
import type { DraftChange } from './merge-drafts.ts';

const PAUSE_MS = 1_500;
const LONGEST_MS = 20_000;
const FIRST_RETRY_MS = 4_000;
const LAST_RETRY_MS = 64_000;

/** The dependencies of a draft. */
export interface DraftOptions {
  readonly content: ManagedContentBody;
  readonly keeper: DraftKeeper;
  /** Unsaved changes from an earlier session. */
  readonly kept: readonly DraftChange[];
  readonly save: (version: number, values: DraftValues) => Promise<ManagedContentBody>;
  readonly publish: (version: number) => Promise<ManagedContentBody>;
  readonly read: () => Promise<ManagedContentBody>;
  /** Reads the content type again. @returns a function that removes the values of deleted fields */
  readonly readFit: () => Promise<(values: DraftValues) => DraftValues>;
  /** Called with each version that was saved. */
  readonly onSaved: (content: ManagedContentBody) => void;
  /** Called when the draft has closed and will not save again. */
  readonly onClosed: () => void;
}

export type Draft = ReturnType<typeof openDraft>;

export function openDraft({ content, keeper, kept, save, publish, read, readFit, onSaved, onClosed }: DraftOptions) {
  const listeners = new Set<() => void>();
  const flushes = new Set<(isSaved: boolean) => void>();
  const publishes = new Set<PromiseWithResolvers<ManagedContentBody | undefined>>();
  const timer = createSaveTimer(() => dispatch({ kind: 'save' }));
  let isLeaving = false;
  const first = startDraft(content, kept);
  let { state } = first;
  let shown = pickShown(state);
  for (const effect of first.effects) perform(effect);

  function dispatch(event: DraftEvent): void {
    const step = reduceDraft(state, event);
    state = step.state;
    const next = pickShown(state);
    if (!isShallowSame(shown, next)) {
      shown = next;
      for (const listener of listeners) listener();
    }
    for (const effect of step.effects) perform(effect);
  }

  function perform(effect: DraftEffect): void {
    switch (effect.kind) {
      case 'save':
        save(effect.version, effect.values).then(
          (answer) => dispatch({ kind: 'saved', answer }),
          (reason: unknown) => dispatch({ kind: 'save_failed', error: toError(reason) }),
        );
        break;
      case 'read':
        read().then(
          (newest) => dispatch({ kind: 'was_read', content: newest }),
          (reason: unknown) => dispatch({ kind: 'read_failed', error: toError(reason) }),
        );
        break;
      case 'read_type':
        readFit().then(
          (leaveOut) => dispatch({ kind: 'type_read', leaveOut }),
          () => dispatch({ kind: 'type_read', leaveOut: undefined }),
        );
        break;
      case 'publish':
        publish(effect.version).then(
          (published) => {
            dispatch({ kind: 'published', content: published });
            endPublishes(({ resolve }) => resolve(published));
          },
          (reason: unknown) => {
            dispatch({ kind: 'publish_failed' });
            endPublishes(({ reject }) => reject(reason));
          },
        );
        break;
      case 'not_published':
        endPublishes(({ resolve }) => resolve(undefined));
        break;
      case 'keep':
        dispatch({ kind: 'kept', hasRoom: keeper.keep(effect.changes) });
        break;
      case 'drop_kept':
        keeper.drop();
        break;
      case 'save_after_pause':
        timer.waitForPause();
        break;
      case 'save_soon':
        timer.runSoon();
        break;
      case 'retry':
        timer.tryAgain(effect.failures);
        break;
      case 'stop_timer':
        timer.stop();
        break;
      case 'announce':
        onSaved(effect.content);
        break;
      case 'rested':
        for (const resolve of flushes) resolve(state.status === 'saved');
        flushes.clear();
        break;
      case 'close':
        keeper.close();
        onClosed();
        break;
    }
  }

  function endPublishes(end: (waiting: PromiseWithResolvers<ManagedContentBody | undefined>) => void): void {
    for (const waiting of publishes) end(waiting);
    publishes.clear();
  }

  return {
    read: (): ShownDraft => shown,
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(update: (values: DraftValues) => DraftValues): void {
      const values = update(state.values);
      if (values !== state.values) dispatch({ kind: 'change', values });
    },
    /** @returns whether everything is saved now */
    flush(): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      flushes.add(resolve);
      dispatch({ kind: 'flush' });
      return promise;
    },
    /** Saves everything and publishes it. @returns undefined if something could not be saved */
    publish(): Promise<ManagedContentBody | undefined> {
      const waiting = Promise.withResolvers<ManagedContentBody | undefined>();
      publishes.add(waiting);
      dispatch({ kind: 'publish' });
      return waiting.promise;
    },
    focusFirstFault: (): void => dispatch({ kind: 'focus_fault' }),
    /** Adopts a saved version that another part of the panel received. */
    adopt: (told: ManagedContentBody): void => dispatch({ kind: 'adopt', content: told }),
    /** Shows the errors that keep the content from being published. */
    showFaults: (faults: readonly Fault[]): void => dispatch({ kind: 'show_faults', faults }),
    /** @param theirs the paths of the parts to take from the other version */
    settleContest: (theirs: Iterable<string>): void => dispatch({ kind: 'settle', theirs: [...theirs] }),
    /** Shows the stored text, unless there are unsaved changes. */
    showStored: (): void => dispatch({ kind: 'show_stored' }),
    /** Goes back to a saved version, no matter who saved it. */
    forget: (saved: ManagedContentBody = state.content): void => dispatch({ kind: 'forget', content: saved }),
    dismissNews: (): void => dispatch({ kind: 'tell', news: undefined }),
    tell: (news: DraftNews): void => dispatch({ kind: 'tell', news }),
    /** Saves the text while the page is open, and when the user leaves it. @returns a function that stops saving */
    start(): () => void {
      const saveNow = (): void => dispatch({ kind: 'save' });
      isLeaving = false;
      window.addEventListener('online', saveNow);
      document.addEventListener('visibilitychange', saveNow);
      dispatch({ kind: 'enter' });
      return () => {
        window.removeEventListener('online', saveNow);
        document.removeEventListener('visibilitychange', saveNow);
        isLeaving = true;
        // React may restart an effect right after stopping it.
        queueMicrotask(() => {
          if (isLeaving) dispatch({ kind: 'leave' });
        });
      };
    },
    /** Keeps the draft open after its last save, because somebody has come back to it. */
    stay(): void {
      isLeaving = false;
      dispatch({ kind: 'enter' });
    },
    /** Stops saving, because the user's session has ended. The text is still kept in the browser. */
    close: (): void => dispatch({ kind: 'close' }),
  };
}

function pickShown(state: DraftState): ShownDraft {
  const { content, values, status, faults, unsaved, message, contest, news, isKept, focusRequests, sanitised } = state;
  return { content, values, status, faults, unsaved, message, contest, news, isKept, focusRequests, sanitised };
}

function isShallowSame(one: object, other: object): boolean {
  const values = Object.values(other);
  return Object.values(one).every((value, index) => Object.is(value, values[index]));
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Every save adds a version to the history, so a save waits for a pause. Failed saves are retried at increasing intervals. */
function createSaveTimer(save: () => void) {
  let next: ReturnType<typeof setTimeout> | undefined;
  let longest: ReturnType<typeof setTimeout> | undefined;
  const setNext = (ms: number): void => {
    clearTimeout(next);
    next = setTimeout(save, ms);
  };
  return {
    /** Saves after a pause in typing, or after a fixed time if there is no pause. */
    waitForPause(): void {
      setNext(PAUSE_MS);
      longest ??= setTimeout(save, LONGEST_MS);
    },
    runSoon: (): void => setNext(0),
    /** @param failures the number of consecutive failed saves */
    tryAgain: (failures: number): void => setNext(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)),
    stop(): void {
      clearTimeout(next);
      clearTimeout(longest);
      longest = undefined;
    },
  };
}
