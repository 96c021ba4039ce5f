// The text that somebody is writing. Every change is kept in the browser at once and saved after a pause, with the newest
// version that it has taken in. A part that the service refuses does not keep the others from being saved. What another
// editor saved meanwhile is taken in, part by part; what both changed is theirs to settle. A draft that is left before
// everything is saved goes on until it is.

import type { ManagedContentBody } from '@galley/wire';
import { ApiError, ConnectionError, type Fault, isConflict } from '../../api/api-error.ts';
import { describeError } from '../../forms/describe-error.ts';
import { addSent, buildBase, type DraftBase } from './draft-base.ts';
import { layChanges, listChanges } from './draft-changes.ts';
import type { DraftOptions } from './draft-options.ts';
import type { DraftNews, DraftState, SanitisedText, SaveStatus } from './draft-state.ts';
import {
  type DraftValues,
  isSame,
  isSameDraft,
  listDifferences,
  readAt,
  readDraftValues,
  takeParts,
} from './draft-values.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { createRefusedParts } from './refused-parts.ts';
import { createSaveTimer } from './save-timer.ts';

/** What further typing does not change: it is tried again by itself, or waits for a decision. */
const STEADY: ReadonlySet<SaveStatus> = new Set(['contested', 'saving', 'offline', 'failing']);

export type Draft = ReturnType<typeof openDraft>;

