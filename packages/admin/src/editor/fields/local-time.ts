// Converts times between the API's format and the format of `datetime-local` inputs, which use the reader's own time zone.

/** Without a maximum, browsers accept years with more digits than the API does. */
export const LATEST_LOCAL_TIME = '9999-12-31T23:59:59';

/** In UTC+1, `2026-03-01T08:00:00+00:00` becomes `2026-03-01T09:00`. Returns an empty string for anything that is not a time. */
export function formatLocalTime(timestamp: string): string {
  const moment = new Date(timestamp);
  if (Number.isNaN(moment.getTime())) return '';
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, moment.getSeconds() === 0 ? 16 : 19);
}

export function parseLocalTime(text: string): string | undefined {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : `${moment.toISOString().slice(0, 19)}+00:00`;
}
