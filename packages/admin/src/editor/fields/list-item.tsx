import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Grip, MoveEntries } from '../../elements/grip.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './list-item.module.css';

interface ListItemProps {
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly onDuplicate: (() => void) | undefined;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** An item of a field between its grip and its menu. */
export function ListItem({ name, isReadOnly, onDuplicate, onRemove, children }: ListItemProps) {
  if (isReadOnly) return children;
  return (
    <div className={classes.item}>
      <Grip />
      <div className={classes.content}>{children}</div>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={EDITOR_TEXTS.actionsOf(name)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MoveEntries />
          {onDuplicate !== undefined && (
            <Menu.Item leftSection={<IconCopy size={15} aria-hidden />} onClick={onDuplicate}>
              {EDITOR_TEXTS.duplicate}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={onRemove}>
            {EDITOR_TEXTS.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
