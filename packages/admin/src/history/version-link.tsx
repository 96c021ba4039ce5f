import type { VersionEntryBody } from '@galley/wire';
import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TimeText } from '../elements/time-text.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import classes from './version-list.module.css';

interface VersionLinkProps {
  readonly site: string;
  /** The id of the content. */
  readonly content: string;
  readonly version: VersionEntryBody;
  readonly isChosen: boolean;
  /** Whether it is one of several saves that another entry shows as one. */
  readonly isSave?: boolean;
  /** In place of when it was saved. */
  readonly time?: ReactNode;
}

export function VersionLink({ site, content, version, isChosen, isSave = false, time }: VersionLinkProps) {
  const { number, saved_at: savedAt, saved_by: saver, restored_from: restored } = version;
  return (
    <Link
      to="/sites/$site/content/$id/history"
      params={{ site, id: content }}
      search={({ against }) => ({ version: number, against, alone: isSave ? true : undefined })}
      activeOptions={{ explicitUndefined: true }}
      replace
      resetScroll={false}
      className={classes.version}
      aria-current={isChosen ? 'true' : undefined}
      data-chosen={isChosen || undefined}
    >
      <span className={classes.head}>
        {HISTORY_TEXTS.versionOf(number)}
        <VersionBadges version={version} />
      </span>
      <span className={classes.line}>
        {time ?? <TimeText value={savedAt} withTime />}
        {!isSave && ` · ${saver === null ? HISTORY_TEXTS.byImport : HISTORY_TEXTS.savedBy(saver.name)}`}
      </span>
      {restored !== null && <span className={classes.line}>{HISTORY_TEXTS.restoredFrom(restored)}</span>}
    </Link>
  );
}

function VersionBadges({ version }: { readonly version: VersionEntryBody }) {
  const { is_newest: isNewest, is_published: isPublished, was_published: wasPublished } = version;
  return (
    <>
      {isNewest && (
        <Badge size="xs" variant="light" color="gray">
          {HISTORY_TEXTS.newest}
        </Badge>
      )}
      {wasPublished && (
        <Badge size="xs" variant="light" {...(isPublished ? {} : { color: 'gray' })}>
          {isPublished ? HISTORY_TEXTS.readersSee : HISTORY_TEXTS.readersSaw}
        </Badge>
      )}
    </>
  );
}
