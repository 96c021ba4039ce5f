// The signed-in user's menu: theme, shortcuts, password and sign-out.

import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconLock, IconLogout, IconSelector } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { isUnauthenticated } from '../api/api-error.ts';
import { dropKeptDrafts, hasKeptDrafts } from '../editor/draft/kept-drafts.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { MenuLink } from '../elements/menu-link.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { saveUnsavedWork } from '../forms/unsaved-work.ts';
import { areOneKeyShortcutsOn, switchOneKeyShortcuts, watchOneKeyShortcuts } from '../keyboard/use-shortcuts.ts';
import { leaveSession } from '../session/session-query.ts';
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

/**
 * Saves while there is still a session, and asks about text that cannot be saved. After sign-out, no text is left in the browser, which
 * other people may use.
 */
function useSignOut() {
  const user = useUser();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, { open: ask, close: stay }] = useDisclosure(false);

  const end = async (): Promise<void> => {
    await readAnswer(api.DELETE('/manage/v1/session'));
    leaveSession(queryClient);
    dropKeptDrafts(window.localStorage, user.id);
    await navigate({ to: '/sign-in', ignoreBlocker: true });
  };

  const work = useMutation({
    mutationFn: async () => {
      const isSaved = await saveUnsavedWork();
      if (isSaved && !hasKeptDrafts(window.localStorage, user.id)) await end();
      else ask();
    },
    onError: (error) => {
      if (!isUnauthenticated(error)) showToast({ isError: true, text: describeError(error) });
    },
  });

  return { signOut: (): void => work.mutate(), isAsking, signOutUnsaved: end, stay };
}
