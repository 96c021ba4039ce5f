// How a draft adopts a saved version that it is not based on: one from another editor or another tab, or one that the user chose.

import type { ManagedContentBody } from '@galley/wire';
import { isSame } from '../fields/field-values.ts';
import type { DraftEvent, DraftNews, DraftState } from './draft-state.ts';
import {
  andThen,
  finish,
  isUnsaved,
  keepLocally,
  type Step,
  saveSoonIfChanged,
  stay,
  waitForPause,
} from './draft-step.ts';
import { isSameDraft, readDraftValues } from './draft-values.ts';
import { buildBase, type DraftBase, hasUnanswered, mergeDrafts, replaceSaved } from './merge-drafts.ts';

export function hear(state: DraftState, { content }: DraftEvent<'adopt'>): Step {
  if (content === state.content || content.version < state.content.version) return stay(state);
  if (state.request !== undefined) return stay({ ...state, heard: content });
  const isSameText = isSame(readDraftValues(content), state.base.known[0]);
  if (content.version === state.content.version && isSameText) return stay({ ...state, content });
  if (!isUnsaved(state)) return show(state, content);
  return andThen(merge(state, content), (each) => (each.status === 'changed' ? waitForPause(each) : stay(each)));
}

/** Merges the draft with a version that it is not based on. */
export function merge(state: DraftState, theirs: ManagedContentBody): Step {
  const { values, contested, base } = mergeDrafts(state.base, state.values, readDraftValues(theirs));
  const next: DraftState = { ...state, content: theirs, base, values, contest: undefined };
  if (contested.length > 0) {
    const contest = { theirs, parts: contested };
    return andThen(stay({ ...next, status: 'contested', contest }, { kind: 'stop_timer' }), keepLocally);
  }
  if (isSameDraft(values, base.saved)) return finish(next);
  const merged: DraftNews = { kind: 'merged', by: theirs.saved_by?.name ?? null };
  const news = isSameDraft(state.values, values) ? state.news : merged;
  return keepLocally({ ...next, status: 'changed', news });
}

/** Shows a version as the service stored it. */
function show(state: DraftState, content: ManagedContentBody): Step {
  return finish({ ...state, content, base: buildBase(content), values: readDraftValues(content), contest: undefined });
}

export function showStored(state: DraftState): Step {
  const isShown = isSameDraft(state.values, readDraftValues(state.content));
  return state.request !== undefined || isUnsaved(state) || isShown ? stay(state) : show(state, state.content);
}

/** A save in flight, or one without a response, may still reach the service. In that case, this text must be saved again afterwards. */
export function forget(state: DraftState, { content }: DraftEvent<'forget'>): Step {
  const { request } = state;
  const isNewer = content.version > state.content.version;
  const rebase = (old: DraftBase): DraftBase => (isNewer ? buildBase(content) : replaceSaved(old, content));
  const next: DraftState = {
    ...state,
    content,
    values: readDraftValues(content),
    base: rebase(state.base),
    request: request?.kind === 'save' ? { ...request, before: rebase(request.before) } : request,
    contest: undefined,
    news: undefined,
    isStrict: false,
    faults: [],
    refused: new Map(),
    unsaved: [],
    message: undefined,
  };
  const forgotten = stay(next, { kind: 'stop_timer' });
  if (request !== undefined) return andThen(forgotten, keepLocally);
  if (!hasUnanswered(next.base)) return andThen(forgotten, finish);
  return andThen(
    andThen(forgotten, (each) => keepLocally({ ...each, status: 'changed' })),
    saveSoonIfChanged,
  );
}

export function takeOver(state: DraftState, { content }: DraftEvent<'published'>): Step {
  return andThen(andThen(hear({ ...state, isPublishing: false }, { kind: 'adopt', content }), showStored), (each) =>
    stay({ ...each, news: findPublishNews(each.news, content) }),
  );
}

function findPublishNews(news: DraftNews | undefined, { warnings }: ManagedContentBody): DraftNews | undefined {
  if (warnings.length > 0) return { kind: 'url_shared', warnings };
  return news?.kind === 'url_taken' || news?.kind === 'url_shared' ? undefined : news;
}
