import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconLock, IconLogout, IconSelector } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { MenuLink } from '../elements/menu-link.tsx';
import { areOneKeyShortcutsOn, switchOneKeyShortcuts, watchOneKeyShortcuts } from '../keyboard/one-key-shortcuts.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { useUser } from '../session/use-user.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { COLOR_SCHEMES } from '../theme/theme.ts';
import classes from './switcher.module.css';

export function UserMenu() {
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const hasOneKey = useSyncExternalStore(watchOneKeyShortcuts, areOneKeyShortcutsOn);
  const { signOut, isAsking, signOutUnsaved, stay } = useSignOut();
  return (
    <>
      <Menu
        width="target"
        position="top-start"
        checkIcon={<IconCheck size={15} aria-hidden />}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <span className={classes.texts}>
              <span className={classes.name}>{user.name}</span>
              <span className={classes.small}>{SHELL_TEXTS.roles[user.role]}</span>
            </span>
            <IconSelector size={16} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{SHELL_TEXTS.colorScheme}</Menu.Label>
          {COLOR_SCHEMES.map((scheme) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              checked={scheme === colorScheme}
              onChange={() => setColorScheme(scheme)}
            >
              {SHELL_TEXTS.colorSchemes[scheme]}
            </Menu.RadioItem>
          ))}
          <Menu.Divider />
          <Menu.CheckboxItem checked={hasOneKey} onChange={switchOneKeyShortcuts}>
            {SHELL_TEXTS.oneKeyShortcuts}
          </Menu.CheckboxItem>
          <Menu.Divider />
          <MenuLink to="/account/password" leftSection={<IconLock size={15} aria-hidden />}>
            {SHELL_TEXTS.changePassword}
          </MenuLink>
          <Menu.Item onClick={signOut} leftSection={<IconLogout size={15} aria-hidden />}>
            {SHELL_TEXTS.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isAsking}
        title={SHELL_TEXTS.unsavedTitle}
        text={SHELL_TEXTS.unsavedText}
        confirmLabel={SHELL_TEXTS.signOutUnsaved}
        onConfirm={signOutUnsaved}
        onClose={stay}
      />
    </>
  );
}
