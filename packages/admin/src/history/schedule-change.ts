// What a form changes of a schedule. What was not touched is not sent: it may be a minute from now, and in the hour that the
// clocks repeat its text says less than it.

import type { ManagedContentBody } from '@galley/wire';
import { formatLocalTime, parseLocalTime } from '../editor/fields/local-time.ts';

/** In local time; empty where there is none. */
export interface ScheduleValues {
  readonly publish_at: string;
  readonly unpublish_at: string;
}

interface ScheduleChange {
  /** What is set, as the API writes it. */
  readonly times: { readonly publish_at?: string; readonly unpublish_at?: string };
  readonly cancelled: 'publish' | 'unpublish' | 'both' | undefined;
  /** Whether what is cancelled would forbid what is set. Else it goes last, so that nothing is lost where a time is refused. */
  readonly isCancelledFirst: boolean;
}

type ScheduledTimes = Pick<ManagedContentBody, 'publish_at' | 'unpublish_at'>;

export function readSchedule({ publish_at: publishAt, unpublish_at: unpublishAt }: ScheduledTimes): ScheduleValues {
  return { publish_at: formatLocalTime(publishAt ?? ''), unpublish_at: formatLocalTime(unpublishAt ?? '') };
}

/** @param initial what the form began with */
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
