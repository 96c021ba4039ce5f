// The list of versions. The saves in one session form one entry, which can be expanded. If one of its saves is shown, the entry
// stays expanded until somebody collapses it.

import type { VersionEntryBody } from '@galley/wire';
import { Badge, Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { TimeRangeText, TimeText } from '../../elements/time-text.tsx';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import type { Sitting } from './fold-versions.ts';
import classes from './version-list.module.css';

interface VersionListProps {
  readonly site: string;
  /** The ID of the content. */
  readonly content: string;
  readonly sittings: readonly Sitting[];
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** The number of the version that is shown. */
  readonly chosen: number;
  /** Whether that version is shown alone, without the other saves in its session. */
  readonly isAlone: boolean;
}

export function VersionList({ site, content, sittings, list, chosen, isAlone }: VersionListProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <nav aria-label={TAB_TEXTS.versions} className={classes.frame}>
      <ol className={classes.list} reversed>
        {sittings.map((sitting, index) => (
          <SittingEntry
            key={sitting[0].number}
            site={site}
            content={content}
            sitting={sitting}
            hasMore={hasNextPage && index === sittings.length - 1}
            chosen={chosen}
            isAlone={isAlone}
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {SHELL_TEXTS.showMore}
        </Button>
      )}
    </nav>
  );
}

interface SittingEntryProps {
  readonly site: string;
  /** The ID of the content. */
  readonly content: string;
  readonly sitting: Sitting;
  /** Whether there may be older saves that have not been loaded yet. */
  readonly hasMore: boolean;
  /** The number of the version that is shown. */
  readonly chosen: number;
  /** Whether that version is shown alone, without the rest of the session. */
  readonly isAlone: boolean;
}

function SittingEntry({ site, content, sitting, hasMore, chosen, isAlone }: SittingEntryProps) {
  const [newest, ...older] = sitting;
  const oldest = older.at(-1);
  const isNewest = newest.number === chosen;
  if (oldest === undefined) {
    return (
      <li>
        <VersionLink site={site} content={content} version={newest} isChosen={isNewest} />
      </li>
    );
  }
  const isInside = isNewest ? isAlone : older.some(({ number }) => number === chosen);
  return (
    <li>
      <VersionLink
        site={site}
        content={content}
        version={newest}
        isChosen={isNewest && !isAlone}
        time={<TimeRangeText from={oldest.saved_at} to={newest.saved_at} />}
      />
      <Saves site={site} content={content} sitting={sitting} hasMore={hasMore} chosen={isInside ? chosen : undefined} />
    </li>
  );
}

interface SavesProps extends Pick<SittingEntryProps, 'site' | 'content' | 'sitting' | 'hasMore'> {
  /** The number of the save that is shown, if it belongs to this session. */
  readonly chosen: number | undefined;
}

function Saves({ site, content, sitting, hasMore, chosen }: SavesProps) {
  const id = useId();
  const [wanted, setWanted] = useState<boolean>();
  const isOpen = wanted ?? chosen !== undefined;
  const saves = TAB_TEXTS.saves(sitting.length, hasMore);
  return (
    <>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={TAB_TEXTS.savesUpTo(saves, sitting[0].number)}
        onClick={() => setWanted(!isOpen)}
      >
        <IconChevronRight size={14} aria-hidden />
        {saves}
      </UnstyledButton>
      <ol id={id} className={classes.saves} reversed hidden={!isOpen}>
        {isOpen &&
          sitting.map((version) => (
            <li key={version.number}>
              <VersionLink
                site={site}
                content={content}
                version={version}
                isChosen={version.number === chosen}
                isSave
              />
            </li>
          ))}
      </ol>
    </>
  );
}

interface VersionLinkProps {
  readonly site: string;
  /** The ID of the content. */
  readonly content: string;
  readonly version: VersionEntryBody;
  readonly isChosen: boolean;
  /** Whether this is a single save inside an entry. */
  readonly isSave?: boolean;
  /** Shown instead of the time of the save. */
  readonly time?: ReactNode;
}

function VersionLink({ site, content, version, isChosen, isSave = false, time }: VersionLinkProps) {
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
        {TAB_TEXTS.versionOf(number)}
        <VersionBadges version={version} />
      </span>
      <span className={classes.line}>
        {time ?? <TimeText value={savedAt} withTime />}
        {!isSave && ` · ${saver === null ? TAB_TEXTS.byImport : TAB_TEXTS.savedBy(saver.name)}`}
      </span>
      {restored !== null && <span className={classes.line}>{TAB_TEXTS.restoredFrom(restored)}</span>}
    </Link>
  );
}

function VersionBadges({ version }: { readonly version: VersionEntryBody }) {
  const { is_newest: isNewest, is_published: isPublished, was_published: wasPublished } = version;
  return (
    <>
      {isNewest && (
        <Badge size="xs" variant="light" color="gray">
          {TAB_TEXTS.newest}
        </Badge>
      )}
      {wasPublished && (
        <Badge size="xs" variant="light" {...(isPublished ? {} : { color: 'gray' })}>
          {isPublished ? TAB_TEXTS.readersSee : TAB_TEXTS.readersSaw}
        </Badge>
      )}
    </>
  );
}
