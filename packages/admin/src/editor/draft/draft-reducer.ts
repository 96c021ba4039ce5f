// Decides what a draft does. Every change is kept in the browser immediately and saved after a pause, one save at a time. A part
// that the service refuses does not block the others. Other editors' changes are merged part by part; if both editors changed a
// part, this editor chooses which version to keep. When the editor leaves, the draft saves any remaining changes before it closes.

import type { ManagedContentBody } from '@galley/wire';
import { isSame } from '../fields/field-values.ts';
import type { DraftEvent, DraftEvents, DraftState, SaveStatus } from './draft-state.ts';
import {
  andThen,
  close,
  impossible,
  isUnsaved,
  keepIfSame,
  keepLocally,
  type Step,
  stay,
  wait,
  waitForPause,
} from './draft-step.ts';
import { type DraftValues, readAt, readDraftValues, takeParts } from './draft-values.ts';
import { buildBase, type DraftChange, layChanges } from './merge-drafts.ts';
import { accept, dropDeleted, explain, mergeNewest, notRead, saveNow } from './save-text.ts';
import { forget, hear, merge, showStored, takeOver } from './take-version.ts';

type Handler<Kind extends keyof DraftEvents> = (state: DraftState, event: DraftEvent<Kind>) => Step;
type Row<Kind extends keyof DraftEvents> = readonly [
  Handler<Kind>,
  Handler<Kind>,
  Handler<Kind>,
  Handler<Kind>,
  Handler<Kind>,
  Handler<Kind>,
  Handler<Kind>,
];

const COLUMNS = { saved: 0, changed: 1, saving: 2, offline: 3, failing: 4, refused: 5, contested: 6 } as const;

/** The handler for each event in each state. In `saving`, a request is always in flight; in `offline` and `failing`, one may be. */
// biome-ignore format: the table is easier to read with aligned columns
const TABLE: { readonly [Kind in keyof DraftEvents]: Row<Kind> } = {
  //             saved        changed      saving       offline      failing      refused      contested
  change:       [write,       write,       writeOn,     writeDown,   writeDown,   write,       writeDown],
  save:         [saveNow,     saveNow,     saveNow,     saveNow,     saveNow,     saveNow,     ignore],
  flush:        [flush,       flush,       flush,       flush,       flush,       flush,       giveUp],
  publish:      [publish,     publish,     publish,     publish,     publish,     publish,     giveUp],
  leave:        [leave,       leave,       leave,       leave,       leave,       leave,       leaveOpen],
  settle:       [ignore,      ignore,      ignore,      ignore,      ignore,      ignore,      settleContest],
  show_stored:  [showStored,  showStored,  ignore,      showStored,  showStored,  showStored,  ignore],
  saved:        [impossible,  impossible,  accept,      accept,      accept,      impossible,  impossible],
  save_failed:  [impossible,  impossible,  explain,     explain,     explain,     impossible,  impossible],
  was_read:     [impossible,  impossible,  mergeNewest, mergeNewest, mergeNewest, impossible,  impossible],
  read_failed:  [impossible,  impossible,  notRead,     notRead,     notRead,     impossible,  impossible],
  type_read:    [impossible,  impossible,  dropDeleted, dropDeleted, dropDeleted, impossible,  impossible],
  adopt:          everywhere(hear),
  forget:         everywhere(forget),
  published:      everywhere(takeOver),
  publish_failed: everywhere(endPublish),
  show_faults:    everywhere(showFaults),
  focus_fault:    everywhere(focusFault),
  tell:           everywhere(tell),
  enter:          everywhere(enter),
  close:          everywhere(close),
  kept:           everywhere(noteKept),
};

function everywhere<Kind extends keyof DraftEvents>(handler: Handler<Kind>): Row<Kind> {
  return [handler, handler, handler, handler, handler, handler, handler];
}

/** @param kept unsaved changes from an earlier session */
export function startDraft(content: ManagedContentBody, kept: readonly DraftChange[]): Step {
  const fresh: DraftState = {
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
    request: undefined,
    wish: undefined,
    isPublishing: false,
    heard: undefined,
    refused: new Map(),
    failures: 0,
    sanitised: [],
    isStrict: false,
    isLeft: false,
    isClosed: false,
  };
  if (kept.length === 0) return stay(fresh);
  return andThen(merge({ ...fresh, ...layChanges(readDraftValues(content), kept) }, content), (state) =>
    stay(state.status === 'changed' ? { ...state, news: { kind: 'restored' } } : state),
  );
}

