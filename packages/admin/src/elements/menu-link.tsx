import { Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type MenuAnchorProps = MenuItemProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof MenuItemProps> & { readonly ref?: Ref<HTMLAnchorElement> };

function MenuAnchor(props: MenuAnchorProps) {
  return <Menu.Item component="a" {...props} />;
}

/** A menu item that links to a panel route. */
export const MenuLink = createLink(MenuAnchor);
