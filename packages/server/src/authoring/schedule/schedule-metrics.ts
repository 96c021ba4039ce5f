import { Counter, Gauge, type Registry } from 'prom-client';
import type { SchedulerWatch } from './scheduler.ts';

export function registerScheduleMetrics(registry: Registry, now: () => number): SchedulerWatch {
  const registers = [registry];
  const fired = new Counter({
    name: 'galley_schedules_fired_total',
    help: 'Schedules that were due, by action and outcome.',
    labelNames: ['action', 'result'],
    registers,
  });
  for (const action of ['publish', 'unpublish']) {
    for (const result of ['done', 'failed']) fired.inc({ action, result }, 0);
  }
  const lastLook = new Gauge({
    name: 'galley_scheduler_last_look_timestamp_seconds',
    help: 'When the schedules were last checked. The value does not change while the database is unavailable.',
    aggregator: 'max',
    registers,
  });
  const nextDue = new Gauge({
    name: 'galley_schedule_next_due_timestamp_seconds',
    help: 'When the next scheduled action is due, as of the last check; 0 if there is none. A time in the past means that the action is overdue.',
    aggregator: 'max',
    registers,
  });
  return {
    looked: (nextDueAt) => {
      lastLook.set(now() / 1000);
      nextDue.set((nextDueAt ?? 0) / 1000);
    },
    fired: ({ kind, failure }) => fired.inc({ action: kind, result: failure === null ? 'done' : 'failed' }),
  };
}
