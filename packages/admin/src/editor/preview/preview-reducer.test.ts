// Tests the preview with random sequences of events. The preview must uphold its guarantees after every event, whatever the order.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DraftValues } from '../draft/draft-values.ts';
import type { PageMessage } from './parse-page-message.ts';
import { reducePreview, startPreview } from './preview-reducer.ts';
import { type PageStatus, PLACES, type Place, type PreviewEffect, type PreviewEvent } from './preview-state.ts';

const write = (name: string): DraftValues => ({ name, slug: null, author: null, seo: {}, fields: {} });
const said = (message: PageMessage, place: Place = 'frame'): PreviewEvent => ({ kind: 'said', place, message });

const PAGE_CHANGES = new Set<PreviewEvent['kind']>(['open', 'arrived', 'stranger', 'blocked', 'close']);

/** Runs the preview, answers its requests as the service would, and checks each effect. */
function createWorld() {
  let state = startPreview(write('0'));
  let changes = 0;
  let request: Extract<PreviewEffect, { kind: 'render' }> | undefined;
  let isFrameAsked = false;
  const timers = new Set<string>();
  /** The places whose page has announced itself since it was loaded. */
  const announced = new Set<Place>();
  const reached = new Set<PageStatus>();
  const posted: { place: Place; message: string; newest?: number }[] = [];
  const updates = new Map<Place, { number: number; marks: boolean }>();

  function dispatch(event: PreviewEvent): readonly PreviewEffect[] {
    const before = state;
    if (event.kind === 'said' && event.message.kind === 'live') announced.add(event.place);
    else if ('place' in event && PAGE_CHANGES.has(event.kind)) announced.delete(event.place);
    const { state: next, effects } = reducePreview(state, event);
    state = next;
    for (const place of PLACES) reached.add(state.pages[place].status);
    for (const effect of effects) check(effect, event, before.pages);
    return effects;
  }

  function check(effect: PreviewEffect, event: PreviewEvent, before: typeof state.pages): void {
    switch (effect.kind) {
      case 'render':
        expect(request, 'one request at a time').toBeUndefined();
        expect(effect.values, 'the newest values').toBe(state.values);
        request = effect;
        break;
      case 'ask_frame':
        expect(isFrameAsked, 'one animation frame at a time').toBe(false);
        isFrameAsked = true;
        break;
      case 'post':
        expect(['connected', 'silent'], 'a page is there, with the right origin').toContain(
          state.pages[effect.place].status,
        );
        checkPost(effect, event, before);
        break;
      case 'reload':
        expect(event.kind).toBe('no_answer');
        expect(before[effect.place].isAsked).toBe(true);
        expect(announced.has(effect.place), 'pages that have announced themselves are not reloaded').toBe(false);
        expect(state.pages[effect.place], 'the page stays until its URL has been read').toEqual(before[effect.place]);
        break;
      case 'start_timer':
        timers.add(`${effect.timer} ${effect.place}`);
        break;
      case 'stop_timer':
        timers.delete(`${effect.timer} ${effect.place}`);
        break;
      case 'edit':
        expect(event).toMatchObject({ kind: 'said', message: { kind: 'edit', id: effect.id, path: effect.path } });
        break;
    }
  }

  function checkPost(
    { place, message }: Extract<PreviewEffect, { kind: 'post' }>,
    event: PreviewEvent,
    before: typeof state.pages,
  ): void {
    if (message.kind === 'edited') expect(state.pages[place].hasMarks).toBe(true);
    if (message.kind !== 'update') {
      posted.push({ place, message: message.kind });
      return;
    }
    expect(isFrameAsked, 'one update per animation frame').toBe(false);
    const update: { number: number; marks: boolean } = JSON.parse(message.content);
    expect(update.marks, 'marks only if the page asked for them').toBe(state.pages[place].hasMarks);
    const last = updates.get(place);
    // After other events, a page that may show older values gets the current ones again.
    const isNew = event.kind === 'rendered' || event.kind === 'animation_frame';
    if (isNew && before[place].shown > 0) {
      expect(update.number, 'updates never go back').toBeGreaterThan(last?.number ?? -1);
    }
    updates.set(place, update);
    posted.push({ place, message: 'update', newest: update.number });
  }

  return {
    dispatch,
    reached,
    posted,
    timers,
    state: () => state,
    change(): void {
      changes += 1;
      dispatch({ kind: 'change', values: write(String(changes)) });
    },
    answer(isRendered: boolean): void {
      if (request === undefined) return;
      const { values, marks } = request;
      request = undefined;
      const content = JSON.stringify({ number: Number(values.name), marks });
      dispatch(isRendered ? { kind: 'rendered', content } : { kind: 'render_failed' });
    },
    paint(): void {
      if (!isFrameAsked) return;
      isFrameAsked = false;
      dispatch({ kind: 'animation_frame' });
    },
    ring(timer: 'no_answer' | 'silence', place: Place): void {
      if (timers.delete(`${timer} ${place}`)) dispatch({ kind: timer, place });
    },
    /** Answers all pending requests. Connected pages must then show the newest values. */
    comeToRest(): void {
      for (let turn = 0; turn < 10; turn += 1) {
        this.answer(true);
        this.paint();
      }
      expect({ request, isFrameAsked }).toEqual({ request: undefined, isFrameAsked: false });
      for (const place of PLACES) {
        if (state.pages[place].status === 'connected') {
          expect(updates.get(place)).toEqual({ number: changes, marks: state.pages[place].hasMarks });
        }
      }
    },
  };
}