export function reduceDraft<Kind extends keyof DraftEvents>(state: DraftState, event: DraftEvent<Kind>): Step {
  const row: Row<Kind> = TABLE[event.kind];
  return goOn(row[COLUMNS[state.status]](state, event));
}

/** Once no request is in flight, continues with the work that was waiting for the response. */
function goOn(step: Step): Step {
  const { request, heard, wish, status, isClosed } = step.state;
  if (request !== undefined) return step;
  if (heard !== undefined) {
    return goOn(andThen(step, (state) => hear({ ...state, heard: undefined }, { kind: 'adopt', content: heard })));
  }
  if (wish === undefined) return step;
  if (status === 'changed' && !isClosed) return goOn(andThen(step, saveNow));
  return andThen(step, endWish);
}

function endWish(state: DraftState): Step {
  const rested: DraftState = { ...state, wish: undefined };
  if (state.wish === 'save') return stay(rested, { kind: 'rested' });
  if (state.status !== 'saved') return stay(rested, { kind: 'rested' }, { kind: 'not_published' });
  const { version } = state.content;
  return stay({ ...rested, isPublishing: true }, { kind: 'rested' }, { kind: 'publish', version });
}

function write(state: DraftState, { values }: DraftEvent<'change'>): Step {
  return andThen(takeText(state, values, 'changed'), waitForPause);
}

function writeOn(state: DraftState, { values }: DraftEvent<'change'>): Step {
  return andThen(takeText(state, values, state.status), waitForPause);
}

/** Starts no timer, because a retry is already scheduled or the editor has to choose first. */
function writeDown(state: DraftState, { values }: DraftEvent<'change'>): Step {
  return takeText(state, values, state.status);
}

function takeText(state: DraftState, values: DraftValues, status: SaveStatus): Step {
  if (state.isClosed) return stay(state);
  const faults = state.faults.filter(({ path }) => isSame(readAt(state.values, path), readAt(values, path)));
  return keepLocally({ ...state, values, status, faults: keepIfSame(state.faults, faults) });
}

function flush(state: DraftState): Step {
  return saveNow({ ...state, refused: new Map(), wish: state.wish ?? 'save' });
}

function publish(state: DraftState): Step {
  return state.isPublishing ? stay(state) : saveNow({ ...state, refused: new Map(), wish: 'publish' });
}

/** Nothing can be saved or published until the editor resolves the conflict. */
function giveUp(state: DraftState, { kind }: DraftEvent<'flush' | 'publish'>): Step {
  return stay({ ...state, wish: kind === 'publish' ? 'publish' : 'save' });
}

function settleContest(state: DraftState, { theirs }: DraftEvent<'settle'>): Step {
  const base = buildBase(state.content);
  const values = takeParts(state.values, base.saved, theirs);
  return andThen(keepLocally({ ...state, base, values, status: 'changed', contest: undefined }), saveNow);
}

function endPublish(state: DraftState): Step {
  return stay({ ...state, isPublishing: false });
}

function showFaults(state: DraftState, { faults }: DraftEvent<'show_faults'>): Step {
  return focusFault({ ...state, isStrict: true, faults });
}

function focusFault(state: DraftState): Step {
  return stay({ ...state, focusRequests: state.focusRequests + 1 });
}

function tell(state: DraftState, { news }: DraftEvent<'tell'>): Step {
  return stay({ ...state, news });
}

function enter(state: DraftState): Step {
  const next: DraftState = { ...state, isLeft: false };
  return isUnsaved(state) && state.contest === undefined ? wait(next, { kind: 'save_soon' }) : stay(next);
}

function leave(state: DraftState): Step {
  return saveNow({ ...state, isLeft: true, wish: state.wish ?? 'save' });
}

/** Stays open until somebody comes back and resolves the conflict. */
function leaveOpen(state: DraftState): Step {
  return stay({ ...state, isLeft: true });
}

function noteKept(state: DraftState, { hasRoom }: DraftEvent<'kept'>): Step {
  return stay(state.isKept === hasRoom ? state : { ...state, isKept: hasRoom });
}

function ignore(state: DraftState): Step {
  return stay(state);
}
