// Every node has a scheduler, which sleeps until the next scheduled action is due and then runs it. It checks for new schedules twice a
// second. While the database is unavailable, the scheduler waits; it catches up afterwards.

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { selectNextDueTime } from '../../storage/contents/schedules.ts';
import type { Desk } from '../desk.ts';
import { type Firing, fireDue } from './fire-due.ts';

export interface SchedulerParts {
  readonly desk: Desk;
  readonly log: Logger;
  /** How long to wait while the database is unavailable. */
  readonly retryAfterMs?: number;
  readonly watch?: SchedulerWatch | undefined;
}

/** Observes the scheduler. */
export interface SchedulerWatch {
  /** @param nextDueAt the time of the next scheduled action; undefined if there is none */
  readonly looked: (nextDueAt: number | undefined) => void;
  readonly fired: (firing: Firing) => void;
}

export interface Scheduler {
  /** Resolves once nothing is running any more. */
  readonly stop: () => Promise<void>;
}

/** How often to check for schedules from other processes and for changes to the system clock. */
const LOOK_EVERY_MS = 500;
const RETRY_AFTER_MS = 1000;
/** The minimum wait while another process is running the scheduled action. */
const LEAST_PAUSE_MS = 5;

export function startScheduler({ desk, log, retryAfterMs = RETRY_AFTER_MS, watch }: SchedulerParts): Scheduler {
  const stopping = new AbortController();
  let isOnHold = false;

  async function run(): Promise<void> {
    const { signal } = stopping;
    // The wait ends early only if the scheduler is stopped.
    while (!signal.aborted) await wait(await look(), undefined, { signal }).catch(() => undefined);
  }

  /** Runs scheduled actions that are due, and returns how long to wait until the next one. */
  async function look(): Promise<number> {
    try {
      let pause = await readPause();
      if (pause <= 0) {
        await carryOut();
        pause = await readPause();
      }
      if (isOnHold) log.info('schedules have resumed');
      isOnHold = false;
      return Math.max(LEAST_PAUSE_MS, pause);
    } catch (error) {
      if (!isOnHold) log.error({ err: error }, 'schedules are on hold because the database is unavailable');
      isOnHold = true;
      return retryAfterMs;
    }
  }

  /** Returns zero or less if a schedule is due. */
  async function readPause(): Promise<number> {
    const next = await desk.storage.read(selectNextDueTime());
    watch?.looked(next);
    return next === undefined ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, next - desk.now());
  }

  async function carryOut(): Promise<void> {
    for await (const firing of fireDue(desk, desk.now())) {
      logFiring(log, firing);
      watch?.fired(firing);
      if (stopping.signal.aborted) return;
    }
  }

  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

function logFiring(log: Logger, { kind, siteId, contentId, dueAt, at, failure, untold }: Firing): void {
  const about = { action: kind, site: siteId, content: contentId, late_ms: at - dueAt };
  if (failure === null) log.info(about, 'a scheduled action was carried out');
  else if (failure.bug === null) log.warn({ ...about, reason: failure.reason.message }, 'a scheduled action failed');
  else log.error({ ...about, err: failure.bug }, 'a scheduled action failed');
  for (const webhook of untold) {
    log.warn({ ...about, webhook }, 'a webhook was not notified, because too many of its calls are waiting');
  }
}
