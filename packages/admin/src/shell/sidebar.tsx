import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useIsOwner } from '../session/use-user.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { listAccountEntries, listSiteEntries } from './navigation.ts';
import classes from './sidebar.module.css';
import { SiteSwitcher } from './site-switcher.tsx';
import { UserMenu } from './user-menu.tsx';

type Entry = ReturnType<typeof listAccountEntries | typeof listSiteEntries>[number];

interface SidebarProps {
  readonly onNavigate: () => void;
}

export function Sidebar({ onNavigate }: SidebarProps) {
  const site = useLastSite();
  return (
    <div className={classes.sidebar}>
      <SiteSwitcher site={site} onNavigate={onNavigate} />
      <nav className={classes.groups} aria-label={SHELL_TEXTS.mainNavigation}>
        {site !== undefined && (
          <Entries title={SHELL_TEXTS.site} entries={listSiteEntries(site)} onNavigate={onNavigate} />
        )}
        <Entries title={SHELL_TEXTS.account} entries={listAccountEntries()} onNavigate={onNavigate} />
      </nav>
      <UserMenu />
    </div>
  );
}

const LAST_SITE = 'galley-site';

/** The site that is open, or was opened last in this browser: on the pages of the account it stays at hand. */
function useLastSite(): string | undefined {
  const { site } = useParams({ strict: false });
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const isKnown = sites.some(({ id }) => id === site);
  useEffect(() => {
    if (site !== undefined && isKnown) keepLastSite(site);
  }, [site, isKnown]);
  if (site !== undefined) return site;
  const last = window.localStorage.getItem(LAST_SITE);
  return sites.find(({ id }) => id === last)?.id;
}

function keepLastSite(site: string): void {
  try {
    window.localStorage.setItem(LAST_SITE, site);
  } catch {
    // The browser has no room left. Then the site is forgotten, and nothing else is lost.
  }
}

interface EntriesProps extends SidebarProps {
  readonly title: string;
  readonly entries: readonly Entry[];
}

function Entries({ title, entries, onNavigate }: EntriesProps) {
  const isOwner = useIsOwner();
  return (
    <div>
      <p className={classes.title}>{title}</p>
      <ul className={classes.list}>
        {entries
          .filter(({ isForOwners }) => isOwner || !isForOwners)
          .map(({ label, icon: Icon, link }) => (
            <li key={label}>
              <Link {...link} className={classes.link} onClick={onNavigate}>
                <Icon size={17} stroke={1.7} aria-hidden />
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </div>
  );
}
