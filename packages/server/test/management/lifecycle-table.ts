// Builds the table in docs/lifecycle.md from the lifecycle module.

import { applyAction, findState, type Lifecycle, type LifecycleAction } from '../../src/content/lifecycle.ts';

const SOON = 2_000;
const LATER = 3_000;
const NOW = 1_000;
/** A time after both scheduled times. */
const AFTER = 4_000;

const SCHEDULES = [
  ['', null, null],
  [' +P', SOON, null],
  [' +U', null, LATER],
  [' +P +U', SOON, LATER],
] as const;

const STATUSES: readonly Pick<Lifecycle, 'status' | 'newestVersion' | 'publishedVersion' | 'publishedAt'>[] = [
  { status: 'draft', newestVersion: 1, publishedVersion: null, publishedAt: null },
  { status: 'published', newestVersion: 1, publishedVersion: 1, publishedAt: 500 },
  { status: 'published', newestVersion: 2, publishedVersion: 1, publishedAt: 500 },
  { status: 'unpublished', newestVersion: 1, publishedVersion: null, publishedAt: null },
];

const ARCHIVED: Lifecycle = {
  status: 'archived',
  newestVersion: 1,
  publishedVersion: null,
  publishedAt: null,
  publishAt: null,
  unpublishAt: null,
  failedSchedule: null,
};

/** Every possible state. */
export const STATES: readonly Lifecycle[] = [
  ...STATUSES.flatMap((status) =>
    SCHEDULES.map(([, publishAt, unpublishAt]) => ({ ...status, publishAt, unpublishAt, failedSchedule: null })),
  ),
  ARCHIVED,
];

const ACTIONS: readonly (readonly [title: string, action: LifecycleAction, now: number])[] = [
  ['save', { kind: 'save' }, NOW],
  ['publish', { kind: 'publish' }, NOW],
  ['discard changes', { kind: 'discard_changes' }, NOW],
  ['unpublish', { kind: 'unpublish' }, NOW],
  ['schedule publish', { kind: 'schedule_publish', at: SOON }, NOW],
  ['schedule unpublish', { kind: 'schedule_unpublish', at: LATER }, NOW],
  ['cancel publish', { kind: 'cancel_schedule', which: 'publish' }, NOW],
  ['cancel unpublish', { kind: 'cancel_schedule', which: 'unpublish' }, NOW],
  ['cancel both', { kind: 'cancel_schedule', which: 'both' }, NOW],
  ['archive', { kind: 'archive' }, NOW],
  ['restore', { kind: 'restore' }, NOW],
  ['fire publish', { kind: 'fire_publish' }, AFTER],
  ['fire unpublish', { kind: 'fire_unpublish' }, AFTER],
];

/** For example `changed +P +U`: published, with pending changes, a scheduled publish and a scheduled unpublish. */
export function nameState(life: Lifecycle): string {
  return `${findState(life)}${life.publishAt === null ? '' : ' +P'}${life.unpublishAt === null ? '' : ' +U'}`;
}

export function buildLifecycleTable(): string {
  const lines = [
    ['state', ...ACTIONS.map(([title]) => title)],
    ['---', ...ACTIONS.map(() => '---')],
    ...STATES.map((life) => [
      `**${nameState(life)}**`,
      ...ACTIONS.map(([, action, now]) => buildCell(life, action, now)),
    ]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function buildCell(life: Lifecycle, action: LifecycleAction, now: number): string {
  const outcome = applyAction(life, action, now);
  return outcome.ok ? nameState(outcome.value) : `– \`${outcome.problem}\``;
}
