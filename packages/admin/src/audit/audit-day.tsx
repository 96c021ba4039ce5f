import type { AuditEntryBody } from '@galley/wire';
import { Title } from '@mantine/core';
import { useId } from 'react';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import classes from './audit-day.module.css';
import { AuditEntry } from './audit-entry.tsx';
import { formatDay } from './group-by-day.ts';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const DAY_MS = 86_400_000;

interface AuditDayProps {
  readonly day: string;
  readonly entries: readonly AuditEntryBody[];
  readonly siteNames: ReadonlyMap<string, string>;
}

export function AuditDay({ day, entries, siteNames }: AuditDayProps) {
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
