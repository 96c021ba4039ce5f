import { nameLanguage } from '../languages/language-name.ts';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';

/** A detail of an entry, whatever it is. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return AUDIT_TEXTS.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

/** The same, where its name says that it is a language. */
export function describeDetail(name: string, value: unknown): string {
  return name === 'language' && typeof value === 'string' ? nameLanguage(value) : describeValue(value);
}
