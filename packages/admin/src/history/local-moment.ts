// A moment as a field for local time has it, `2030-01-31T09:00`, and as the API writes it, with its offset.

export function renderLocal(timestamp: string | null): string {
  return timestamp === null ? '' : formatLocal(new Date(timestamp));
}

/** Null where the field is empty or holds no moment. */
export function parseLocal(text: string): string | null {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : `${moment.toISOString().slice(0, 19)}+00:00`;
}

/** @param days how many days from `now` on */
export function buildMorning(now: Date, days: number): string {
  return formatLocal(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9));
}

/** Never today. */
export function countDaysToMonday(now: Date): number {
  return (8 - now.getDay()) % 7 || 7;
}

function formatLocal(moment: Date): string {
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0');
  const day = `${part(moment.getFullYear(), 4)}-${part(moment.getMonth() + 1)}-${part(moment.getDate())}`;
  return `${day}T${part(moment.getHours())}:${part(moment.getMinutes())}`;
}