export function openDraft({ content, keeper, kept, save, read, readFit, onSaved, onClosed }: DraftOptions) {
  const listeners = new Set<() => void>();
  const timer = createSaveTimer(() => void saveNow());
  const refused = createRefusedParts();
  let running: Promise<void> | undefined;
  /** What was told of the saved content while a save was under way. */
  let heard: ManagedContentBody | undefined;
  let failures = 0;
  let sanitised: readonly string[] = [];
  /** After a refused publish, everything that is in its way is shown until it is mended. */
  let isStrict = false;
  let isLeft = false;
  let isClosed = false;
  let state: DraftState = {
    content,
    base: buildBase(content),
    values: readDraftValues(content),
    status: 'saved',
    faults: [],
    unsaved: [],
    message: undefined,
    contest: undefined,
    news: undefined,
    isKept: true,
    focusRequests: 0,
  };
  if (kept.length > 0) putBack();

  function set(change: Partial<DraftState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function isChanged(): boolean {
    return !isSameDraft(state.values, state.base.saved);
  }

  function putBack(): void {
    set(layChanges(readDraftValues(content), kept));
    takeIn(content);
    if (state.status === 'changed') set({ news: { kind: 'restored' } });
  }

  function keepLocally(): void {
    const changes = listChanges(state.base, state.values);
    if (changes.length === 0) keeper.drop();
    set({ isKept: changes.length === 0 || keeper.keep(changes) });
  }

  function change(update: (values: DraftValues) => DraftValues): void {
    const values = update(state.values);
    if (isClosed || values === state.values) return;
    const faults = state.faults.filter(({ path }) => isSame(readAt(state.values, path), readAt(values, path)));
    set({
      values,
      faults: keepIfSame(state.faults, faults),
      status: STEADY.has(state.status) ? state.status : 'changed',
    });
    keepLocally();
    if (state.status === 'changed' || state.status === 'saving') timer.waitForPause();
  }

  /** Another version than the one this was made from: what can be joined is joined. */
  function takeIn(theirs: ManagedContentBody): void {
    const before = state.values;
    const { values, contested, base } = mergeDrafts(state.base, before, readDraftValues(theirs));
    const isContested = contested.length > 0;
    set({ content: theirs, base, values, contest: isContested ? { theirs, parts: contested } : undefined });
    if (!isChanged()) {
      settle();
      return;
    }
    keepLocally();
    if (isContested) timer.stop();
    const isJoined = !isContested && !isSameDraft(before, values);
    const news: DraftNews = { kind: 'merged', by: theirs.saved_by?.name ?? null };
    set({ status: isContested ? 'contested' : 'changed', ...(isJoined ? { news } : {}) });
  }

  /** The form as the service has it. */
  function show(saved: ManagedContentBody): void {
    set({ content: saved, base: buildBase(saved), values: readDraftValues(saved), contest: undefined });
    settle();
  }

  function settle(): void {
    keeper.drop();
    refused.clear();
    const faults = isStrict ? state.content.faults : [];
    set({ status: 'saved', faults, unsaved: [], message: undefined, isKept: true });
    if (isLeft) close();
  }

  function adopt(told: ManagedContentBody): void {
    if (told === state.content || told.version < state.content.version) return;
    if (running !== undefined) {
      heard = told;
    } else if (told.version === state.content.version && isSame(readDraftValues(told), state.base.known[0])) {
      set({ content: told });
    } else if (isChanged()) {
      takeIn(told);
      if (state.status === 'changed') timer.waitForPause();
    } else {
      show(told);
    }
  }

  function saveNow(): Promise<void> {
    timer.stop();
    running ??= saveOnce().finally(() => {
      running = undefined;
      const told = heard;
      heard = undefined;
      if (told !== undefined) adopt(told);
    });
    return running;
  }

  async function saveAll(): Promise<void> {
    do await saveNow();
    while (state.status === 'changed' && !isClosed);
  }

  async function saveOnce(): Promise<void> {
    if (isClosed || state.status === 'contested') return;
    if (!isChanged()) return settle();
    const { base } = state;
    const sent = refused.leaveOut(state.values, base.saved);
    if (isSameDraft(sent, base.saved)) return showRefused();
    // Before it is answered: whoever writes on and closes the page must not meet their own words as another's.
    set({ base: addSent(base, sent) });
    if (state.status !== 'offline' && state.status !== 'failing') set({ status: 'saving' });
    try {
      takeAnswer(await save(state.content.version, sent), sent);
    } catch (error) {
      await showFailure(error, base, sent);
    }
  }

  function showRefused(): void {
    set({ status: 'refused', unsaved: refused.list(), message: undefined });
    keepLocally();
  }

  function takeAnswer(answer: ManagedContentBody, sent: DraftValues): void {
    failures = 0;
    const base = { saved: sent, known: [readDraftValues(answer)] };
    const inTheWay = isStrict ? answer.faults.filter((fault) => !refused.isAbout(fault)) : [];
    const faults = [...state.faults.filter(refused.isAbout), ...inTheWay];
    set({
      content: answer,
      base,
      faults: keepIfSame(state.faults, faults),
      message: undefined,
      news: findNews(answer, sent),
    });
    onSaved(answer);
    if (isChanged() && isSameDraft(refused.leaveOut(state.values, base.saved), base.saved)) {
      showRefused();
    } else if (isChanged()) {
      set({ status: 'changed' });
      keepLocally();
      timer.waitForPause();
    } else {
      settle();
    }
  }

  /** Said once, not with every save of a text that stays as it is. */
  function findNews(answer: ManagedContentBody, sent: DraftValues): DraftNews | undefined {
    const isSaid = isSame(sanitised, answer.sanitised);
    sanitised = answer.sanitised;
    if (sanitised.length > 0 && !isSaid) return { kind: 'sanitised', texts: listSanitised(answer, sent) };
    const { news } = state;
    const isOver =
      (news?.kind === 'sanitised' && sanitised.length === 0) ||
      (news?.kind === 'url_taken' && answer.path !== news.path);
    return isOver ? undefined : news;
  }

  async function showFailure(error: unknown, before: DraftBase, sent: DraftValues): Promise<void> {
    if (isPassing(error)) return tryLater(error);
    // An answer tells that what was sent is not stored.
    set({ base: before });
    if (isConflict(error) && typeof error.details.current_version === 'number') return meet();
    if (error instanceof ApiError && error.status === 422 && (await leaveOutLost())) return timer.runSoon();
    if (!(error instanceof Error)) throw error;
    failures = 0;
    const faults = error instanceof ApiError ? error.faults : [];
    if (refused.setAside(faults, sent, state.base.saved)) {
      const paths = new Set(faults.map(({ path }) => path));
      set({ faults: [...state.faults.filter(({ path }) => !paths.has(path)), ...faults] });
      return saveOnce();
    }
    set({ status: 'refused', faults, unsaved: [], message: faults.length > 0 ? undefined : describeError(error) });
    keepLocally();
  }

  function tryLater(error: Error): void {
    failures += 1;
    const isOffline = error instanceof ConnectionError;
    set(isOffline ? { status: 'offline', message: undefined } : { status: 'failing', message: describeError(error) });
    timer.tryAgain(isOffline ? 1 : failures);
  }

  /** Somebody else has saved. */
  async function meet(): Promise<void> {
    try {
      const theirs = await read();
      if (theirs.version <= state.content.version) return tryLater(new ApiError(503, undefined));
      takeIn(theirs);
      if (state.status === 'changed') timer.runSoon();
    } catch (error) {
      await showFailure(error, state.base, state.values);
    }
  }

  /** @returns whether there were values of fields that are gone */
  async function leaveOutLost(): Promise<boolean> {
    const leaveOut = await readFit().catch(() => undefined);
    if (leaveOut === undefined) return false;
    const { base, values } = state;
    const fitting = leaveOut(values);
    const paths = listDifferences(values, fitting);
    if (paths.length === 0) return false;
    const fittingBase = { saved: leaveOut(base.saved), known: base.known.map(leaveOut) };
    set({ base: fittingBase, values: fitting, status: 'changed', news: { kind: 'left_out', paths } });
    keepLocally();
    return true;
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    timer.stop();
    keeper.close();
    onClosed();
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
      // What was refused may be possible by now.
      refused.clear();
      await saveAll();
      return state.status === 'saved';
    },
    focusFirstFault: (): void => set({ focusRequests: state.focusRequests + 1 }),
    /** What is known of the saved content from elsewhere. */
    adopt,
    /** Shows what keeps the content from being published. */
    showFaults(faults: readonly Fault[]): void {
      isStrict = true;
      set({ faults, focusRequests: state.focusRequests + 1 });
    },
    /** @param theirs the paths of the parts that are taken from the other version */
    settleContest(theirs: Iterable<string>): void {
      if (state.contest === undefined) return;
      const base = buildBase(state.content);
      const values = takeParts(state.values, base.saved, theirs);
      set({ base, values, status: 'changed', contest: undefined });
      keepLocally();
      void saveNow();
    },
    /** Shows the text as it is stored, unless something was written since it was saved. */
    showStored(): void {
      const isShown = isSameDraft(state.values, readDraftValues(state.content));
      if (running === undefined && !isChanged() && !isShown) show(state.content);
    },
    /** Goes back to what was saved, by whomever. */
    forget(saved: ManagedContentBody = state.content): void {
      timer.stop();
      isStrict = false;
      set({ news: undefined });
      show(saved);
    },
    dismissNews: (): void => set({ news: undefined }),
    tell: (news: DraftNews): void => set({ news }),
    /** Saves while the page is open, and when it is left. @returns stops that */
    start(): () => void {
      const saveSoon = (): void => void saveNow();
      isLeft = false;
      window.addEventListener('online', saveSoon);
      document.addEventListener('visibilitychange', saveSoon);
      if (isChanged() && state.status !== 'contested') timer.runSoon();
      return () => {
        window.removeEventListener('online', saveSoon);
        document.removeEventListener('visibilitychange', saveSoon);
        isLeft = true;
        // React may take up again at once what it has just left.
        queueMicrotask(() => {
          if (isLeft) void saveAll();
        });
      };
    },
    /** Is not closed by what is still under way, as somebody comes back to it. */
    stay(): void {
      isLeft = false;
    },
    /** Saves nothing more, as whoever wrote this has gone. What is kept in the browser stays there. */
    close,
  };
}

function listSanitised(answer: ManagedContentBody, sent: DraftValues): readonly SanitisedText[] {
  const stored = readDraftValues(answer);
  return answer.sanitised.map((path) => ({
    path,
    sent: String(readAt(sent, path) ?? ''),
    stored: String(readAt(stored, path) ?? ''),
  }));
}

/** What a second try can mend: no connection, a fault of the service, too many calls. */
function isPassing(error: unknown): error is Error {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429))
  );
}

/** New faults are shown by every input of the form, so a long list would slow down writing. */
function keepIfSame(before: readonly Fault[], after: readonly Fault[]): readonly Fault[] {
  return isSame(before, after) ? before : after;
}
