import type { ManagedContentBody } from '@galley/wire';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { CONTENT } from './draft-desk.fixture.ts';
import { reduceDraft, startDraft } from './draft-reducer.ts';
import type { DraftEffect, DraftEvent, SaveStatus } from './draft-state.ts';
import type { Step } from './draft-step.ts';
import { type DraftValues, layParts, listParts, readDraftValues } from './draft-values.ts';
import type { DraftChange } from './merge-drafts.ts';
import { listNotShown } from './save-text.ts';

export const PARTS = ['name', 'fields.title', 'fields.lead'] as const;
type Part = (typeof PARTS)[number];
export type Quality = 'good' | 'bad' | 'html';

/** The outcome of a call. `arrive`: the service has received it, and the response is on its way. */
export type Outcome = 'arrive' | 'answer' | 'lose' | 'lose_answer' | 'fail';

/** One event in the model. A number selects one of the calls in flight at that time. */
export type Happening =
  | { readonly kind: 'write'; readonly part: Part; readonly quality: Quality }
  | { readonly kind: 'write_back'; readonly part: Part }
  | { readonly kind: 'other_saves'; readonly part: Part }
  | { readonly kind: 'settle'; readonly theirs: readonly Part[] }
  | { readonly kind: Outcome; readonly which: number }
  | { readonly kind: 'reload'; readonly isSent: boolean }
  | {
      readonly kind:
        | 'timer'
        | 'online'
        | 'flush'
        | 'publish'
        | 'hear'
        | 'forget'
        | 'show_stored'
        | 'enter'
        | 'leave'
        | 'close'
        | 'delete_field';
    };

interface Call {
  readonly effect: Extract<DraftEffect, { readonly kind: 'save' | 'read' | 'read_type' | 'publish' }>;
  /** Set once the service has received the call. */
  answer: DraftEvent | undefined;
}

/**
 * A small model of the service, the browser and another editor, for testing one draft. It throws as soon as the draft violates a guarantee.
 */
