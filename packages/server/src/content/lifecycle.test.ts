import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyAction, findScheduleFault, findState, type Lifecycle, type LifecycleAction } from './lifecycle.ts';

const DRAFT: Lifecycle = {
  status: 'draft',
  newestVersion: 3,
  publishedVersion: null,
  publishedAt: null,
  publishAt: null,
  unpublishAt: null,
  failedSchedule: null,
};
const PUBLISHED: Lifecycle = { ...DRAFT, status: 'published', publishedVersion: 3, publishedAt: 500 };

function after(life: Lifecycle, now: number, ...actions: readonly LifecycleAction[]): Lifecycle {
  return actions.reduce((current, action) => {
    const outcome = applyAction(current, action, now);
    if (!outcome.ok) throw new Error(`${action.kind} is refused: ${outcome.problem}`);
    return outcome.value;
  }, life);
}

describe('publishing', () => {
  test('publishes the latest version and sets the publish time', () => {
    expect(after(DRAFT, 1000, { kind: 'publish' })).toEqual({ ...PUBLISHED, publishedAt: 1000 });
  });

  test('keeps the publish time until the content is unpublished', () => {
    const changed = after(PUBLISHED, 1000, { kind: 'save' });
    expect([findState(changed), changed.publishedVersion]).toEqual(['changed', 3]);
    expect(after(changed, 2000, { kind: 'publish' })).toMatchObject({ publishedVersion: 4, publishedAt: 500 });
    const again = after(changed, 2000, { kind: 'unpublish' }, { kind: 'publish' });
    expect(again).toMatchObject({ publishedVersion: 4, publishedAt: 2000 });
  });

  test('accepts a given time, unless it is in the future', () => {
    expect(after(PUBLISHED, 1000, { kind: 'publish', publishedAt: 7 })).toEqual({ ...PUBLISHED, publishedAt: 7 });
    const early = applyAction(DRAFT, { kind: 'publish', publishedAt: 1001 }, 1000);
    expect(early).toEqual({ ok: false, problem: 'published_in_future' });
  });

  test('cancels the scheduled publish time, and the scheduled unpublish time if that has passed', () => {
    const scheduled = { ...DRAFT, publishAt: 2000, unpublishAt: 3000 };
    expect(after(scheduled, 1000, { kind: 'publish' })).toMatchObject({ publishAt: null, unpublishAt: 3000 });
    expect(after(scheduled, 3000, { kind: 'publish' })).toMatchObject({ publishAt: null, unpublishAt: null });
  });
});

describe('schedules', () => {
  test.each([
    [{ kind: 'schedule_publish', at: 1000 }, 'scheduled_in_past'],
    [{ kind: 'schedule_unpublish', at: 1000 }, 'scheduled_in_past'],
    [{ kind: 'schedule_publish', at: 3000 }, 'unpublish_before_publish'],
    [{ kind: 'schedule_unpublish', at: 2000 }, 'unpublish_before_publish'],
  ] as const)('reject %j as contradictory', (action, reason) => {
    const scheduled = { ...DRAFT, publishAt: 2000, unpublishAt: 3000 };
    expect(applyAction(scheduled, action, 1000)).toEqual({ ok: false, problem: reason });
  });

  test('never run early, and use the scheduled time as the publish time', () => {
    const scheduled = { ...DRAFT, publishAt: 2000, unpublishAt: 3000 };
    expect(applyAction(scheduled, { kind: 'fire_publish' }, 1999)).toEqual({ ok: false, problem: 'not_due' });
    expect(applyAction(scheduled, { kind: 'fire_unpublish' }, 9000)).toEqual({ ok: false, problem: 'publish_first' });
    const published = after(scheduled, 9000, { kind: 'fire_publish' });
    expect(published).toEqual({ ...PUBLISHED, publishedAt: 2000, unpublishAt: 3000 });
    expect(applyAction(published, { kind: 'fire_publish' }, 9000)).toEqual({ ok: false, problem: 'not_scheduled' });
    expect(after(published, 9000, { kind: 'fire_unpublish' })).toEqual({ ...DRAFT, status: 'unpublished' });
  });

  test('publish whichever version is the latest when they run', () => {
    const saved = after({ ...PUBLISHED, publishAt: 2000 }, 1000, { kind: 'save' });
    expect(after(saved, 2000, { kind: 'fire_publish' })).toMatchObject({ publishedVersion: 4, publishedAt: 500 });
  });
});

