// Lists the details of an audit log entry as text. For a change, the API sends the changed properties under `before` and `after`.

import type { AuditEntryBody } from '@galley/wire';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import { describeDetail } from './build-sentence.ts';

interface Detail {
  readonly name: string;
  readonly text: string;
}

type Members = Readonly<Record<string, unknown>>;

export function listDetails({ action, details }: Pick<AuditEntryBody, 'action' | 'details'>): readonly Detail[] {
  const members: Members = details ?? {};
  const describe = (name: string, value: unknown): string => describeDetail(action, name, value);
  const list = (some: Members): readonly Detail[] =>
    Object.entries(some).map(([name, value]) => ({ name, text: describe(name, value) }));
  const { before, after, ...rest } = members;
  if (!isMembers(before) || !isMembers(after)) return list(members);
  const changes = Object.entries(after).map(([name, value]) => ({
    name,
    text: AUDIT_TEXTS.change(describe(name, before[name]), describe(name, value)),
  }));
  return [...list(rest), ...changes];
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
