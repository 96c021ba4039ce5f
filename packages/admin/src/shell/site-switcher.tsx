import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconLayoutGrid, IconPlus, IconSelector } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { MenuLink } from '../elements/menu-link.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './switcher.module.css';

interface SiteSwitcherProps {
  readonly site: string | undefined;
  readonly onNavigate: () => void;
}

export function SiteSwitcher({ site, onNavigate }: SiteSwitcherProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const isOwner = useIsOwner();
  const current = sites.find(({ id }) => id === site);
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className={classes.texts}>
            <span className={classes.small}>{SHELL_TEXTS.site}</span>
            <span className={classes.name}>{current?.name ?? SHELL_TEXTS.chooseSite}</span>
          </span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" className={classes.dropdown}>
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
