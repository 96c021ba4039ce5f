import { describe, expect, test } from 'vitest';
import type { ChangePosition } from '../listing/change-position.ts';
import type { ChangePage, FoundChange } from '../storage/changes/select-changes.ts';
import { endsInBatch, planCalls } from './plan-calls.ts';

const NOW = 1_000_000;
const ALL = {
  kinds: ['content.published', 'content.updated', 'content.moved', 'content.unpublished', 'content.deleted'],
  types: null,
  languages: null,
  isBatched: false,
} as const;
const BATCHED = { ...ALL, isBatched: true };

function at(row: number): ChangePosition {
  return { mode: 'changes', row, inside: null };
}

function change(row: number, members: Partial<FoundChange> = {}): FoundChange {
  const base = { kind: 'updated', id: `c_${row}`, type: 'post', language: 'en', at: NOW, uris: null } as const;
  return { ...base, position: at(row), ...members };
}

function page(changes: readonly FoundChange[], members: Partial<ChangePage> = {}): ChangePage {
  return { changes, next: at(99), hasMore: false, endsSync: false, ...members };
}

const plan = (webhook: Parameters<typeof planCalls>[0], given: ChangePage, now = NOW) =>
  planCalls(webhook, given, { siteId: 's_1', since: at(0), now });

describe('without batches', () => {
  test('each change that the webhook subscribes to becomes a call', () => {
    const changes = [
      change(1, { kind: 'published' }),
      change(2, { kind: 'moved', uris: { from: 'a', to: 'b' } }),
      change(3, { kind: 'unpublished', type: 'note' }),
      change(4, { language: 'de' }),
    ];
    const { calls, next, readyAt } = plan(ALL, page(changes));
    expect(calls.map(({ type }) => type)).toEqual([
      'content.published',
      'content.moved',
      'content.unpublished',
      'content.updated',
    ]);
    expect(calls[1]?.events).toEqual([
      {
        type: 'content.moved',
        timestamp: new Date(NOW).toISOString(),
        data: {
          site: 's_1',
          id: 'c_2',
          content_type: 'post',
          language: 'en',
          moved: { from: 'a', to: 'b' },
          position: '2',
        },
      },
    ]);
    expect([next, readyAt]).toEqual([at(99), null]);
    const count = (wishes: object): number => plan({ ...ALL, ...wishes }, page(changes)).calls.length;
    expect(count({ kinds: ['content.updated'] })).toBe(1);
    expect(count({ types: ['note'] })).toBe(1);
    expect(count({ languages: ['de', 'fr'] })).toBe(1);
    expect(count({ types: [] })).toBe(0);
  });
});

describe('with batches', () => {
  const rows = ({ calls }: ReturnType<typeof plan>) =>
    calls.map(({ type, events }) => [type, events.map(({ data }) => data.id)]);

  test('changes made within two seconds become one call once that time has passed', () => {
    const changes = [0, 1500, 2000, 2001].map((after, index) => change(index + 1, { at: NOW + after }));
    const early = plan(BATCHED, page(changes), NOW + 3000);
    expect(rows(early)).toEqual([['batch', ['c_1', 'c_2', 'c_3']]]);
    expect([early.next, early.readyAt]).toEqual([at(3), NOW + 4001]);
    const late = plan(BATCHED, page(changes), NOW + 4001);
    expect(rows(late)).toEqual([
      ['batch', ['c_1', 'c_2', 'c_3']],
      ['batch', ['c_4']],
    ]);
    expect([late.next, late.readyAt]).toEqual([at(99), null]);
  });

  test('nothing is skipped while the first batch is incomplete', () => {
    const { calls, next, readyAt } = plan(BATCHED, page([change(1), change(2)]));
    expect([calls, next, readyAt]).toEqual([[], at(0), NOW + 2000]);
    const afterOther = plan({ ...BATCHED, types: ['note'] }, page([change(1), change(2, { type: 'note' })]));
    expect([afterOther.next, afterOther.readyAt]).toEqual([at(1), NOW + 2000]);
  });

  test('a page ends within a batch if later changes may belong to that batch', () => {
    const more = { hasMore: true };
    const note = change(1, { type: 'note' });
    const notes = { ...BATCHED, types: ['note'] };
    expect(endsInBatch(notes, page([note, change(2, { at: NOW + 2000 })], more))).toBe(true);
    expect(endsInBatch(notes, page([note, change(2, { at: NOW + 2001 })], more))).toBe(false);
    expect(endsInBatch(notes, page([change(2)], more))).toBe(false);
    expect(endsInBatch(notes, page([note]))).toBe(false);
    expect(endsInBatch({ ...notes, isBatched: false }, page([note], more))).toBe(false);
    const full = Array.from({ length: 100 }, (_, index) => change(index + 1));
    expect(endsInBatch(BATCHED, page(full, more))).toBe(false);
  });

  test('a batch does not wait if it has 100 changes, if the log has more changes, or if its time is in the future', () => {
    const many = Array.from({ length: 100 }, (_, index) => change(index + 1));
    expect(plan(BATCHED, page(many)).calls).toHaveLength(1);
    expect(plan(BATCHED, page([...many, change(101)])).calls.map(({ events }) => events.length)).toEqual([100]);
    expect(plan(BATCHED, page([change(1)], { hasMore: true })).calls).toHaveLength(1);
    expect(plan(BATCHED, page([change(1, { at: NOW + 60_000 })])).calls).toHaveLength(1);
  });
});
