import type { AuditLogBody } from '@galley/wire';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { encodeMoment } from '../forms/encode-moment.ts';
import { PAGE_ENTRIES } from '../lists/endless-query.ts';
import type { AuditSearch } from './audit-search.ts';

export function auditQuery({ day, ...filter }: AuditSearch) {
  const known = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  const query = {
    limit: PAGE_ENTRIES,
    ...known,
    ...(day === undefined ? {} : { until: encodeMoment(findNextDay(day)) }),
  };
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ pageParam }): Promise<AuditLogBody> =>
      readAnswer(
        api.GET('/manage/v1/audit', {
          params: { query: { ...query, ...(pageParam === 0 ? {} : { before: String(pageParam) }) } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next_before: next }) => next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}

/** The midnight that ends a day, in the reader's own time. */
function findNextDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
}