const place = fc.constantFrom(...PLACES);
const message = fc.constantFrom<PageMessage>(
  { kind: 'live' },
  { kind: 'loaded' },
  { kind: 'loaded' },
  { kind: 'marks', marks: true },
  { kind: 'marks', marks: false },
  { kind: 'edit', id: 'c_1', path: 'name' },
);
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('paint' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), isRendered: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('said' as const), place, message }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom<'open' | 'arrived' | 'stranger' | 'blocked' | 'close'>(
        'open',
        'arrived',
        'stranger',
        'blocked',
        'close',
      ),
      place,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ring' as const),
      timer: fc.constantFrom('no_answer' as const, 'silence' as const),
      place,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('saved' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('focus' as const), path: fc.constantFrom('name', 'fields.body', null) }),
  },
);

test('upholds its guarantees for any sequence of events', () => {
  const reached = new Set<PageStatus>();
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
      const world = createWorld();
      for (const each of happenings) {
        if (each.kind === 'write') world.change();
        else if (each.kind === 'paint') world.paint();
        else if (each.kind === 'answer') world.answer(each.isRendered);
        else if (each.kind === 'ring') world.ring(each.timer, each.place);
        else world.dispatch(each);
      }
      world.change();
      world.comeToRest();
      for (const status of world.reached) reached.add(status);
    }),
    { numRuns: 500 },
  );
  expect([...reached].toSorted()).toEqual(['blocked', 'closed', 'connected', 'left', 'loading', 'silent']);
});

test('posts the current values, and each later change, to a page that announces itself', () => {
  const world = createWorld();
  world.change();
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch(said({ kind: 'live' }));
  world.answer(true);
  world.paint();
  world.change();
  world.change();
  world.answer(true);
  world.paint();
  world.comeToRest();
  // The second change was rendered at once, and the third after the response arrived.
  expect(world.posted.map(({ newest }) => newest)).toEqual([1, 2, 3]);
});

test('reloads a page that shows no updates, unless it answers', () => {
  const world = createWorld();
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch(said({ kind: 'loaded' }));
  world.dispatch({ kind: 'saved' });
  world.dispatch(said({ kind: 'loaded' }));
  expect(world.timers).toEqual(new Set());
  world.dispatch({ kind: 'saved' });
  expect(world.dispatch({ kind: 'no_answer', place: 'frame' })).toContainEqual({ kind: 'reload', place: 'frame' });
});

test('asks a page that shows updates to refresh, and never reloads it', () => {
  const world = createWorld();
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch(said({ kind: 'live' }));
  world.dispatch({ kind: 'saved' });
  expect(world.posted).toContainEqual({ place: 'frame', message: 'refresh' });
  expect(world.timers).toEqual(new Set());
});

test('posts the current values again once a page has read the saved ones', () => {
  const world = createWorld();
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch(said({ kind: 'live' }));
  world.change();
  world.comeToRest();
  world.dispatch({ kind: 'saved' });
  const before = world.posted.length;
  world.dispatch(said({ kind: 'loaded' }));
  world.comeToRest();
  expect(world.posted.slice(before)).toEqual([expect.objectContaining({ newest: 1 })]);
  world.dispatch(said({ kind: 'loaded' }));
  world.comeToRest();
  expect(world.posted).toHaveLength(before + 1);
});

test('reloads a page without a script after a save, even if the page was loading at the time', () => {
  const world = createWorld();
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch({ kind: 'saved' });
  expect(world.posted).toEqual([]);
  world.dispatch({ kind: 'arrived', place: 'frame' });
  world.ring('silence', 'frame');
  expect(world.state().pages.frame.status).toBe('silent');
  expect(world.dispatch({ kind: 'no_answer', place: 'frame' })).toContainEqual({ kind: 'reload', place: 'frame' });
});

test('stops sending the same update to a page that announces itself again and again', () => {
  const world = createWorld();
  world.dispatch({ kind: 'open', place: 'frame' });
  for (let turn = 0; turn < 50; turn += 1) {
    world.dispatch(said({ kind: 'live' }));
    world.answer(true);
    world.paint();
  }
  expect(world.posted.length).toBe(10);
});

test('tells a page with marks which field is being edited, even if the page connects later', () => {
  const world = createWorld();
  world.dispatch({ kind: 'focus', path: 'fields.body' });
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch(said({ kind: 'live' }));
  expect(world.posted).toEqual([]);
  world.dispatch(said({ kind: 'marks', marks: true }));
  expect(world.posted).toEqual([{ place: 'frame', message: 'edited' }]);
  world.dispatch({ kind: 'focus', path: null });
  expect(world.posted.length).toBe(2);
});

test('sends no marks to a page that did not ask for them, even if the previous page did', () => {
  const world = createWorld();
  world.dispatch({ kind: 'open', place: 'frame' });
  world.dispatch(said({ kind: 'live' }));
  world.dispatch(said({ kind: 'marks', marks: true }));
  world.dispatch({ kind: 'arrived', place: 'frame' });
  world.dispatch(said({ kind: 'loaded' }));
  world.dispatch({ kind: 'arrived', place: 'frame' });
  expect(world.state().pages.frame).toMatchObject({ status: 'connected', hasMarks: false });
  world.comeToRest();
});

test('renders both with and without marks if only one of two pages needs marks', () => {
  const world = createWorld();
  for (const each of PLACES) {
    world.dispatch({ kind: 'open', place: each });
    world.dispatch(said({ kind: 'live' }, each));
  }
  world.comeToRest();
  world.dispatch(said({ kind: 'marks', marks: true }, 'tab'));
  world.comeToRest();
});
