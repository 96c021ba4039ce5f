import type { AuditEntryBody } from '@galley/wire';
import { Code } from '@mantine/core';
import { AUDIT_TEXTS } from '../texts/audit-texts.ts';
import classes from './audit-day.module.css';
import { describeValue } from './describe-value.ts';
import { listDetails } from './list-details.ts';

const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

interface AuditDetailsProps {
  readonly entry: AuditEntryBody;
  readonly siteName: string | undefined;
}

export function AuditDetails({ entry, siteName }: AuditDetailsProps) {
  const { actor, subject, details } = entry;
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
      {listDetails(details ?? {}).map(({ name, before, after }) => (
        <Row
          key={name}
          label={name}
          value={
            before === undefined
              ? describeValue(after)
              : AUDIT_TEXTS.change(describeValue(before.value), describeValue(after))
          }
        />
      ))}
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
