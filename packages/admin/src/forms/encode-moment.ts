// Converts times between the API's format, in UTC, and that of date pickers, in the reader's time zone: `2030-01-31 12:00:00`.

import dayjs from 'dayjs';

export function encodeMoment(local: string): string {
  return `${new Date(local.replace(' ', 'T')).toISOString().slice(0, 19)}+00:00`;
}

export function decodeMoment(moment: string): string {
  return dayjs(moment).format('YYYY-MM-DD HH:mm:ss');
}
