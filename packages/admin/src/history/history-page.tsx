// The versions of content on one side, what one of them changed on the other.

import { getRouteApi } from '@tanstack/react-router';
import classes from './history-page.module.css';
import { useOpenedContent } from './use-opened-content.ts';
import { VersionComparison } from './version-comparison.tsx';
import { VersionList } from './version-list.tsx';

const route = getRouteApi('/signed-in/sites/$site/content/$id/history');

export function HistoryPage() {
  const { site, content, types } = useOpenedContent();
  const { version, against } = route.useSearch();
  const chosen = version === undefined || version > content.version ? content.version : version;
  return (
    <div className={classes.columns}>
      <VersionList site={site} content={content} chosen={chosen} />
      <VersionComparison
        site={site}
        content={content}
        types={types}
        chosen={chosen}
        isAgainstNewest={against === 'newest'}
      />
    </div>
  );
}
