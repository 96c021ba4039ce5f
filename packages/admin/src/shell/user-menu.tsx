import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconLock, IconLogout, IconSelector } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { MenuLink } from '../elements/menu-link.tsx';
import { leaveSession } from '../session/session-query.ts';
import { useUser } from '../session/use-user.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { COLOR_SCHEMES } from '../theme/color-scheme.ts';
import classes from './switcher.module.css';

export function UserMenu() {
  const user = useUser();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useMutation({
    mutationFn: () => readAnswer(api.DELETE('/manage/v1/session')),
    onSuccess: async () => {
      leaveSession(queryClient);
      await navigate({ to: '/sign-in' });
    },
  });
  return (
    <Menu width="target" position="top-start">
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
            checkIcon={<IconCheck size={15} aria-hidden />}
          >
            {SHELL_TEXTS.colorSchemes[scheme]}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <MenuLink to="/account/password" leftSection={<IconLock size={15} aria-hidden />}>
          {SHELL_TEXTS.changePassword}
        </MenuLink>
        <Menu.Item onClick={() => signOut.mutate()} leftSection={<IconLogout size={15} aria-hidden />}>
          {SHELL_TEXTS.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
