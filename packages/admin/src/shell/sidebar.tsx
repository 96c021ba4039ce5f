// The sidebar: the site switcher, the navigation, and the user menu.

import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconLayoutGrid, IconPlus, IconSelector } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { MenuLink } from '../elements/menu-link.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { listAccountEntries, listSiteEntries } from './navigation.ts';
import classes from './sidebar.module.css';
import switcherClasses from './switcher.module.css';
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

/** The open site. On account pages, the site that was last opened in this browser. */
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
    // If the browser storage is full, the panel does not remember which site was opened last. Nothing else is affected.
  }
}

interface SiteSwitcherProps extends SidebarProps {
  readonly site: string | undefined;
}

function SiteSwitcher({ site, onNavigate }: SiteSwitcherProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const isOwner = useIsOwner();
  const current = sites.find(({ id }) => id === site);
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={switcherClasses.button}>
          <span className={switcherClasses.texts}>
            <span className={switcherClasses.small}>{SHELL_TEXTS.site}</span>
            <span className={switcherClasses.name}>{current?.name ?? SHELL_TEXTS.chooseSite}</span>
          </span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" className={switcherClasses.dropdown}>
        {sites.map(({ id, name }) => (
          <MenuLink
            key={id}
            to="/sites/$site"
            params={{ site: id }}
            onClick={onNavigate}
            rightSection={id === site ? <IconCheck size={15} aria-hidden /> : undefined}
          >
            {name}
          </MenuLink>
        ))}
        {sites.length > 0 && <Menu.Divider />}
        <MenuLink to="/sites" onClick={onNavigate} leftSection={<IconLayoutGrid size={15} aria-hidden />}>
          {SHELL_TEXTS.allSites}
        </MenuLink>
        {isOwner && (
          <MenuLink to="/sites/new" onClick={onNavigate} leftSection={<IconPlus size={15} aria-hidden />}>
            {SHELL_TEXTS.newSite}
          </MenuLink>
        )}
      </Menu.Dropdown>
    </Menu>
  );
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
