import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import classes from './ordered-list.module.css';

interface OrderedEntryProps {
  readonly id: string;
  readonly name: string;
  readonly onMoveUp: (() => void) | undefined;
  readonly onMoveDown: (() => void) | undefined;
  readonly children: (grip: ReactNode) => ReactNode;
}

export function OrderedEntry({ id, name, onMoveUp, onMoveDown, children }: OrderedEntryProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
  });
  const grip = (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon
          ref={setActivatorNodeRef}
          className={classes.grip}
          aria-describedby={attributes['aria-describedby']}
          {...listeners}
          aria-label={EDITOR_TEXTS.moveOf(name)}
        >
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconArrowUp size={15} aria-hidden />}
          disabled={onMoveUp === undefined}
          onClick={onMoveUp}
        >
          {EDITOR_TEXTS.moveUp}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={15} aria-hidden />}
          disabled={onMoveDown === undefined}
          onClick={onMoveDown}
        >
          {EDITOR_TEXTS.moveDown}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <li
      ref={setNodeRef}
      className={classes.entry}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {children(grip)}
    </li>
  );
}
