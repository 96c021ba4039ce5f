import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { NewContent, NoTypes } from '../content/new-content.tsx';
import { contentTypesQuery } from '../content/type-queries.ts';
import { Card } from '../elements/card.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { Page } from '../elements/page.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { useIsOwner } from '../session/use-user.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import { StoppedWebhooks } from '../webhooks/webhook-alerts.tsx';
import { StateCounts, TypeCounts } from './content-counts.tsx';
import classes from './dashboard-page.module.css';
import { overviewQuery } from './dashboard-queries.ts';
import { FailedContent, RecentContent, ScheduledContent } from './short-lists.tsx';
import { TrafficChart } from './traffic-chart.tsx';

const route = getRouteApi('/signed-in/sites/$site/');

export function DashboardPage() {
  const { site: siteId } = route.useParams();
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const { data: types } = useSuspenseQuery(contentTypesQuery(siteId));
  const { data: overview } = useSuspenseQuery(overviewQuery(siteId));
  const [isCreating, { open, close }] = useDisclosure(false);
  const isOwner = useIsOwner();
  const mayCreate = types.length > 0;
  useShortcuts(mayCreate && !isCreating ? [{ keys: 'N', label: CONTENT_TEXTS.create, run: open }] : []);
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {CONTENT_TEXTS.create}
    </Button>
  );
  const isEmpty = overview.types.length === 0 && overview.states.archived === 0;
  return (
    <Page title={site.name} actions={!isEmpty && create}>
      {isOwner && <StoppedWebhooks site={siteId} />}
      {isEmpty && !mayCreate && <NoTypes site={siteId} title={DASHBOARD_TEXTS.emptyTitle} />}
      {isEmpty && mayCreate && (
        <EmptyState title={DASHBOARD_TEXTS.emptyTitle} text={CONTENT_TEXTS.emptyText} action={create} />
      )}
      {!isEmpty && (
        <>
          <StateCounts site={siteId} states={overview.states} />
          <div className={classes.columns}>
            <div className={classes.column}>
              {overview.failed.length > 0 && (
                <Card title={DASHBOARD_TEXTS.failed}>
                  <FailedContent site={siteId} failed={overview.failed} total={overview.states.failed} />
                </Card>
              )}
              <Card title={DASHBOARD_TEXTS.recent}>
                <RecentContent site={siteId} types={types} />
              </Card>
            </div>
            <div className={classes.column}>
              <TrafficChart />
              <Card title={DASHBOARD_TEXTS.scheduled}>
                <ScheduledContent site={siteId} scheduled={overview.scheduled} total={overview.states.scheduled} />
              </Card>
              <Card title={DASHBOARD_TEXTS.types}>
                <TypeCounts site={siteId} types={types} counts={overview.types} />
              </Card>
            </div>
          </div>
        </>
      )}
      <NewContent isOpen={isCreating} onClose={close} site={site} types={types} />
    </Page>
  );
}
