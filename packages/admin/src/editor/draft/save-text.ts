// Sends text to the service, and handles each possible response.

import type { ManagedContentBody } from '@galley/wire';
import { ApiError, ConnectionError, type Fault, isConflict } from '../../api/api-error.ts';
import { describeError } from '../../forms/describe-error.ts';
import { isSame } from '../fields/field-values.ts';
import type {
  DraftEffect,
  DraftEvent,
  DraftNews,
  DraftRequest,
  DraftState,
  SanitisedText,
  ShownDraft,
} from './draft-state.ts';
import {
  andThen,
  finish,
  impossible,
  keepIfSame,
  keepLocally,
  type Step,
  saveSoonIfChanged,
  stay,
  wait,
  waitForPause,
} from './draft-step.ts';
import {
  type DraftValues,
  findPart,
  isSameDraft,
  listDifferences,
  listParts,
  readAt,
  readDraftValues,
  takeParts,
} from './draft-values.ts';
import { addSent, dropUnanswered, hasUnanswered } from './merge-drafts.ts';
import { merge } from './take-version.ts';

export function saveNow(state: DraftState): Step {
  return andThen(stay(state, { kind: 'stop_timer' }), send);
}

function send(state: DraftState): Step {
  if (state.request !== undefined || state.isClosed) return stay(state);
  const { base, values, content } = state;
  const refused = dropCorrected(state.refused, values);
  const sent = takeParts(values, base.saved, refused.keys());
  if (isSameDraft(sent, base.saved)) return checkUnanswered({ ...state, refused });
  // Recorded now, because the page may be closed before the response arrives. If it is, the next editor
  // must not mistake this text for somebody else's.
  const next: DraftState = { ...state, refused, base: addSent(base, sent) };
  const effect: DraftEffect = { kind: 'save', version: content.version, values: sent };
  return ask(next, { kind: 'save', sent, before: base }, effect);
}

/** The form has nothing left to save, but the service may have stored text that has since been changed back. */
function checkUnanswered(state: DraftState): Step {
  return hasUnanswered(state.base) ? ask(state, { kind: 'read', why: 'unanswered' }, { kind: 'read' }) : rest(state);
}

/** During a retry, the status stays `offline` or `failing`. */
function ask(state: DraftState, request: DraftRequest, effect: DraftEffect): Step {
  const isRetry = state.status === 'offline' || state.status === 'failing';
  return stay({ ...state, request, status: isRetry ? state.status : 'saving' }, effect);
}

function rest(state: DraftState): Step {
  if (isSameDraft(state.values, state.base.saved)) return finish(state);
  return keepLocally({ ...state, status: 'refused', unsaved: [...state.refused.keys()], message: undefined });
}

export function accept(state: DraftState, { answer }: DraftEvent<'saved'>): Step {
  if (state.request?.kind !== 'save') return impossible(state);
  const { sent } = state.request;
  const isRefused = isAbout(state.refused);
  const inTheWay = state.isStrict ? answer.faults.filter((fault) => !isRefused(fault)) : [];
  const refused = dropCorrected(state.refused, state.values);
  const next: DraftState = {
    ...state,
    request: undefined,
    failures: 0,
    content: answer,
    base: { saved: sent, known: [readDraftValues(answer)] },
    faults: keepIfSame(state.faults, [...state.faults.filter(isRefused), ...inTheWay]),
    refused,
    message: undefined,
    news: findNews(state, answer, sent),
    sanitised: answer.sanitised,
  };
  return andThen(stay(next, { kind: 'announce', content: answer }), (each) =>
    isSameDraft(takeParts(each.values, sent, refused.keys()), sent)
      ? rest(each)
      : andThen(keepLocally({ ...each, status: 'changed' }), waitForPause),
  );
}

/** A report that the editor has dismissed does not come back on every save of the same field. */
function findNews(
  { news, sanitised }: DraftState,
  answer: ManagedContentBody,
  sent: DraftValues,
): DraftNews | undefined {
  const isDismissed = news?.kind !== 'sanitised' && isSame(sanitised, answer.sanitised);
  if (answer.sanitised.length > 0 && !isDismissed) {
    return { kind: 'sanitised', texts: listSanitised(answer.sanitised, answer, sent) };
  }
  const isOver =
    (news?.kind === 'sanitised' && answer.sanitised.length === 0) ||
    (news?.kind === 'url_taken' && answer.path !== news.path);
  return isOver ? undefined : news;
}

function listSanitised(
  paths: readonly string[],
  content: ManagedContentBody,
  sent: DraftValues,
): readonly SanitisedText[] {
  const stored = readDraftValues(content);
  return paths.map((path) => ({
    path,
    sent: String(readAt(sent, path) ?? ''),
    stored: String(readAt(stored, path) ?? ''),
  }));
}

