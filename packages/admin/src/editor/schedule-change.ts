// Builds the changes that the schedule form sends, and the times that it suggests. Unchanged times are not sent: they may be less
// than a minute ahead, and a local time is ambiguous in the hour that repeats when the clocks go back.

import type { ManagedContentBody } from '@galley/wire';
import { formatLocalTime, parseLocalTime } from './fields/local-time.ts';

/** In local time; empty if no time is set. */
export interface ScheduleValues {
  readonly publish_at: string;
  readonly unpublish_at: string;
}

interface ScheduleChange {
  /** The times to set, in the API's format. */
  readonly times: { readonly publish_at?: string; readonly unpublish_at?: string };
  readonly cancelled: 'publish' | 'unpublish' | 'both' | undefined;
  /**
   * Whether the old times conflict with the new ones. If not, the old times are cancelled last, so that nothing is lost if a new one is
   * rejected.
   */
  readonly isCancelledFirst: boolean;
}

type ScheduledTimes = Pick<ManagedContentBody, 'publish_at' | 'unpublish_at'>;

export function readSchedule({ publish_at: publishAt, unpublish_at: unpublishAt }: ScheduledTimes): ScheduleValues {
  return { publish_at: formatLocalTime(publishAt ?? ''), unpublish_at: formatLocalTime(unpublishAt ?? '') };
}

/** @param initial the values that the form started with */
export function buildScheduleChange(
  content: ScheduledTimes,
  values: ScheduleValues,
  initial: ScheduleValues,
): ScheduleChange {
  const publishAt = values.publish_at === initial.publish_at ? undefined : parseLocalTime(values.publish_at);
  const unpublishAt = values.unpublish_at === initial.unpublish_at ? undefined : parseLocalTime(values.unpublish_at);
  const drops = (name: keyof ScheduleValues): boolean =>
    values[name] === '' && initial[name] !== '' && content[name] !== null;
  const [dropsPublish, dropsUnpublish] = [drops('publish_at'), drops('unpublish_at')];
  const [first, last] = [publishAt ?? content.publish_at, unpublishAt ?? content.unpublish_at];
  return {
    times: {
      ...(publishAt === undefined ? {} : { publish_at: publishAt }),
      ...(unpublishAt === undefined ? {} : { unpublish_at: unpublishAt }),
    },
    cancelled:
      dropsPublish && dropsUnpublish ? 'both' : dropsPublish ? 'publish' : dropsUnpublish ? 'unpublish' : undefined,
    isCancelledFirst: first !== null && last !== null && last <= first,
  };
}

/** Nine in the morning, in the format of `datetime-local` inputs. @param days the number of days after `now` */
export function buildMorning(now: Date, days: number): string {
  return formatLocalTime(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9).toISOString());
}

/** The result is never zero: on a Monday, the next Monday is seven days away. */
export function countDaysToMonday(now: Date): number {
  return (8 - now.getDay()) % 7 || 7;
}
