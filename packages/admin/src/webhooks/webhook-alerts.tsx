// Banners about webhooks that need attention: those that Galley switched off, those that are failing, and those whose calls failed
// recently.

import type { WebhookBody } from '@galley/wire';
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { WEBHOOK_ALERT_TEXTS, WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import classes from './webhook-alerts.module.css';
import { webhooksQuery } from './webhook-queries.ts';
import { findWebhookState } from './webhook-state.tsx';

type Problem = 'stopped' | 'failing' | 'failed';

/** Older failures stay in the log, but are no longer news. */
const NEWS_MS = 7 * 24 * 60 * 60 * 1000;

function findProblem(webhook: WebhookBody, now: number): Problem | undefined {
  const state = findWebhookState(webhook);
  if (state === 'stopped' || state === 'failing') return state;
  const { is_on: isOn, last_failed_at: failedAt } = webhook;
  return isOn && failedAt !== null && now - Date.parse(failedAt) < NEWS_MS ? 'failed' : undefined;
}

interface WebhookAlertProps {
  readonly site: string;
  readonly webhook: WebhookBody;
}

/** The banner on a webhook's own page. */
export function WebhookAlert({ site, webhook }: WebhookAlertProps) {
  const { id, off_reason: reason, off_at: offAt, failing_since: since, failed_calls: count } = webhook;
  const problem = findProblem(webhook, Date.now());
  if (problem === undefined) return null;
  if (problem === 'stopped') {
    return (
      <Banner title={WEBHOOK_ALERT_TEXTS.stoppedTitle} at={offAt}>
        {reason !== null && WEBHOOK_TEXTS.stopReasons[reason]} {WEBHOOK_ALERT_TEXTS.stoppedHelp}
      </Banner>
    );
  }
  const failed = count > 0 && (
    <LinkButton
      to="/sites/$site/webhooks/$webhook"
      params={{ site, webhook: id }}
      search={{ state: 'failed' }}
      size="compact-sm"
      variant="default"
      className={classes.action}
    >
      {WEBHOOK_ALERT_TEXTS.showFailed}
    </LinkButton>
  );
  if (problem === 'failing') {
    return (
      <Banner title={WEBHOOK_ALERT_TEXTS.failingTitle} at={since} action={failed}>
        {WEBHOOK_ALERT_TEXTS.failingHelp}
      </Banner>
    );
  }
  return (
    <Banner title={WEBHOOK_ALERT_TEXTS.failedTitle(count)} color="yellow" action={failed}>
      {count === 1 ? WEBHOOK_ALERT_TEXTS.failedHelpOne : WEBHOOK_ALERT_TEXTS.failedHelp}
    </Banner>
  );
}

interface BannerProps {
  readonly title: string;
  readonly color?: 'red' | 'yellow';
  /** The time when the problem began. */
  readonly at?: string | null;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Banner({ title, color = 'red', at = null, action, children }: BannerProps) {
  return (
    <Alert
      color={color}
      role="region"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={
        at === null ? (
          title
        ) : (
          <>
            {title} <TimeText value={at} withTime />
          </>
        )
      }
    >
      <Text size="sm">{children}</Text>
      {action}
    </Alert>
  );
}

interface WebhookProblemsProps {
  readonly site: string;
  readonly webhooks: readonly WebhookBody[];
}

/** The banner above the list of webhooks. */
export function WebhookProblems({ site, webhooks }: WebhookProblemsProps) {
  const now = Date.now();
  const found = webhooks.filter((webhook) => findProblem(webhook, now) !== undefined);
  if (found.length === 0) return null;
  const hasErrors = found.some((webhook) => findProblem(webhook, now) !== 'failed');
  const title = found.length === 1 ? WEBHOOK_ALERT_TEXTS.listTitleOne : WEBHOOK_ALERT_TEXTS.listTitle;
  return <ProblemList site={site} webhooks={found} title={title} color={hasErrors ? 'red' : 'yellow'} />;
}

/** The notice on the dashboard: the webhooks that Galley switched off. */
export function StoppedWebhooks({ site }: { readonly site: string }) {
  const { data: webhooks } = useSuspenseQuery(webhooksQuery(site));
  const stopped = webhooks.filter((webhook) => findWebhookState(webhook) === 'stopped');
  if (stopped.length === 0) return null;
  const title = WEBHOOK_ALERT_TEXTS.dashboardTitle(stopped.length);
  return <ProblemList site={site} webhooks={stopped} title={title} color="red" />;
}

interface ProblemListProps extends WebhookProblemsProps {
  readonly title: string;
  readonly color: 'red' | 'yellow';
}

function ProblemList({ site, webhooks, title, color }: ProblemListProps) {
  return (
    <Alert color={color} role="region" icon={<IconAlertTriangle size={20} aria-hidden />} title={title}>
      <ul className={classes.problems}>
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <TextLink
              to="/sites/$site/webhooks/$webhook"
              params={{ site, webhook: webhook.id }}
              size="sm"
              c="inherit"
              underline="always"
            >
              {webhook.name}
            </TextLink>{' '}
            {describeProblem(webhook)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function describeProblem({ off_reason: reason, failing_since: since, failed_calls: count }: WebhookBody): ReactNode {
  if (reason !== null) return WEBHOOK_ALERT_TEXTS.stopped[reason];
  if (since === null) return `· ${WEBHOOK_ALERT_TEXTS.failed(count)}`;
  return (
    <>
      {WEBHOOK_ALERT_TEXTS.failing} <TimeText value={since} withTime />.
    </>
  );
}
