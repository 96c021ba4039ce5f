import type { ManagedContentBody, VersionEntryBody } from '@galley/wire';
import { Badge, Button } from '@mantine/core';
import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TimeText } from '../elements/time-text.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { versionsQuery } from './history-queries.ts';
import classes from './version-list.module.css';

interface VersionListProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  /** The number of the version that is looked at. */
  readonly chosen: number;
}

export function VersionList({ site, content, chosen }: VersionListProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery(
    versionsQuery(site, content),
  );
  const versions = data.pages.flatMap((page) => page.data);
  return (
    <nav aria-label={HISTORY_TEXTS.versions} className={classes.frame}>
      <ol className={classes.list} reversed>
        {versions.map((version) => (
          <li key={version.number}>
            <Link
              to="/sites/$site/content/$id/history"
              params={{ site, id: content.id }}
              search={({ against }) => ({ version: version.number, against })}
              replace
              resetScroll={false}
              className={classes.version}
              aria-current={version.number === chosen ? 'true' : undefined}
              data-chosen={version.number === chosen || undefined}
            >
              <VersionLine version={version} />
            </Link>
          </li>
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

function VersionLine({ version }: { readonly version: VersionEntryBody }) {
  return (
    <>
      <span className={classes.head}>
        {HISTORY_TEXTS.versionOf(version.number)}
        {version.is_newest && (
          <Badge size="xs" variant="light" color="gray">
            {HISTORY_TEXTS.newest}
          </Badge>
        )}
        {version.is_published && (
          <Badge size="xs" variant="light">
            {HISTORY_TEXTS.readersSee}
          </Badge>
        )}
      </span>
      <span className={classes.line}>
        <TimeText value={version.saved_at} withTime />
        {' · '}
        {version.saved_by === null ? HISTORY_TEXTS.byImport : HISTORY_TEXTS.savedBy(version.saved_by.name)}
      </span>
    </>
  );
}
