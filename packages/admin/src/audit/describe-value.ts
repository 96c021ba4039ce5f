import { AUDIT_TEXTS } from '../texts/audit-texts.ts';

/** A detail of an entry, whatever it is. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return AUDIT_TEXTS.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
