import type { AuditEntryBody } from '@galley/wire';
import { api, readAnswer } from '../api/api.ts';
import { encodeMoment } from '../forms/encode-moment.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import type { AuditSearch } from './audit-search.ts';

export function auditQuery({ day, ...filter }: AuditSearch) {
  const known = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  const asked = { ...known, ...(day === undefined ? {} : { until: encodeMoment(findNextDay(day)) }) };
  return endlessQuery<AuditEntryBody>(['audit', asked], async ({ limit, cursor }, signal) => {
    const query = { limit, ...asked, ...(cursor === undefined ? {} : { before: cursor }) };
    const { data, next_before: next } = await readAnswer(api.GET('/manage/v1/audit', { params: { query }, signal }));
    return { data, next_cursor: next === null ? null : String(next) };
  });
}

/** The midnight that ends a day, in the reader's own time. */
function findNextDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
}
