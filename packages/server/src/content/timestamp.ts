// Times are milliseconds since 1970 internally, and `YYYY-MM-DDTHH:MM:SS+00:00` in the API, with an offset and never `Z`.

const TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

export const TIMESTAMP_RULE = 'an ISO 8601 time with an offset, like 2026-03-01T08:00:00+00:00';

/** The format supports only four-digit years. */
const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const ZERO = '0'.charCodeAt(0);
const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Undefined for a time that does not exist, such as 30 February or 25:00. */
export function parseTimestamp(text: string): number | undefined {
  // Imports parse three timestamps per object, and a pattern with groups would be four times slower.
  if (!TIMESTAMP_PATTERN.test(text)) return undefined;
  const hour = readTwoDigits(text, 11);
  const minute = readTwoDigits(text, 14);
  const second = readTwoDigits(text, 17);
  const offset = readOffset(text);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const day = readDay(text);
  if (day === undefined) return undefined;
  const time = day + ((hour * 60 + minute) * 60 + second) * 1000 + readMilliseconds(text) - offset;
  return time >= FIRST_TIME && time <= LAST_TIME ? time : undefined;
}

/** The start of the day in UTC. */
function readDay(text: string): number | undefined {
  const year = readTwoDigits(text, 0) * 100 + readTwoDigits(text, 2);
  const month = readTwoDigits(text, 5);
  const day = readTwoDigits(text, 8);
  // The calculation uses the 400-year cycle that starts in 2000, because the runtime maps years below 100 to the 20th century.
  const cycles = Math.floor(year / 400) - 5;
  const start = Date.UTC((year % 400) + 2000, month - 1, day);
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  return isReal ? start + cycles * DAYS_OF_400_YEARS * DAY_MS : undefined;
}

const DAYS_OF_400_YEARS = 146_097;
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0);
}

function readOffset(text: string): number | undefined {
  if (text.endsWith('Z')) return 0;
  const start = text.length - 6;
  const hours = readTwoDigits(text, start + 1);
  const minutes = readTwoDigits(text, start + 4);
  if (hours > 14 || minutes > 59) return undefined;
  const offset = (hours * 60 + minutes) * MINUTE_MS;
  return text.charAt(start) === '-' ? -offset : offset;
}

function readMilliseconds(text: string): number {
  if (text.charAt(19) !== '.') return 0;
  const end = text.endsWith('Z') ? text.length - 1 : text.length - 6;
  return Number(text.slice(20, Math.min(end, 23)).padEnd(3, '0'));
}

function readTwoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

export function formatTimestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

export function formatOptionalTimestamp(time: number | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
