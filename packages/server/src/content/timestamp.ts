// Times are milliseconds since 1970 inside, and `YYYY-MM-DDTHH:MM:SS+00:00` outside: an offset, never `Z`.

const TIMESTAMP_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

export const TIMESTAMP_RULE = 'an ISO 8601 time with an offset, like 2026-03-01T08:00:00+00:00';

/** The format can show only years of four digits. */
const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Undefined for anything that is not a real moment, 30 February and 25:00 included. */
export function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP_PATTERN.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour) > 14 || Number(offsetMinute) > 59) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that the month does not have runs over into another month.
  if (local.getUTCMonth() !== Number(month) - 1 || local.getUTCDate() !== Number(day)) return undefined;
  local.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  const time = sign === '-' ? local.getTime() + offset : local.getTime() - offset;
  return time >= FIRST_TIME && time <= LAST_TIME ? time : undefined;
}

export function formatTimestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

export function formatOptionalTimestamp(time: number | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
