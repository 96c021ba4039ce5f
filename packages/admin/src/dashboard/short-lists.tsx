// The short content lists on the dashboard: recently changed content, scheduled content, and failed schedules.

import type { FailedContentBody, ManagedTypeBody, ScheduledBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeFailure } from '../content/say-fault.ts';
import { StateLabel } from '../content/state-label.tsx';
import { typesQuery } from '../content/type-queries.ts';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { useLanguageNames } from '../sites/use-language-names.ts';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import { recentQuery } from './dashboard-queries.ts';
import classes from './short-lists.module.css';

interface SiteTypes {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
}

export function RecentContent({ site, types }: SiteTypes) {
  const nameLanguage = useLanguageNames(site);
  const { data: rows } = useSuspenseQuery(recentQuery(site));
  const names = new Map(types.map(({ handle, name }) => [handle, name]));
  return (
    <>
      <ShortList
        site={site}
        entries={rows.map(({ id, name, content_type: type, language, updated_at: at, ...row }) => ({
          key: id,
          id,
          name,
          mark: (
            <StateLabel
              state={row.state}
              publish_at={row.publish_at}
              unpublish_at={row.unpublish_at}
              failed_schedule={row.failed_schedule}
            />
          ),
          about: [names.get(type) ?? type, nameLanguage(language)].join(' · '),
          at,
        }))}
      />
      <AllLink site={site} label={DASHBOARD_TEXTS.allContent} />
    </>
  );
}

/** The number of scheduled objects and failed schedules to show. */
const SHOWN = 5;

interface ScheduledContentProps {
  readonly site: string;
  readonly scheduled: readonly ScheduledBody[];
  /** The number of content objects with a schedule. */
  readonly total: number;
}

export function ScheduledContent({ site, scheduled, total }: ScheduledContentProps) {
  const nameLanguage = useLanguageNames(site);
  if (scheduled.length === 0) return <Text c="dimmed">{DASHBOARD_TEXTS.nothingScheduled}</Text>;
  return (
    <>
      <ShortList
        site={site}
        entries={scheduled.slice(0, SHOWN).map(({ id, name, language, action, at }) => ({
          key: `${id} ${action}`,
          id,
          name,
          mark: <span>{DASHBOARD_TEXTS.actions[action]}</span>,
          about: nameLanguage(language),
          at,
        }))}
      />
      {total > SHOWN && <AllLink site={site} label={DASHBOARD_TEXTS.allScheduled} status="scheduled" />}
    </>
  );
}

interface FailedContentProps {
  readonly site: string;
  readonly failed: readonly FailedContentBody[];
  /** The total number of failed schedules. */
  readonly total: number;
}

/** Lists failed schedules, each with its scheduled time and the first reason for the failure. */
export function FailedContent({ site, failed, total }: FailedContentProps) {
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const nameLanguage = useLanguageNames(site);
  return (
    <>
      <ShortList
        site={site}
        entries={failed
          .slice(0, SHOWN)
          .map(({ id, name, content_type: handle, language, failed_schedule: schedule }) => ({
            key: id,
            id,
            name,
            mark: <span>{DASHBOARD_TEXTS.actions[schedule.action]}</span>,
            about: nameLanguage(language),
            at: schedule.due_at,
            reason: describeReason(schedule, handle, types),
          }))}
      />
      {total > SHOWN && <AllLink site={site} label={DASHBOARD_TEXTS.allFailed(total)} status="failed" />}
    </>
  );
}

function describeReason(
  schedule: FailedContentBody['failed_schedule'],
  handle: string,
  types: readonly ManagedTypeBody[],
): string {
  const [reason = '', ...others] = describeFailure(schedule, handle, types);
  return others.length === 0 ? reason : DASHBOARD_TEXTS.andMore(reason, others.length);
}

interface Entry {
  readonly key: string;
  /** The ID of the content. */
  readonly id: string;
  readonly name: string;
  /** The content's state, or the scheduled action. */
  readonly mark: ReactNode;
  readonly about: string;
  readonly at: string;
  readonly reason?: string;
}

function ShortList({ site, entries }: { readonly site: string; readonly entries: readonly Entry[] }) {
  return (
    <ol className={classes.list}>
      {entries.map(({ key, id, name, mark, about, at, reason }) => (
        <li key={key} className={classes.item}>
          <TextLink className={classes.name} to="/sites/$site/content/$id" params={{ site, id }} c="inherit">
            {name}
          </TextLink>
          {mark}
          <span className={classes.about}>{about}</span>
          <span className={classes.about}>
            <TimeText value={at} withTime />
          </span>
          {reason !== undefined && <span className={classes.reason}>{reason}</span>}
        </li>
      ))}
    </ol>
  );
}

interface AllLinkProps {
  readonly site: string;
  readonly label: string;
  /** If set, the link shows only content with this status. */
  readonly status?: 'scheduled' | 'failed';
}

function AllLink({ site, label, status }: AllLinkProps) {
  return (
    <LinkButton
      to="/sites/$site/content"
      params={{ site }}
      search={status === undefined ? {} : { status }}
      variant="default"
      className={classes.all}
    >
      {label}
    </LinkButton>
  );
}
