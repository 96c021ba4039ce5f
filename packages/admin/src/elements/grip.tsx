// The grip of an item in a sortable list: people can drag it, press the arrow keys on it, or use its menu.

import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { createContext, type HTMLAttributes, type RefCallback, use } from 'react';
import { ORDER_TEXTS } from '../texts/list-texts.ts';
import classes from './sortable-list.module.css';

interface SortedItem {
  /** Undefined for the first item. */
  readonly moveUp: (() => void) | undefined;
  /** Undefined for the last item. */
  readonly moveDown: (() => void) | undefined;
  readonly grip: Omit<HTMLAttributes<HTMLElement>, 'color' | 'style'> & {
    readonly ref: RefCallback<HTMLButtonElement>;
  };
}

export const SortedItemContext = createContext<SortedItem | undefined>(undefined);

function useSortedItem(): SortedItem {
  const item = use(SortedItemContext);
  if (item === undefined) throw new Error('A grip must be inside an item of a sortable list.');
  return item;
}

export function Grip() {
  const { grip } = useSortedItem();
  return (
    <ActionIcon {...grip} className={classes.grip}>
      <IconGripVertical size={16} aria-hidden />
    </ActionIcon>
  );
}

/**
 * A grip for items without their own menu: a click opens a menu, for people who can neither drag nor use the keyboard.
 */
export function MenuGrip() {
  const { grip } = useSortedItem();
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon {...grip} className={classes.grip}>
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MoveEntries />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Menu entries that move the item by one position. */
export function MoveEntries() {
  const { moveUp, moveDown } = useSortedItem();
  return (
    <>
      <Menu.Item leftSection={<IconArrowUp size={15} aria-hidden />} disabled={moveUp === undefined} onClick={moveUp}>
        {ORDER_TEXTS.moveUp}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={15} aria-hidden />}
        disabled={moveDown === undefined}
        onClick={moveDown}
      >
        {ORDER_TEXTS.moveDown}
      </Menu.Item>
    </>
  );
}
