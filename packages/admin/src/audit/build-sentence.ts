// Turns an audit log entry into a sentence, split into parts so that names can be shown in bold.

import type { AuditEntryBody } from '@galley/wire';
import { formatMoment } from '../elements/time-text.tsx';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import { nameLanguage } from '../texts/language-name.ts';

export interface SentencePart {
  readonly text: string;
  /** Who or what the name belongs to, if the part is a name. A sentence contains each of these names at most once. */
  readonly named?: 'actor' | 'subject';
}

type KnownAction = keyof typeof AUDIT_TEXTS.actions;

function isKnownAction(action: string): action is KnownAction {
  return Object.hasOwn(AUDIT_TEXTS.actions, action);
}

export function buildSentence(entry: AuditEntryBody): readonly SentencePart[] {
  const { action, details } = entry;
  const sentence = isKnownAction(action) ? AUDIT_TEXTS.actions[action].sentence : AUDIT_TEXTS.unknown;
  const parts = sentence.split(/(\{\w+\})/).flatMap((part): readonly SentencePart[] => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return part === '' ? [] : [{ text: part }];
    const text = findText(name, entry);
    return [name === 'actor' || name === 'subject' ? { text, named: name } : { text }];
  });
  return typeof details?.count === 'number' ? [...parts, { text: AUDIT_TEXTS.times(details.count) }] : parts;
}

function findText(name: string, { actor, subject, action, details }: AuditEntryBody): string {
  if (name === 'actor') return actor.kind === 'token' ? AUDIT_TEXTS.byToken(actor.name) : actor.name;
  if (name === 'subject') return subject.name ?? subject.id ?? AUDIT_TEXTS.nameless;
  if (name === 'action') return action;
  return details === null ? AUDIT_TEXTS.forgotten : describeDetail(action, name, details[name]);
}

/** A detail's value as text. Shows a language by its name, and a time in the reader's time zone. */
export function describeDetail(action: string, name: string, value: unknown): string {
  if (typeof value !== 'string') return describeValue(value);
  if (name.endsWith('_at')) return formatMoment(value);
  return isLanguage(action, name) ? nameLanguage(value) : describeValue(value);
}

function isLanguage(action: string, name: string): boolean {
  return name === 'language' || (name === 'before' && action === 'site.set_default_language');
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return AUDIT_TEXTS.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
