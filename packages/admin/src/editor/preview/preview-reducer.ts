// Decides what a preview does. A page gets updates once it has sent a message. At most one rendering is requested at a time. Updates are
// posted as soon as they are rendered, but each page gets at most one per animation frame. After a save, pages are asked to read the
// content again, and those that neither show updates nor answer are reloaded. A page that has left the configured origin gets nothing.

import type { DraftValues } from '../draft/draft-values.ts';
import {
  type PageState,
  type PageStatus,
  PLACES,
  type Place,
  type PreviewEffect,
  type PreviewEvent,
  type PreviewEvents,
  type PreviewState,
  VARIANTS,
  type Variant,
} from './preview-state.ts';

export interface PreviewStep {
  readonly state: PreviewState;
  readonly effects: readonly PreviewEffect[];
}

type Handler<Kind extends keyof PreviewEvents> = (state: PreviewState, event: PreviewEvent<Kind>) => PreviewStep;

const HANDLERS: { readonly [Kind in keyof PreviewEvents]: Handler<Kind> } = {
  open: (state, { place }) => load(state, place),
  close: (state, { place }) => step(withPage(state, place, CLOSED), ...stopTimers(place)),
  change: changeValues,
  saved: noteSave,
  focus: focusField,
  said: hearPage,
  stranger: (state, { place }) => giveUp(state, place, 'left'),
  blocked: (state, { place }) => giveUp(state, place, 'blocked'),
  arrived: noteArrival,
  no_answer: reloadUnlessAnswered,
  silence: noteSilence,
  rendered: keepRendering,
  render_failed: (state) => step({ ...state, request: undefined }),
  animation_frame: (state) => step({ ...state, isFrameAsked: false }),
};

const CLOSED: PageState = {
  status: 'closed',
  isLive: false,
  hasMarks: false,
  arrivals: 0,
  hasSpoken: false,
  hasAnnounced: false,
  isAsked: false,
  isBehind: false,
  shown: 0,
  greetings: 0,
};

/** Without this limit, a page that announces itself after each update would get the same update again and again. */
const MOST_GREETINGS = 10;

export function startPreview(values: DraftValues): PreviewState {
  return {
    pages: { frame: CLOSED, tab: CLOSED },
    values,
    revision: 1,
    renderings: { plain: undefined, marked: undefined },
    tried: { plain: 0, marked: 0 },
    request: undefined,
    isFrameAsked: false,
    edited: null,
  };
}

export function reducePreview<Kind extends keyof PreviewEvents>(
  state: PreviewState,
  event: PreviewEvent<Kind>,
): PreviewStep {
  const handle: Handler<Kind> = HANDLERS[event.kind];
  return andThen(andThen(handle(state, event), requestRendering), postUpdates);
}

function step(state: PreviewState, ...effects: readonly PreviewEffect[]): PreviewStep {
  return { state, effects };
}

function andThen(first: PreviewStep, next: (state: PreviewState) => PreviewStep): PreviewStep {
  const { state, effects } = next(first.state);
  return { state, effects: [...first.effects, ...effects] };
}

function withPage(state: PreviewState, place: Place, parts: Partial<PageState>): PreviewState {
  return { ...state, pages: { ...state.pages, [place]: { ...state.pages[place], ...parts } } };
}

function stopTimers(place: Place): readonly PreviewEffect[] {
  return [
    { kind: 'stop_timer', timer: 'no_answer', place },
    { kind: 'stop_timer', timer: 'silence', place },
  ];
}

function variantOf({ hasMarks }: PageState): Variant {
  return hasMarks ? 'marked' : 'plain';
}

function isPageThere(status: PageStatus): boolean {
  return status === 'loading' || status === 'connected' || status === 'silent';
}

/**
 * After somebody has followed a link, the announcement may have come from the previous page, so it counts only once the new page has sent a
 * message.
 */
export function isKnownLive({ isLive, arrivals, hasSpoken }: PageState): boolean {
  return isLive && (arrivals <= 1 || hasSpoken);
}

function connectedPages({ pages }: PreviewState): readonly PageState[] {
  return PLACES.map((place) => pages[place]).filter(({ status }) => status === 'connected');
}

