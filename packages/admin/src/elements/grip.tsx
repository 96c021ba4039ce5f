// What an item of a sortable list is dragged by, and moved with the arrow keys.

import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { ORDER_TEXTS } from '../texts/order-texts.ts';
import classes from './sortable-list.module.css';
import { useSortedItem } from './sorted-item.ts';

export function Grip() {
  const { grip } = useSortedItem();
  return (
    <ActionIcon {...grip} className={classes.grip}>
      <IconGripVertical size={16} aria-hidden />
    </ActionIcon>
  );
}

/** The same where the item has no menu of its own: a click on it opens one, for whoever can neither drag nor type. */
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

/** The entries of a menu that move the item by one place. */
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
