import type { AuditEntryBody } from '@galley/wire';

export interface DayOfEntries {
  /** In the reader's own time: `2026-11-15`. */
  readonly day: string;
  readonly entries: readonly AuditEntryBody[];
}

/** @param entries in the order of their times */
export function groupByDay(entries: readonly AuditEntryBody[]): readonly DayOfEntries[] {
  const days = Map.groupBy(entries, ({ at }) => formatDay(new Date(at)));
  return [...days].map(([day, group]) => ({ day, entries: group }));
}

export function formatDay(moment: Date): string {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
