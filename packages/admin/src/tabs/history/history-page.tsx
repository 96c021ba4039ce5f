// The list of versions on one side, and the changes in the selected version on the other. For a session, shows the changes from all
// its saves.

import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { versionsQuery } from '../tab-queries.ts';
import { useOpenedContent } from '../use-opened-content.ts';
import { findFirstNumber, foldVersions } from './fold-versions.ts';
import classes from './history-page.module.css';
import { VersionComparison } from './version-comparison.tsx';
import { VersionList } from './version-list.tsx';

const route = getRouteApi('/signed-in/sites/$site/content/$id/history');

export function HistoryPage() {
  const { site, content, types } = useOpenedContent();
  const { version, against, alone: isAlone = false } = route.useSearch();
  const list = useSuspenseInfiniteQuery(versionsQuery(site, content));
  const sittings = foldVersions(list.data.pages.flatMap((page) => page.data));
  const chosen = version === undefined || version > content.version ? content.version : version;
  const sitting = isAlone ? undefined : sittings.find(([newest]) => newest.number === chosen);
  const first = sitting === undefined ? chosen : findFirstNumber(sitting);
  return (
    <div className={classes.columns}>
      <VersionList site={site} content={content.id} sittings={sittings} list={list} chosen={chosen} isAlone={isAlone} />
      <VersionComparison
        site={site}
        content={content}
        types={types}
        chosen={chosen}
        before={Math.max(1, first - 1)}
        isSitting={first < chosen}
        isAgainstNewest={against === 'newest'}
      />
    </div>
  );
}
