import type { AuditEntryBody } from '@galley/wire';
import { Button, Title } from '@mantine/core';
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useId } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { Page } from '../elements/page.tsx';
import { encodeMoment } from '../forms/encode-moment.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { ListEnd } from '../lists/list-end.tsx';
import { sitesQuery } from '../sites/site-queries.ts';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import { AuditEntry } from './audit-entry.tsx';
import { AuditFilters } from './audit-filters.tsx';
import classes from './audit-page.module.css';
import type { AuditSearch } from './audit-search.ts';

const route = getRouteApi('/signed-in/account/audit');

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The current list stays visible until the next one has loaded.
  const list = useSuspenseInfiniteQuery(auditQuery(useDeferredValue(search)));
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const siteNames = new Map(sites.map(({ id, name }) => [id, name]));
  const find = (next: AuditSearch): void => void navigate({ to: '.', search: next, replace: true });
  return (
    <Page title={AUDIT_TEXTS.title} intro={AUDIT_TEXTS.intro}>
      <AuditFilters search={search} onChange={find} />
      {list.data.length === 0 ? (
        <EmptyState
          title={AUDIT_TEXTS.emptyTitle}
          text={AUDIT_TEXTS.emptyText}
          action={
            <Button variant="default" onClick={() => find({})}>
              {AUDIT_TEXTS.showAll}
            </Button>
          }
        />
      ) : (
        groupByDay(list.data).map(({ day, entries }) => (
          <AuditDay key={day} day={day} entries={entries} siteNames={siteNames} />
        ))
      )}
      <ListEnd list={list} />
    </Page>
  );
}

function auditQuery({ day, ...filter }: AuditSearch) {
  const known = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  const asked = { ...known, ...(day === undefined ? {} : { until: encodeMoment(findNextDay(day)) }) };
  return endlessQuery<AuditEntryBody>(['audit', asked], async ({ limit, cursor }, signal) => {
    const query = { limit, ...asked, ...(cursor === undefined ? {} : { before: cursor }) };
    const { data, next_before: next } = await readAnswer(api.GET('/manage/v1/audit', { params: { query }, signal }));
    return { data, next_cursor: next === null ? null : String(next) };
  });
}

/** Midnight at the end of a day, in the reader's time zone. */
function findNextDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
}

interface DayOfEntries {
  /** In the reader's time zone, such as `2026-11-15`. */
  readonly day: string;
  readonly entries: readonly AuditEntryBody[];
}

/** @param entries newest first */
function groupByDay(entries: readonly AuditEntryBody[]): readonly DayOfEntries[] {
  const days = Map.groupBy(entries, ({ at }) => formatDay(new Date(at)));
  return [...days].map(([day, group]) => ({ day, entries: group }));
}

function formatDay(moment: Date): string {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const DAY_MS = 86_400_000;

interface AuditDayProps {
  readonly day: string;
  readonly entries: readonly AuditEntryBody[];
  readonly siteNames: ReadonlyMap<string, string>;
}

function AuditDay({ day, entries, siteNames }: AuditDayProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <Title order={2} id={titleId} className={classes.title}>
        {describeDay(day)}
      </Title>
      <ol className={classes.entries}>
        {entries.map((entry) => (
          <AuditEntry
            key={entry.number}
            entry={entry}
            siteName={entry.site === null ? undefined : (siteNames.get(entry.site) ?? entry.site)}
          />
        ))}
      </ol>
    </section>
  );
}

function describeDay(day: string): string {
  const now = Date.now();
  if (day === formatDay(new Date(now))) return AUDIT_TEXTS.today;
  if (day === formatDay(new Date(now - DAY_MS))) return AUDIT_TEXTS.yesterday;
  return DAY.format(new Date(`${day}T12:00:00`));
}