/** Runs after each event: if a page needs a newer rendering, and no request is in flight, requests one. */
function requestRendering(state: PreviewState): PreviewStep {
  const { revision, tried, values } = state;
  if (state.request !== undefined) return step(state);
  const needed = new Set(connectedPages(state).map(variantOf));
  const variant = VARIANTS.find((each) => needed.has(each) && tried[each] < revision);
  if (variant === undefined) return step(state);
  return step(
    { ...state, request: { revision, variant }, tried: { ...tried, [variant]: revision } },
    { kind: 'render', values, marks: variant === 'marked' },
  );
}

function findUpdate({ renderings }: PreviewState, page: PageState) {
  const rendering = renderings[variantOf(page)];
  return rendering !== undefined && rendering.revision > page.shown ? rendering : undefined;
}

function keepRendering(state: PreviewState, { content }: PreviewEvent<'rendered'>): PreviewStep {
  if (state.request === undefined) return step(state);
  const { revision, variant } = state.request;
  return step({
    ...state,
    request: undefined,
    renderings: { ...state.renderings, [variant]: { revision, content } },
  });
}

/** Runs after each event: if there is an update to post, posts it at once; the next one waits for the next animation frame. */
function postUpdates(state: PreviewState): PreviewStep {
  if (state.isFrameAsked) return step(state);
  let next = step(state);
  for (const place of PLACES) {
    const page = state.pages[place];
    const update = page.status === 'connected' ? findUpdate(state, page) : undefined;
    if (update === undefined) continue;
    next = andThen(next, (each) =>
      step(withPage(each, place, { shown: update.revision }), {
        kind: 'post',
        place,
        message: { kind: 'update', content: update.content },
      }),
    );
  }
  if (next.effects.length === 0) return next;
  return andThen(next, (each) => step({ ...each, isFrameAsked: true }, { kind: 'ask_frame' }));
}

function changeValues(state: PreviewState, { values }: PreviewEvent<'change'>): PreviewStep {
  const { frame, tab } = state.pages;
  const pages = { frame: { ...frame, greetings: 0 }, tab: { ...tab, greetings: 0 } };
  return step({ ...state, values, revision: state.revision + 1, pages });
}

function load(state: PreviewState, place: Place): PreviewStep {
  const next = step(withPage(state, place, { ...CLOSED, status: 'loading' }), ...stopTimers(place));
  return place === 'tab' ? andThen(next, (each) => waitForWord(each, place)) : next;
}

function waitForWord(state: PreviewState, place: Place): PreviewStep {
  return step(state, { kind: 'start_timer', timer: 'silence', place });
}

function hearPage(state: PreviewState, { place, message }: PreviewEvent<'said'>): PreviewStep {
  const page = state.pages[place];
  if (page.status === 'closed') return step(state);
  const isGreeting = message.kind === 'live' || page.status !== 'connected';
  const heard: PreviewStep = step(
    withPage(state, place, {
      status: 'connected',
      hasSpoken: true,
      hasAnnounced: page.hasAnnounced || message.kind === 'live',
      isLive: page.isLive || message.kind === 'live',
    }),
    { kind: 'stop_timer', timer: 'silence', place },
  );
  const greeted = isGreeting ? andThen(heard, (each) => greet(each, place)) : heard;
  switch (message.kind) {
    case 'live':
    case 'loaded':
      return andThen(greeted, (each) =>
        step(withPage(each, place, { isAsked: false, ...(isOutdated(page) ? { shown: 0 } : {}) }), {
          kind: 'stop_timer',
          timer: 'no_answer',
          place,
        }),
      );
    case 'marks':
      return andThen(greeted, (each) => setMarks(each, place, message.marks));
    case 'edit':
      return andThen(greeted, (each) => step(each, { kind: 'edit', id: message.id, path: message.path }));
  }
}

/** Whether a page that shows updates has just read the saved values: somebody may have typed since the save began. */
function isOutdated({ isLive, isAsked }: PageState): boolean {
  return isLive && isAsked;
}

/** The page gets the current values, because it has only read the saved ones. */
function greet(state: PreviewState, place: Place): PreviewStep {
  const { greetings, isBehind } = state.pages[place];
  if (greetings >= MOST_GREETINGS) return step(state);
  const next = withPage(state, place, { shown: 0, greetings: greetings + 1, isBehind: false });
  return isBehind ? refresh(next, place) : step(next);
}

