import { formatTimestamp } from '../content/timestamp.ts';

/**
 * A time as bundles carry it. What the API shows in whole seconds is kept to the millisecond, and lists are sorted by
 * that: `2024-05-01T10:00:00.250+00:00`.
 */
export function formatExactTime(time: number): string {
  const fraction = ((time % 1000) + 1000) % 1000;
  const text = formatTimestamp(time);
  return fraction === 0 ? text : text.replace('+', `.${String(fraction).padStart(3, '0')}+`);
}
