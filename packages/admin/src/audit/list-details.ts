// Lists the details of an audit log entry as text. For a change, the API sends the changed properties under `before` and `after`.

import type { AuditEntryBody, ManagedTypeBody } from '@galley/wire';
import { readFaults } from '../api/api-error.ts';
import { describeFailure } from '../content/say-fault.ts';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import { nameMember } from '../texts/fault-texts.ts';
import { describeDetail } from './build-sentence.ts';

interface Detail {
  readonly label: string;
  readonly text: string;
}

type Members = Readonly<Record<string, unknown>>;

const LABELS: Readonly<Record<string, string>> = AUDIT_TEXTS.detailNames;

/** @param types the content types of the entry's site, for the names of fields */
export function listDetails(
  { action, details }: Pick<AuditEntryBody, 'action' | 'details'>,
  types: readonly ManagedTypeBody[],
): readonly Detail[] {
  if (details === null) return [];
  const members = action === 'schedule.fail' ? explainFailure(details, types) : details;
  const describe = (name: string, value: unknown): string => describeDetail(action, name, value);
  const list = (some: Members): readonly Detail[] =>
    Object.entries(some).map(([name, value]) => ({ label: nameDetail(name), text: describe(name, value) }));
  const { before, after, ...rest } = members;
  if (!isMembers(before) || !isMembers(after)) return list(members);
  const changes = Object.entries(after).map(([name, value]) => ({
    label: nameDetail(name),
    text: AUDIT_TEXTS.change(describe(name, before[name]), describe(name, value)),
  }));
  return [...list(rest), ...changes];
}

/** Replaces the service's own reason, which contains field paths and IDs. */
function explainFailure(
  { errors, content_type: type, ...details }: Members,
  types: readonly ManagedTypeBody[],
): Members {
  const action = details.action === 'unpublish' ? 'unpublish' : 'publish';
  const reasons = describeFailure({ action, errors: readFaults({ errors }) }, String(type), types);
  return { ...details, action: AUDIT_TEXTS.scheduled[action], reason: reasons.join('\n') };
}

function nameDetail(name: string): string {
  return LABELS[name] ?? nameMember(name);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
