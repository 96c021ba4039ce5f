// The audit log, which only owners can read and nobody can change.

import type { AuditEntryBody, AuditLogBody } from '@galley/wire';
import { z } from 'zod';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import { idMember, orUnset, strictMembers, textMember, timeMember } from '../../content/schema-members.ts';
import { isJsonObject } from '../../content/strict-json.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import {
  type AuditEntryRow,
  type AuditFilter,
  selectAuditEntries,
  selectAuditPlace,
} from '../../storage/accounts/audit-entries.ts';
import type { Procedure } from '../../storage/statement.ts';
import { pageParameters } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

const actionMember = textMember('an action like content.publish', (text) => /^[a-z_]{1,40}\.[a-z_]{1,40}$/.test(text));
const entryNumberMember = textMember('the number of an entry', (text) => /^[1-9]\d{0,14}$/.test(text)).transform(
  Number,
);
const ACTOR_KINDS = ['user', 'token', 'command', 'schedule', 'guest'] as const;

const auditEntryBody: z.ZodType<AuditEntryBody> = z
  .strictObject({
    number: z.number().describe('Later entries have higher numbers.'),
    at: z.string(),
    action: z.string().describe('A noun and a verb, like `content.publish`.'),
    actor: z.strictObject({
      kind: z.enum(ACTOR_KINDS).describe('`guest` means somebody who failed to sign in.'),
      id: z.string().nullable(),
      name: z.string(),
      address: z.string().nullable().describe('The network address that the request came from.'),
    }),
    site: z.string().nullable(),
    subject: z
      .strictObject({ id: z.string().nullable(), name: z.string().nullable() })
      .describe('What the action was performed on, with its name at that time.'),
    details: z.record(z.string(), z.unknown()).nullable().describe('Details that depend on the action.'),
  })
  .meta({ id: 'AuditEntry' });

const auditLogBody: z.ZodType<AuditLogBody> = z
  .strictObject({
    data: z.array(auditEntryBody),
    next_before: z.number().nullable().describe('The value of `before` for the next page; null on the last page.'),
  })
  .meta({ id: 'AuditLog' });

export const AUDIT_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listAuditEntries',
    method: 'GET',
    path: '/audit',
    who: 'owner',
    tag: 'Audit log',
    summary: 'Read the audit log',
    description:
      'The log is paginated, newest entries first. Filter by one of `action`, `actor` (the id of a user or token) or `site`. ' +
      '`until` excludes entries from that time on. Entries are never deleted. They change only when data that they show is deleted permanently.',
    query: strictMembers('the query', {
      limit: pageParameters.limit,
      before: orUnset(entryNumberMember),
      until: orUnset(timeMember),
      action: orUnset(actionMember),
      actor: orUnset(idMember),
      site: orUnset(idMember),
    }),
    status: 200,
    answer: auditLogBody,
    refusals: [422],
    run: async ({ desk, actor, query: { limit, before, until, ...filters } }) => {
      const page = { before, until, limit: limit + 1, filter: chooseFilter(filters) };
      const rows = await desk.storage.read(selectEntries(actor.accountNo, page));
      const shown = rows.slice(0, limit);
      const hasNext = rows.length > limit;
      return { data: shown.map(renderEntry), next_before: hasNext ? (shown.at(-1)?.no ?? null) : null };
    },
  }),
];

interface PageQuery {
  readonly before: number | undefined;
  readonly until: number | undefined;
  readonly limit: number;
  readonly filter: AuditFilter | undefined;
}

function* selectEntries(
  accountNo: number,
  { before, until, limit, filter }: PageQuery,
): Procedure<readonly AuditEntryRow[]> {
  const place = until === undefined ? Number.MAX_SAFE_INTEGER : yield* selectAuditPlace(accountNo, until);
  return yield* selectAuditEntries(accountNo, Math.min(before ?? place, place), limit, filter);
}

type Filters = Readonly<Record<AuditFilter['by'], string | undefined>>;

/** Filters cannot be combined, because each uses its own index. */
function chooseFilter({ action, actor, site }: Filters): AuditFilter | undefined {
  const pairs = [
    ['action', action],
    ['actor', actor],
    ['site', site],
  ] as const;
  const filters = pairs.flatMap(([by, value]) => (value === undefined ? [] : [{ by, value }]));
  const [filter, other] = filters;
  if (other === undefined) return filter;
  throw refuseFaults([{ path: `query.${other.by}`, message: `cannot be combined with ${filter?.by}` }]);
}

function renderEntry(row: AuditEntryRow): AuditEntryBody {
  return {
    number: row.no,
    at: formatTimestamp(row.at),
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, address: row.address },
    site: row.site_id,
    subject: { id: row.subject_id, name: row.subject_name },
    details: row.details === null ? null : parseDetails(row.details),
  };
}

function parseDetails(text: string): Readonly<Record<string, unknown>> {
  const details: unknown = JSON.parse(text);
  if (!isJsonObject(details)) throw new Error('The details of an audit entry are not an object');
  return details;
}