export function createWorld() {
  const versions: { readonly content: ManagedContentBody; readonly isMine: boolean }[] = [];
  let texts = 0;
  let memory: readonly DraftChange[] = [];
  let calls: Call[] = [];
  let isTimerSet = false;
  let isFieldDeleted = false;
  /** The last text that the editor wrote in each part and has not since discarded. */
  const written = new Map<Part, string>();
  /** The other editor's text that this editor saw and then overwrote or rejected. */
  const replaced = new Set<string>();
  const reached = new Set<SaveStatus>();

  const newest = (): ManagedContentBody => versions.at(-1)?.content ?? CONTENT;
  const store = (values: DraftValues, isMine: boolean): ManagedContentBody => {
    const content: ManagedContentBody = {
      ...newest(),
      ...values,
      slug: values.slug ?? newest().slug,
      version: versions.length + 1,
      saved_by: isMine ? null : { id: 'p_2', name: 'Edgar' },
    };
    versions.push({ content, isMine });
    return content;
  };
  const checkedParts = (): readonly Part[] => PARTS.filter((each) => !isFieldDeleted || each !== 'fields.lead');
  const holds = (content: ManagedContentBody, path: Part, text: string): boolean =>
    clean(text) === readText(readDraftValues(content), path);

  store({ ...readDraftValues(CONTENT), fields: { title: { text: 't0' }, lead: { text: 'l0' } } }, true);
  let { state } = startDraft(newest(), []);
  const opened = readDraftValues(newest());

  function take(step: Step): void {
    state = step.state;
    reached.add(state.status);
    for (const effect of step.effects) perform(effect);
  }

  function dispatch(event: DraftEvent): void {
    take(reduceDraft(state, event));
    check();
  }

  function perform(effect: DraftEffect): void {
    switch (effect.kind) {
      case 'publish':
        checkPublish(effect.version);
        calls.push({ effect, answer: undefined });
        return;
      case 'save':
      case 'read':
      case 'read_type':
        calls.push({ effect, answer: undefined });
        return;
      case 'keep':
        memory = effect.changes;
        take(reduceDraft(state, { kind: 'kept', hasRoom: true }));
        return;
      case 'drop_kept':
        memory = [];
        return;
      case 'save_after_pause':
      case 'save_soon':
      case 'retry':
        isTimerSet = true;
        return;
      case 'stop_timer':
        isTimerSet = false;
    }
  }

  /** Processes a call as the service would. */
  function receive(call: Call): DraftEvent {
    const { effect } = call;
    switch (effect.kind) {
      case 'read':
        return { kind: 'was_read', content: newest() };
      case 'read_type':
        return { kind: 'type_read', leaveOut: isFieldDeleted ? leaveOutLead : (values) => values };
      case 'publish':
        if (effect.version !== newest().version) return { kind: 'publish_failed' };
        return { kind: 'published', content: { ...newest(), state: 'published', published_version: effect.version } };
      case 'save': {
        const isWrong = (path: Part): boolean =>
          readText(effect.values, path)?.startsWith('bad') === true ||
          (isFieldDeleted && path === 'fields.lead' && readText(effect.values, path) !== undefined);
        const errors = PARTS.filter(isWrong).map((path) => ({ path, message: 'is wrong' }));
        if (errors.length > 0) return { kind: 'save_failed', error: new ApiError(422, { message: 'No.', errors }) };
        if (effect.version !== newest().version) {
          const details = { current_version: newest().version };
          return { kind: 'save_failed', error: new ApiError(409, { message: 'Conflict.', details }) };
        }
        checkReplaced(effect.values);
        const cleaned = PARTS.map((path) => [path, buildPart(path, clean(readText(effect.values, path)))] as const);
        const stored = store(layParts(effect.values, cleaned), true);
        const sanitised = PARTS.filter((path) => readText(effect.values, path)?.includes('<iframe>') === true);
        return { kind: 'saved', answer: { ...stored, sanitised: sanitised.map(buildTextPath) } };
      }
    }
  }

  function finishCall(call: Call, event: DraftEvent): void {
    calls = calls.filter((each) => each !== call);
    dispatch(event);
  }

  function write(path: Part, text: string): void {
    if (state.isClosed) return;
    replaced.add(`${path} ${readText(state.values, path)}`);
    written.set(path, text);
    dispatch({ kind: 'change', values: layParts(state.values, [[path, buildPart(path, text)]]) });
  }

  function settle(chosen: readonly Part[]): void {
    const contested = new Map(state.contest?.parts.map(({ path, theirs }) => [path, theirs]));
    for (const [path, theirs] of contested)
      replaced.add(`${path} ${readText(layParts(opened, [[path, theirs]]), path)}`);
    const theirs = chosen.filter((path) => contested.has(path));
    for (const path of theirs) written.delete(path);
    dispatch({ kind: 'settle', theirs });
  }

  /** @param isSent whether the service still receives the calls that the old page made */
  function reload(isSent = false): void {
    for (const call of calls) if (isSent && call.answer === undefined) receive(call);
    calls = [];
    isTimerSet = false;
    take(startDraft(newest(), memory));
    dispatch({ kind: 'enter' });
  }

  function deleteField(): void {
    isFieldDeleted = true;
    const last = versions.at(-1);
    if (last !== undefined) {
      const { fields } = leaveOutLead(readDraftValues(last.content));
      versions.splice(-1, 1, { ...last, content: { ...last.content, fields } });
    }
  }

  function happen(what: Happening): void {
    switch (what.kind) {
      case 'write': {
        texts += 1;
        const text = { good: `m${texts}`, bad: `bad${texts}`, html: `m${texts}<iframe>` }[what.quality];
        if (!isFieldDeleted || what.part !== 'fields.lead') write(what.part, text);
        return;
      }
      case 'write_back':
        if (!isFieldDeleted || what.part !== 'fields.lead')
          write(what.part, readText(readDraftValues(state.content), what.part) ?? '');
        return;
      case 'other_saves':
        texts += 1;
        if (isFieldDeleted && what.part === 'fields.lead') return;
        store(layParts(readDraftValues(newest()), [[what.part, buildPart(what.part, `e${texts}`)]]), false);
        return;
      case 'settle':
        settle(what.theirs);
        return;
      case 'arrive':
      case 'answer':
      case 'lose':
      case 'lose_answer':
      case 'fail': {
        const call = calls[what.which % Math.max(1, calls.length)];
        if (call !== undefined) answerCall(call, what.kind);
        return;
      }
      case 'reload':
        reload(what.isSent);
        return;
      case 'timer':
        if (!isTimerSet) return;
        isTimerSet = false;
        dispatch({ kind: 'save' });
        return;
      case 'online':
        dispatch({ kind: 'save' });
        return;
      case 'hear':
        dispatch({ kind: 'adopt', content: { ...newest() } });
        return;
      case 'forget':
        written.clear();
        dispatch({ kind: 'forget', content: state.content });
        return;
      case 'delete_field':
        deleteField();
        return;
      case 'flush':
      case 'publish':
      case 'show_stored':
      case 'enter':
      case 'leave':
      case 'close':
        dispatch({ kind: what.kind });
    }
  }

  function answerCall(call: Call, how: Outcome): void {
    if (how === 'arrive' || how === 'answer' || how === 'lose_answer') call.answer ??= receive(call);
    // Once the service has received a call, the call can no longer fail with 503, but the response may still be lost.
    if (how === 'arrive' || (how === 'fail' && call.answer !== undefined)) return;
    const error = how === 'fail' ? new ApiError(503, { message: 'Not now.' }) : new ConnectionError('lost');
    const failed: Record<Call['effect']['kind'], DraftEvent> = {
      save: { kind: 'save_failed', error },
      read: { kind: 'read_failed', error },
      read_type: { kind: 'type_read', leaveOut: undefined },
      publish: { kind: 'publish_failed' },
    };
    finishCall(call, how === 'answer' && call.answer !== undefined ? call.answer : failed[call.effect.kind]);
  }

  /** @param promise a condition that must be true after every event */
  function ensure(holdsNow: boolean, promise: string): void {
    if (holdsNow) return;
    const { status, request, content, isClosed } = state;
    const known = { status, request: request?.kind, known: content.version, newest: newest().version, isClosed };
    throw new Error(`${promise}: ${JSON.stringify({ ...known, texts: readTexts(state.values), memory })}`);
  }

  function check(): void {
    const { status, request, contest, wish, isClosed } = state;
    const asked = calls.filter(({ effect }) => effect.kind !== 'publish').length;
    ensure(asked === (request === undefined ? 0 : 1), 'sends one request at a time');
    ensure(request === undefined || ['saving', 'offline', 'failing'].includes(status), 'the status shows the request');
    ensure(status !== 'saving' || request !== undefined || isClosed, 'saving means that a request is in flight');
    ensure((status === 'contested') === (contest !== undefined), 'the status is contested only during a conflict');
    ensure(wish === undefined || request !== undefined, 'a pending save or publish has a request in flight');
    const isWaiting = ['changed', 'offline', 'failing'].includes(status) && !isClosed;
    ensure(!isWaiting || isTimerSet || request !== undefined, 'unsaved text is saved automatically');
    if (status === 'saved') checkSaved();
    for (const path of checkedParts()) checkKept(path);
  }

  function checkSaved(): void {
    const shown = versions.find(({ content }) => content.version === state.content.version)?.content;
    for (const path of checkedParts()) {
      const text = readText(state.values, path) ?? '';
      ensure(shown !== undefined && holds(shown, path, text), `saved means that the service has stored ${path}`);
      const isShown = shown !== undefined && text === (readText(readDraftValues(shown), path) ?? '');
      const isListed = listNotShown(state).some((each) => each.path === buildTextPath(path));
      ensure(isShown !== isListed, `the bar mentions removed HTML exactly while the form shows it in ${path}`);
    }
    const isBehind = versions.some(({ content, isMine }) => isMine && content.version > state.content.version);
    ensure(!isBehind, "saved means that none of the editor's own versions is newer");
    ensure(memory.length === 0, 'saved means that nothing is kept in the browser');
  }

  /** The form has the latest text, which survives a browser crash because it is either saved or kept in the browser. */
  function checkKept(path: Part): void {
    const text = written.get(path);
    if (text === undefined || versions.some(({ content }) => holds(content, path, text))) return;
    ensure(readText(state.values, path) === text, `the form shows the last text for ${path}: ${text}`);
    const restored = startDraft(newest(), memory).state;
    ensure(readText(restored.values, path) === text, `a reload restores the last text for ${path}: ${text}`);
  }

  function checkPublish(version: number): void {
    ensure(state.request === undefined, 'publishes only after the save gets a response');
    ensure(state.status === 'saved' && state.content.version === version, 'publishes the saved version');
    checkSaved();
  }

  /** The other editor's text is replaced only after this editor has seen it. */
  function checkReplaced(values: DraftValues): void {
    const stored = readDraftValues(newest());
    for (const path of checkedParts()) {
      const theirs = readText(stored, path);
      if (theirs?.startsWith('e') !== true || theirs === clean(readText(values, path))) continue;
      ensure(replaced.has(`${path} ${theirs}`), `overwrites ${theirs} only after this editor has seen it`);
    }
  }

  function correct(): void {
    const wrong = checkedParts().filter((path) => readText(state.values, path)?.startsWith('bad'));
    for (const path of wrong) happen({ kind: 'write', part: path, quality: 'good' });
    if (wrong.length === 0) happen({ kind: 'flush' });
  }

  /** The service responds normally, and the editor corrects all errors and resolves all conflicts. */
  function comeToRest(): void {
    for (let round = 0; round < 60; round += 1) {
      const [call] = calls;
      if (state.isClosed && call === undefined) reload();
      else if (call !== undefined) answerCall(call, 'answer');
      else if (state.status === 'contested') happen({ kind: 'settle', theirs: [] });
      else if (state.status === 'refused') correct();
      else if (isTimerSet) happen({ kind: 'timer' });
    }
    happen({ kind: 'hear' });
    ensure(state.status === 'saved' && state.request === undefined, 'is saved once the service responds normally');
    ensure(state.content.version === newest().version, 'ends with the newest version');
  }

  return { happen, comeToRest, reached };
}

function buildPart(path: Part, text: string | undefined): unknown {
  if (path === 'name') return text;
  return text === undefined ? undefined : { text };
}

function buildTextPath(path: Part): string {
  return path === 'name' ? path : `${path}.text`;
}

function readText(values: DraftValues, path: string): string | undefined {
  const value = listParts(values).get(path);
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && 'text' in value ? String(value.text) : undefined;
}

function readTexts(values: DraftValues): readonly unknown[] {
  return PARTS.map((path) => readText(values, path));
}

function clean<Text extends string | undefined>(text: Text): string | Text {
  return typeof text === 'string' ? text.replace('<iframe>', '') : text;
}

function leaveOutLead(values: DraftValues): DraftValues {
  return layParts(values, [['fields.lead', undefined]]);
}
