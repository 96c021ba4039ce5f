/**
 * A moment as the API writes it, in UTC.
 * @param local in the reader's own time, as pickers have it: `2030-01-31 12:00:00`
 */
export function encodeMoment(local: string): string {
  return `${new Date(local.replace(' ', 'T')).toISOString().slice(0, 19)}+00:00`;
}
