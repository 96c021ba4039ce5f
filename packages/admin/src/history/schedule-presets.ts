// Times that people often schedule for, in local time, as a `datetime-local` field has them.

import { formatLocalTime } from '../editor/fields/local-time.ts';

/** @param days how many days from `now` on */
export function buildMorning(now: Date, days: number): string {
  return formatLocalTime(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9).toISOString());
}

/** Never today. */
export function countDaysToMonday(now: Date): number {
  return (8 - now.getDay()) % 7 || 7;
}