function setMarks(state: PreviewState, place: Place, marks: boolean): PreviewStep {
  if (state.pages[place].hasMarks === marks) return step(state);
  const next = withPage(state, place, { hasMarks: marks, shown: 0 });
  return marks && state.edited !== null ? step(next, postEdited(place, state.edited)) : step(next);
}

function postEdited(place: Place, path: string | null): PreviewEffect {
  return { kind: 'post', place, message: { kind: 'edited', path } };
}

function focusField(state: PreviewState, { path }: PreviewEvent<'focus'>): PreviewStep {
  if (path === state.edited) return step(state);
  const places = PLACES.filter((place) => {
    const { status, hasMarks } = state.pages[place];
    return status === 'connected' && hasMarks;
  });
  return step({ ...state, edited: path }, ...places.map((place) => postEdited(place, path)));
}

function giveUp(state: PreviewState, place: Place, status: 'left' | 'blocked'): PreviewStep {
  const page = state.pages[place];
  if (page.status === 'closed') return step(state);
  return step(withPage(state, place, { ...CLOSED, status, arrivals: page.arrivals + 1 }), ...stopTimers(place));
}

/** The page may be a new one. Only messages since the previous load event can be its own. */
function noteArrival(state: PreviewState, { place }: PreviewEvent<'arrived'>): PreviewStep {
  const page = state.pages[place];
  if (!isPageThere(page.status)) return step(state);
  const arrivals = page.arrivals + 1;
  if (!page.hasSpoken) {
    const next = withPage(state, place, { ...CLOSED, status: 'loading', arrivals, isBehind: page.isBehind });
    return andThen(step(next, ...stopTimers(place)), (each) => waitForWord(each, place));
  }
  const next = withPage(state, place, { arrivals, hasSpoken: false, hasAnnounced: false, greetings: 0 });
  // The page that the panel opened has announced itself and has got the current values.
  if (arrivals === 1 && page.isLive) return step(next);
  // The last message may have been the previous page's answer. A page that shows updates answers when it gets the values again.
  const { hasAnnounced, hasMarks } = page;
  return step(withPage(next, place, { shown: 0, isLive: hasAnnounced, hasMarks: hasAnnounced && hasMarks }));
}

function noteSilence(state: PreviewState, { place }: PreviewEvent<'silence'>): PreviewStep {
  const { status, isBehind } = state.pages[place];
  if (status !== 'loading') return step(state);
  const next = withPage(state, place, { status: 'silent', isBehind: false });
  return isBehind ? refresh(next, place) : step(next);
}

function noteSave(state: PreviewState): PreviewStep {
  let next = step({ ...state, tried: forgetFailures(state) });
  for (const place of PLACES) {
    const { status } = state.pages[place];
    if (status === 'loading') next = andThen(next, (each) => step(withPage(each, place, { isBehind: true })));
    if (status === 'connected' || status === 'silent') next = andThen(next, (each) => refresh(each, place));
  }
  return next;
}

/** The service is responding again, so failed renderings are worth another attempt. */
function forgetFailures({ tried, renderings, request }: PreviewState): PreviewState['tried'] {
  const lastOf = (variant: Variant): number =>
    request?.variant === variant ? tried[variant] : (renderings[variant]?.revision ?? 0);
  return { plain: lastOf('plain'), marked: lastOf('marked') };
}

function refresh(state: PreviewState, place: Place): PreviewStep {
  const asked = step(withPage(state, place, { isAsked: true }), { kind: 'post', place, message: { kind: 'refresh' } });
  if (isKnownLive(state.pages[place])) return asked;
  return andThen(asked, (each) => step(each, { kind: 'start_timer', timer: 'no_answer', place }));
}

/** The page stays as it is until its URL has been read. If that fails, the next save tries again. */
function reloadUnlessAnswered(state: PreviewState, { place }: PreviewEvent<'no_answer'>): PreviewStep {
  const page = state.pages[place];
  if (!page.isAsked || isKnownLive(page) || !isPageThere(page.status)) return step(state);
  return step(state, { kind: 'reload', place });
}