describe('discarding changes', () => {
  test('makes the published version the latest one, and cancels the scheduled publish time but not the unpublish time', () => {
    const changed = after({ ...PUBLISHED, publishAt: 2000, unpublishAt: 3000 }, 1000, { kind: 'save' });
    const next = changed.newestVersion + 1;
    const kept = after(changed, 1000, { kind: 'discard_changes' });
    expect(kept).toEqual({ ...changed, publishAt: null, newestVersion: next, publishedVersion: next });
    expect(applyAction(DRAFT, { kind: 'discard_changes' }, 1000)).toEqual({ ok: false, problem: 'not_published' });
  });

  test('does nothing if there are no changes', () => {
    const scheduled = { ...PUBLISHED, publishAt: 2000, unpublishAt: 3000 };
    expect(after(scheduled, 1000, { kind: 'discard_changes' })).toEqual(scheduled);
  });
});

describe('a schedule that fails', () => {
  const reason = { message: 'Title is empty.', faults: [] };
  const failPublish = { kind: 'fail_schedule', action: 'publish', reason } as const;
  const failUnpublish = { kind: 'fail_schedule', action: 'unpublish', reason } as const;
  const scheduled = { ...DRAFT, publishAt: 2000, unpublishAt: 3000 };
  const failed = { action: 'publish', dueAt: 2000, failedAt: 2500, reason } as const;

  test('is kept but is no longer due, and does not affect the scheduled unpublish time', () => {
    expect(after(scheduled, 2500, failPublish)).toEqual({ ...DRAFT, unpublishAt: 3000, failedSchedule: failed });
    expect(applyAction(scheduled, failPublish, 1999)).toEqual({ ok: false, problem: 'not_due' });
    expect(applyAction(DRAFT, failPublish, 2500)).toEqual({ ok: false, problem: 'not_scheduled' });
  });

  test.each<[what: string, actions: readonly LifecycleAction[]]>([
    ['publishes it', [{ kind: 'publish' }]],
    ['schedules the same action again', [{ kind: 'schedule_publish', at: 2700 }]],
    ['dismisses it', [{ kind: 'cancel_schedule', which: 'publish' }]],
    ['cancels everything', [{ kind: 'cancel_schedule', which: 'both' }]],
    ['archives it', [{ kind: 'archive' }]],
    ['publishes and unpublishes it', [{ kind: 'publish' }, { kind: 'unpublish' }]],
  ])('is resolved when somebody %s', (_what, actions) => {
    expect(after(after(scheduled, 2500, failPublish), 2600, ...actions).failedSchedule).toBe(null);
  });

  test.each<[what: string, action: LifecycleAction]>([
    ['saving the content', { kind: 'save' }],
    ['scheduling the other action', { kind: 'schedule_unpublish', at: 9000 }],
    ['cancelling the other action', { kind: 'cancel_schedule', which: 'unpublish' }],
    ['running the other action', { kind: 'fire_unpublish' }],
  ])('is kept after %s', (_what, action) => {
    expect(after(after(scheduled, 2500, failPublish), 3000, action).failedSchedule).toEqual(failed);
  });

  test('is resolved when somebody discards the changes that it would have published', () => {
    const changed = after({ ...PUBLISHED, publishAt: 2000 }, 1000, { kind: 'save' });
    expect(after(changed, 2500, failPublish, { kind: 'discard_changes' }).failedSchedule).toBe(null);
  });

  test.each(['publish', 'discard_changes'] as const)('is kept after %s if the failed action was unpublish', (kind) => {
    const changed = after({ ...PUBLISHED, unpublishAt: 2000 }, 2500, failUnpublish, { kind: 'save' });
    expect(after(changed, 2600, { kind }).failedSchedule).toMatchObject({ action: 'unpublish', dueAt: 2000 });
  });

  test('is kept when a schedule for the other action runs on published content', () => {
    const life = { ...PUBLISHED, publishAt: 2000, unpublishAt: 3000 };
    const gone = after(after(life, 2500, failPublish), 3000, { kind: 'fire_unpublish' });
    expect(gone).toMatchObject({ status: 'unpublished', failedSchedule: failed });
    const kept = after({ ...PUBLISHED, unpublishAt: 2000 }, 2500, failUnpublish, {
      kind: 'schedule_publish',
      at: 2600,
    });
    const published = after(kept, 2600, { kind: 'fire_publish' });
    expect(published.failedSchedule).toMatchObject({ action: 'unpublish', dueAt: 2000 });
  });
});

