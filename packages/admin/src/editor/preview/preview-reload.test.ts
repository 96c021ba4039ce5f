// Tests which pages in the frame are reloaded after a save. People can follow links from one page to another, and the messages do not say
// which page sent them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DraftValues } from '../draft/draft-values.ts';
import { isKnownLive, reducePreview, startPreview } from './preview-reducer.ts';
import type { PanelMessage, PreviewEvent, PreviewTimer } from './preview-state.ts';

const write = (name: string): DraftValues => ({ name, slug: null, author: null, seo: {}, fields: {} });
const said = (kind: 'live' | 'loaded'): PreviewEvent => ({ kind: 'said', place: 'frame', message: { kind } });

interface WebPage {
  /** What the page says when it is loaded, and whether it does so before or after its load event. */
  readonly says: readonly ('live' | 'loaded')[];
  readonly isLate: boolean;
  readonly answers: readonly PanelMessage['kind'][];
  /** Whether its answers arrive late: after the load event, or after the panel has stopped waiting for them. */
  readonly isSlow: boolean;
}

/** Does not use the protocol. */
const PLAIN: WebPage = { says: [], isLate: false, answers: [], isSlow: false };
/** Neither shows updates nor reads the content again. */
const MOUNTED: WebPage = { says: ['loaded'], isLate: true, answers: [], isSlow: false };
const EARLY: WebPage = { says: ['live', 'loaded'], isLate: false, answers: ['update', 'refresh'], isSlow: false };
const LATE: WebPage = { ...EARLY, isLate: true };
/** Takes a long time to read the saved content. Pages that show other content answer in the same way. */
const SLOW: WebPage = { ...EARLY, isSlow: true };

/** @param first the page that the panel opens in the frame */
function openFrame(first: WebPage) {
  let state = startPreview(write('0'));
  let page = first;
  let changes = 0;
  let updates = 0;
  let reloads = 0;
  const pending: PreviewEvent[] = [];
  const slow: PreviewEvent[] = [];
  const timers = new Set<PreviewTimer>();

  function dispatch(event: PreviewEvent): void {
    const step = reducePreview(state, event);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.kind === 'render') pending.push({ kind: 'rendered', content: effect.values.name });
      if (effect.kind === 'ask_frame') pending.push({ kind: 'animation_frame' });
      if (effect.kind === 'post' && effect.message.kind === 'update') updates += 1;
      if (effect.kind === 'post' && page.answers.includes(effect.message.kind)) {
        (page.isSlow ? slow : pending).push(said('loaded'));
      }
      if (effect.kind === 'start_timer') timers.add(effect.timer);
      if (effect.kind === 'stop_timer') timers.delete(effect.timer);
      if (effect.kind === 'reload') reloads += 1;
    }
  }

  function settle(): void {
    for (let event = pending.shift(); event !== undefined; event = pending.shift()) dispatch(event);
  }

  function settleSlowly(): void {
    settle();
    for (let event = slow.shift(); event !== undefined; event = slow.shift()) {
      dispatch(event);
      settle();
    }
  }

  function show(next: WebPage): void {
    page = next;
    const speak = (): void => {
      for (const kind of page.says) dispatch(said(kind));
      settle();
    };
    if (!page.isLate) speak();
    dispatch({ kind: 'arrived', place: 'frame' });
    if (page.isLate) speak();
    settleSlowly();
  }

  function open(): void {
    dispatch({ kind: 'open', place: 'frame' });
    show(first);
  }

  open();
  return {
    open,
    follow: show,
    /** A link opens another website. */
    leave: () => dispatch({ kind: 'stranger', place: 'frame' }),
    page: () => page,
    updates: () => updates,
    status: () => state.pages.frame.status,
    isKnownLive: () => isKnownLive(state.pages.frame),
    write(): void {
      changes += 1;
      dispatch({ kind: 'change', values: write(String(changes)) });
      settleSlowly();
    },
    /** @returns whether the panel reloads the page */
    save(): boolean {
      const before = reloads;
      dispatch({ kind: 'saved' });
      settle();
      for (const timer of ['silence', 'no_answer'] as const) {
        if (timers.delete(timer)) dispatch({ kind: timer, place: 'frame' });
        settle();
      }
      settleSlowly();
      return reloads > before;
    },
  };
}

test.each([
  { next: 'a plain page', after: 'before its load event', first: EARLY, second: PLAIN },
  { next: 'a plain page', after: 'after its load event', first: LATE, second: PLAIN },
  { next: 'a page that shows no updates', after: 'before its load event', first: EARLY, second: MOUNTED },
])('reloads $next after a page that announced itself $after', ({ first, second }) => {
  const frame = openFrame(first);
  frame.write();
  expect(frame.isKnownLive()).toBe(true);
  frame.follow(second);
  expect(frame.isKnownLive()).toBe(false);
  expect(frame.save()).toBe(true);
});

test('never reloads a page that has announced itself, even if it never answers', () => {
  const frame = openFrame({ ...EARLY, answers: [] });
  frame.write();
  expect(frame.save()).toBe(false);
  expect(frame.isKnownLive()).toBe(true);
});

test.each([EARLY, LATE])('posts the values once to the page that the panel opens', (first) => {
  expect(openFrame(first).updates()).toBe(1);
});

test('reloads all plain pages and no others, whichever links somebody follows', () => {
  const page = fc.constantFrom(PLAIN, EARLY, LATE, SLOW);
  const action = fc.oneof(page, fc.constantFrom('write' as const, 'save' as const));
  fc.assert(
    fc.property(page, fc.array(action, { maxLength: 20 }), (first, actions) => {
      const frame = openFrame(first);
      for (const each of [...actions, 'save' as const]) {
        if (each === 'write') frame.write();
        else if (each !== 'save') frame.follow(each);
        else {
          const isReloaded = frame.save();
          expect(isReloaded).toBe(frame.page() === PLAIN);
          if (isReloaded) frame.open();
        }
        expect(frame.isKnownLive()).toBe(frame.page() !== PLAIN);
      }
    }),
  );
});

test('does not trust the announcement of a page that came after another website', () => {
  const frame = openFrame(EARLY);
  frame.leave();
  frame.follow(LATE);
  frame.follow(PLAIN);
  expect(frame.save()).toBe(true);
});

test('keeps a page whose URL cannot be read, and tries again after the next save', () => {
  const frame = openFrame(PLAIN);
  expect(frame.save()).toBe(true);
  // The panel could not open the page again.
  expect(frame.status()).toBe('silent');
  expect(frame.save()).toBe(true);
});
