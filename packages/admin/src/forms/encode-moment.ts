// Moments as the API writes them, in UTC, and as date pickers write them, in the reader's time zone: `2030-01-31 12:00:00`.

import dayjs from 'dayjs';

export function encodeMoment(local: string): string {
  return `${new Date(local.replace(' ', 'T')).toISOString().slice(0, 19)}+00:00`;
}

export function decodeMoment(moment: string): string {
  return dayjs(moment).format('YYYY-MM-DD HH:mm:ss');
}