test('archived content can only be restored, and becomes a draft', () => {
  const archived = after({ ...PUBLISHED, publishAt: 2000 }, 1000, { kind: 'archive' });
  expect(archived).toEqual({ ...DRAFT, status: 'archived' });
  expect(after(archived, 1000, { kind: 'restore' })).toEqual(DRAFT);
  for (const kind of [
    'save',
    'publish',
    'discard_changes',
    'unpublish',
    'archive',
    'fire_publish',
    'fire_unpublish',
  ] as const) {
    expect(applyAction(archived, { kind }, 1000)).toEqual({ ok: false, problem: 'archived' });
  }
});

const time = fc.integer({ min: 0, max: 20 });
const anyAction: fc.Arbitrary<LifecycleAction> = fc.oneof(
  fc
    .constantFrom<LifecycleAction['kind'][]>(
      'save',
      'discard_changes',
      'unpublish',
      'archive',
      'restore',
      'fire_publish',
      'fire_unpublish',
    )
    .map((kind) => ({ kind }) as LifecycleAction),
  fc.record({
    kind: fc.constant('fail_schedule' as const),
    action: fc.constantFrom('publish' as const, 'unpublish' as const),
    reason: fc.constant({ message: 'Why', faults: [] }),
  }),
  fc.record({ kind: fc.constant('publish' as const), publishedAt: fc.option(time, { nil: undefined }) }),
  fc.record({ kind: fc.constantFrom('schedule_publish' as const, 'schedule_unpublish' as const), at: time }),
  fc.record({
    kind: fc.constant('cancel_schedule' as const),
    which: fc.constantFrom('publish' as const, 'unpublish' as const, 'both' as const),
  }),
);

test('no sequence of actions results in an impossible state, or publishes content that nobody asked to publish', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyAction, fc.integer({ min: 0, max: 3 })), { maxLength: 40 }), (steps) => {
      let life = DRAFT;
      let now = 0;
      for (const [action, passed] of steps) {
        now += passed;
        const outcome = applyAction(life, action, now);
        if (!outcome.ok) continue;
        const next = outcome.value;
        expect(findLifecycleFault(next)).toBeUndefined();
        const mayPublish =
          action.kind === 'publish' ||
          (action.kind === 'fire_publish' && life.publishAt !== null) ||
          (action.kind === 'discard_changes' && life.publishedVersion !== null);
        if (next.publishedVersion !== life.publishedVersion && next.publishedVersion !== null) {
          expect(mayPublish).toBe(true);
        }
        life = next;
      }
    }),
    { numRuns: 1000 },
  );
});

/** The first impossible combination; undefined if there is none. */
function findLifecycleFault(life: Lifecycle): string | undefined {
  const { status, newestVersion, publishedVersion, publishedAt, publishAt, unpublishAt, failedSchedule } = life;
  const isPublished = status === 'published';
  if (isPublished !== (publishedVersion !== null))
    return `${status} content with the published version ${publishedVersion}`;
  if (isPublished !== (publishedAt !== null)) return `${status} content with the publish time ${publishedAt}`;
  if (publishedVersion !== null && publishedVersion > newestVersion) return 'the published version was never saved';
  if (failedSchedule !== null) {
    if (status === 'archived') return 'archived content with a failed schedule';
    if ((failedSchedule.action === 'publish' ? publishAt : unpublishAt) !== null)
      return `a failed ${failedSchedule.action} that is scheduled again`;
  }
  return findScheduleFault(status, publishAt, unpublishAt)?.message;
}