/** The saved texts that the form shows as they were before the service sanitised them. */
export function listNotShown({ status, unsaved, sanitised, content, values }: ShownDraft): readonly SanitisedText[] {
  if (status !== 'saved' && status !== 'refused') return [];
  return listSanitised(sanitised, content, values).filter(
    ({ path, sent, stored }) => sent !== stored && !unsaved.includes(findPart(path) ?? ''),
  );
}

export function explain(state: DraftState, { error }: DraftEvent<'save_failed'>): Step {
  if (state.request?.kind !== 'save') return impossible(state);
  if (isPassing(error)) return tryLater(state, error);
  const { sent, before } = state.request;
  // The service rejected the save, so the sent values were not stored.
  const next: DraftState = { ...state, base: before };
  if (isConflict(error) && typeof error.details.current_version === 'number') {
    return ask(next, { kind: 'read', why: 'conflict' }, { kind: 'read' });
  }
  if (error instanceof ApiError && error.status === 422) {
    return ask(next, { kind: 'read_type', error, sent }, { kind: 'read_type' });
  }
  return refuse(next, error, sent);
}

/** If the service named the parts that it refused, saves the others. */
function refuse(state: DraftState, error: Error, sent: DraftValues): Step {
  const faults = error instanceof ApiError ? error.faults : [];
  const refused = setAside(state.refused, faults, sent, state.base.saved);
  const next: DraftState = { ...state, request: undefined, failures: 0 };
  if (refused !== undefined) {
    const paths = new Set(faults.map(({ path }) => path));
    return send({ ...next, refused, faults: [...state.faults.filter(({ path }) => !paths.has(path)), ...faults] });
  }
  const message = faults.length > 0 ? undefined : describeError(error);
  return keepLocally({ ...next, status: 'refused', faults, unsaved: [], message });
}

function tryLater(state: DraftState, error: Error): Step {
  const isOffline = error instanceof ConnectionError;
  const failures = state.failures + 1;
  return wait(
    {
      ...state,
      request: undefined,
      failures,
      status: isOffline ? 'offline' : 'failing',
      message: isOffline ? undefined : describeError(error),
    },
    { kind: 'retry', failures: isOffline ? 1 : failures },
  );
}

export function mergeNewest(state: DraftState, { content }: DraftEvent<'was_read'>): Step {
  if (state.request?.kind !== 'read') return impossible(state);
  const next: DraftState = { ...state, request: undefined };
  if (content.version > state.content.version) return andThen(merge(next, content), saveSoonIfChanged);
  if (state.request.why === 'conflict') return tryLater(state, new ApiError(503, undefined));
  return send({ ...next, base: dropUnanswered(state.base) });
}

export function notRead(state: DraftState, { error }: DraftEvent<'read_failed'>): Step {
  return isPassing(error) ? tryLater(state, error) : refuse(state, error, state.values);
}

export function dropDeleted(state: DraftState, { leaveOut }: DraftEvent<'type_read'>): Step {
  if (state.request?.kind !== 'read_type') return impossible(state);
  const { base, values, request } = state;
  const fitting = leaveOut?.(values) ?? values;
  const paths = listDifferences(values, fitting);
  if (leaveOut === undefined || paths.length === 0) return refuse(state, request.error, request.sent);
  const next: DraftState = {
    ...state,
    request: undefined,
    base: { saved: leaveOut(base.saved), known: base.known.map(leaveOut) },
    values: fitting,
    status: 'changed',
    news: { kind: 'left_out', paths },
  };
  return andThen(keepLocally(next), saveSoonIfChanged);
}

/** A retry may succeed if there was no connection, the service had an internal error, or there were too many requests. */
function isPassing(error: Error): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429))
  );
}

type RefusedParts = ReadonlyMap<string, unknown>;

function isAbout(refused: RefusedParts): (fault: Fault) => boolean {
  return ({ path }) => refused.has(findPart(path) ?? '');
}

/** Removes parts that have changed since they were refused. */
function dropCorrected(refused: RefusedParts, values: DraftValues): RefusedParts {
  const parts = listParts(values);
  return new Map([...refused].filter(([path, value]) => isSame(parts.get(path), value)));
}

/** Adds the parts with errors. @returns undefined if an error is not in a changed part, because then omitting parts would not help */
function setAside(
  refused: RefusedParts,
  faults: readonly Fault[],
  sent: DraftValues,
  stored: DraftValues,
): RefusedParts | undefined {
  const changed = new Set(listDifferences(stored, sent));
  const paths = faults.map(({ path }) => findPart(path) ?? '');
  if (paths.length === 0 || paths.some((path) => !changed.has(path))) return undefined;
  const parts = listParts(sent);
  return new Map([...refused, ...paths.map((path): [string, unknown] => [path, parts.get(path)])]);
}
