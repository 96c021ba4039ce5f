// The audit log entry for an operation.

import type { insertAuditEntry } from '../storage/accounts/audit-entries.ts';
import type { Actor } from './actor.ts';

export interface AuditNote {
  /** A noun and a verb, like `content.publish`. */
  readonly action: string;
  readonly siteId?: string;
  readonly subjectId?: string;
  /** The current name of the subject. */
  readonly subjectName?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function buildAuditEntry(actor: Actor, now: number, note: AuditNote): Parameters<typeof insertAuditEntry>[0] {
  return {
    accountNo: actor.accountNo,
    at: now,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    address: actor.address,
    action: note.action,
    siteId: note.siteId ?? null,
    subjectId: note.subjectId ?? null,
    subjectName: note.subjectName ?? null,
    details: note.details === undefined ? null : JSON.stringify(note.details),
  };
}

/** A `data:` URL can contain a whole picture, but the log only needs to tell URLs apart. */
const MOST_CHARACTERS = 500;

type Members = Readonly<Record<string, unknown>>;

export interface DescribedChange extends Readonly<Record<string, unknown>> {
  readonly before: Members;
  readonly after: Members;
}

/** The properties that differ, with their values before and after the change. */
export function describeChange<Name extends string>(
  before: Readonly<Record<Name, unknown>>,
  after: Readonly<Record<NoInfer<Name>, unknown>>,
): DescribedChange {
  const then: Members = before;
  const now: Members = after;
  const changed = Object.keys(then).filter((name) => JSON.stringify(then[name]) !== JSON.stringify(now[name]));
  const pick = (members: Members): Members =>
    Object.fromEntries(changed.map((name) => [name, shorten(members[name])] as const));
  return { before: pick(before), after: pick(after) };
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MOST_CHARACTERS) return value;
  return `${value.slice(0, MOST_CHARACTERS)}… (${value.length} characters)`;
}
