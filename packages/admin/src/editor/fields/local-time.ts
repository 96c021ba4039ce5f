// Moments as the API writes them, and as inputs of the kind `datetime-local` do: without a zone, in the reader's own.

/** Browsers take longer years otherwise, which the API does not. */
export const LATEST_LOCAL_TIME = '9999-12-31T23:59:59';

/** `2026-03-01T08:00:00+00:00` as `2026-03-01T09:00` where it is an hour later; empty where it is no moment. */
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
