// The text that somebody is writing. Every change is kept in the browser at once and saved after a pause, with the version
// that it was made from. What another editor saved meanwhile is taken in, part by part; what both changed is theirs to settle.

import type { ManagedContentBody } from '@galley/wire';
import { ApiError, ConnectionError, type Fault, isConflict } from '../../api/api-error.ts';
import { describeError } from '../../forms/describe-error.ts';
import type { DraftState, SaveStatus } from './draft-state.ts';
import { type DraftValues, isSameDraft, readDraftValues, takeParts } from './draft-values.ts';
import type { DraftKeeper } from './kept-drafts.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { openSaveTimer } from './save-timer.ts';

/** Every save is a version that stays: pauses make few of them, and what is kept in the browser needs no hurry. */
const PAUSE_MS = 1_500;
const RETRY_MS = 4_000;

/** What further typing does not change. */
const STEADY: ReadonlySet<SaveStatus> = new Set(['contested', 'saving', 'offline']);

export interface DraftOptions {
  readonly content: ManagedContentBody;
  readonly keeper: DraftKeeper;
  readonly save: (version: number, values: DraftValues) => Promise<ManagedContentBody>;
  readonly read: () => Promise<ManagedContentBody>;
  /** Called with each version that was saved. */
  readonly onSaved: (content: ManagedContentBody) => void;
}

export type Draft = ReturnType<typeof openDraft>;

export function openDraft({ content, keeper, save, read, onSaved }: DraftOptions) {
  const listeners = new Set<() => void>();
  const timer = openSaveTimer(() => void saveNow());
  let running: Promise<void> | undefined;
  /** After a refused publish, everything that is in its way is shown until it is mended. */
  let isStrict = false;
  let state: DraftState = {
    content,
    saved: readDraftValues(content),
    values: readDraftValues(content),
    status: 'saved',
    faults: [],
    message: undefined,
    contest: undefined,
    news: undefined,
    isKept: true,
    focusRequests: 0,
  };
  putBack();

  function set(change: Partial<DraftState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function isChanged(): boolean {
    return !isSameDraft(state.values, state.saved);
  }

  function putBack(): void {
    const kept = keeper.read();
    if (kept === undefined) return;
    if (isSameDraft(kept.values, state.saved)) {
      keeper.drop();
    } else if (kept.version === content.version) {
      state = { ...state, values: kept.values, status: 'changed', news: { kind: 'restored' } };
    } else {
      state = { ...state, saved: kept.saved, values: kept.values, status: 'changed' };
      takeIn(content);
    }
  }

  function keepLocally(): boolean {
    const { saved, values } = state;
    return keeper.keep({ version: state.content.version, saved, values });
  }

  function change(update: (values: DraftValues) => DraftValues): void {
    const values = update(state.values);
    if (values === state.values) return;
    state = { ...state, values };
    set({ isKept: keepLocally(), status: STEADY.has(state.status) ? state.status : 'changed' });
    if (state.status !== 'contested') timer.set(PAUSE_MS);
  }

  /** Another version than the one this was made from: what can be joined is joined. */
  function takeIn(theirs: ManagedContentBody): void {
    const { values, contested } = mergeDrafts(state.saved, state.values, readDraftValues(theirs));
    if (contested.length > 0) {
      set({ status: 'contested', values, contest: { theirs, parts: contested } });
      return;
    }
    const news = { kind: 'merged', by: theirs.saved_by?.name ?? null } as const;
    set({ content: theirs, saved: readDraftValues(theirs), values, status: 'changed', contest: undefined, news });
    if (isChanged()) keepLocally();
    else settle();
  }

  function settle(): void {
    keeper.drop();
    set({ status: 'saved', faults: isStrict ? state.content.faults : [], message: undefined });
  }

  function saveNow(): Promise<void> {
    timer.clear();
    running ??= saveOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function saveOnce(): Promise<void> {
    if (state.status === 'contested') return;
    if (!isChanged()) return settle();
    const sent = state.values;
    if (state.status !== 'offline') set({ status: 'saving' });
    try {
      const answer = await save(state.content.version, sent);
      const faults = isStrict ? answer.faults : [];
      set({ content: answer, saved: sent, faults, message: undefined, contest: undefined });
      onSaved(answer);
      if (!isChanged()) return settle();
      set({ status: 'changed' });
      keepLocally();
    } catch (error) {
      await showFailure(error);
    }
  }

  async function showFailure(error: unknown): Promise<void> {
    if (error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500)) {
      set({ status: 'offline' });
      return timer.set(RETRY_MS);
    }
    if (isConflict(error) && typeof error.details.current_version === 'number') {
      try {
        takeIn(await read());
        if (state.status === 'changed') timer.set(0);
      } catch {
        set({ status: 'offline' });
        timer.set(RETRY_MS);
      }
      return;
    }
    if (!(error instanceof Error)) throw error;
    const faults = error instanceof ApiError ? error.faults : [];
    set({ status: 'refused', faults, message: faults.length > 0 ? undefined : describeError(error) });
  }

  return {
    read: (): DraftState => state,
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change,
    /** @returns whether everything that was written is saved now */
    async flush(): Promise<boolean> {
      do await saveNow();
      while (state.status === 'changed');
      if (state.status === 'refused') set({ focusRequests: state.focusRequests + 1 });
      return state.status === 'saved';
    },
    /** What is known of the saved content from elsewhere. */
    adopt(known: ManagedContentBody): void {
      if (known === state.content || known.version < state.content.version || state.status === 'contested') return;
      const isNewer = known.version > state.content.version;
      if (isNewer && isChanged()) {
        takeIn(known);
      } else if (isNewer) {
        const values = readDraftValues(known);
        set({ content: known, saved: values, values, faults: isStrict ? known.faults : [] });
      } else {
        set({ content: known });
      }
    },
    /** Shows what keeps the content from being published. */
    showFaults(faults: readonly Fault[]): void {
      isStrict = true;
      set({ faults, focusRequests: state.focusRequests + 1 });
    },
    /** @param theirs the paths of the parts that are taken from the other version */
    settleContest(theirs: Iterable<string>): void {
      const { contest, values } = state;
      if (contest === undefined) return;
      const other = readDraftValues(contest.theirs);
      const settled = takeParts(values, other, theirs);
      set({ content: contest.theirs, saved: other, values: settled, status: 'changed', contest: undefined });
      keepLocally();
      void saveNow();
    },
    /** Goes back to what was saved last. */
    forget(): void {
      timer.clear();
      keeper.drop();
      const values = readDraftValues(state.content);
      set({ values, saved: values, status: 'saved', news: undefined, faults: [], message: undefined });
    },
    dismissNews: (): void => set({ news: undefined }),
    /** Saves while the page is open, and when it is left. @returns stops that */
    start(): () => void {
      const saveSoon = (): void => void saveNow();
      window.addEventListener('online', saveSoon);
      document.addEventListener('visibilitychange', saveSoon);
      if (state.status === 'changed') timer.set(0);
      return () => {
        window.removeEventListener('online', saveSoon);
        document.removeEventListener('visibilitychange', saveSoon);
        void saveNow().then(timer.clear);
      };
    },
  };
}
