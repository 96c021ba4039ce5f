import type { AuditEntryBody } from '@galley/wire';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './audit-day.module.css';
import { AuditDetails } from './audit-details.tsx';
import { buildSentence } from './build-sentence.ts';

const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface AuditEntryProps {
  readonly entry: AuditEntryBody;
  readonly siteName: string | undefined;
}

/** What was done, as a sentence; all that is known of it when it is opened. */
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
