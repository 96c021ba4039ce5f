import type { AuditEntryBody } from '@galley/wire';
import { Code } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typesQuery } from '../content/type-queries.ts';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import classes from './audit-page.module.css';
import { buildSentence } from './build-sentence.ts';
import { listDetails } from './list-details.ts';

const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface AuditEntryProps {
  readonly entry: AuditEntryBody;
  readonly siteName: string | undefined;
}

/** One log entry as a sentence. Opening the entry shows its details. */
export function AuditEntry({ entry, siteName }: AuditEntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className={classes.entry}>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={classes.line}>
          <time className={classes.time} dateTime={entry.at}>
            {TIME.format(new Date(entry.at))}
          </time>
          <span className={classes.sentence}>
            {buildSentence(entry).map(({ text, named }) =>
              named === undefined ? text : <strong key={named}>{text}</strong>,
            )}
          </span>
          <span className={classes.site}>{siteName}</span>
          <IconChevronRight className={classes.chevron} size={15} aria-hidden />
        </summary>
        {isOpen && <AuditDetails entry={entry} siteName={siteName} />}
      </details>
    </li>
  );
}

const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

interface AuditDetailsProps {
  readonly entry: AuditEntryBody;
  readonly siteName: string | undefined;
}

function AuditDetails({ entry, siteName }: AuditDetailsProps) {
  const { actor, subject, site } = entry;
  const needsTypes = entry.action === 'schedule.fail' && site !== null && entry.details !== null;
  const { data: types = [], isLoading } = useQuery({ ...typesQuery(site ?? ''), enabled: needsTypes });
  const rows: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [AUDIT_TEXTS.details.when, EXACT.format(new Date(entry.at))],
    [AUDIT_TEXTS.details.who, `${actor.name} · ${AUDIT_TEXTS.kinds[actor.kind]}`],
    [AUDIT_TEXTS.details.from, actor.address],
    [AUDIT_TEXTS.details.site, siteName],
  ];
  const ids = [
    [AUDIT_TEXTS.details.what, entry.action],
    [AUDIT_TEXTS.details.subject, subject.id],
    [AUDIT_TEXTS.details.actor, actor.id],
  ] as const;
  return (
    <dl className={classes.details}>
      {rows.map(([label, value]) => typeof value === 'string' && <Row key={label} label={label} value={value} />)}
      {ids.map(([label, id]) => id !== null && <Row key={label} label={label} value={<Code>{id}</Code>} />)}
      {!isLoading && listDetails(entry, types).map(({ label, text }) => <Row key={label} label={label} value={text} />)}
    </dl>
  );
}

function Row({ label, value }: { readonly label: string; readonly value: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}
