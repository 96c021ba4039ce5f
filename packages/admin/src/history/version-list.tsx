import { Button } from '@mantine/core';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import type { Sitting } from './fold-versions.ts';
import { SittingEntry } from './sitting-entry.tsx';
import classes from './version-list.module.css';

interface VersionListProps {
  readonly site: string;
  /** The id of the content. */
  readonly content: string;
  readonly sittings: readonly Sitting[];
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** The number of the version that is looked at. */
  readonly chosen: number;
  /** Whether it is looked at by itself, where others are shown as one with it. */
  readonly isAlone: boolean;
}

export function VersionList({ site, content, sittings, list, chosen, isAlone }: VersionListProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <nav aria-label={HISTORY_TEXTS.versions} className={classes.frame}>
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
