import { Button } from '@mantine/core';
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { EmptyState } from '../elements/empty-state.tsx';
import { Page } from '../elements/page.tsx';
import { ListEnd } from '../lists/list-end.tsx';
import { sitesQuery } from '../sites/site-queries.ts';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import { AuditDay } from './audit-day.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditQuery } from './audit-queries.ts';
import type { AuditSearch } from './audit-search.ts';
import { groupByDay } from './group-by-day.ts';

const route = getRouteApi('/signed-in/account/audit');

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The list that is there stays until the next one has come.
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
