import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconDots, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './sortable-list.module.css';

interface SortableItemProps {
  readonly id: string;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (step: -1 | 1) => void;
  readonly onDuplicate: (() => void) | undefined;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

export function SortableItem(props: SortableItemProps) {
  const { id, name, isReadOnly, isFirst, isLast, onMove, onDuplicate, onRemove, children } = props;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: isReadOnly,
    attributes: { roleDescription: EDITOR_TEXTS.sortable },
  });
  const handle = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
    if (step === undefined) return;
    event.preventDefault();
    flushSync(() => onMove(step));
    // An element that is put elsewhere loses the focus.
    handle.current?.focus();
  };
  return (
    <li
      ref={setNodeRef}
      className={classes.item}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {!isReadOnly && (
        <ActionIcon
          ref={(element: HTMLButtonElement | null) => {
            handle.current = element;
            setActivatorNodeRef(element);
          }}
          className={classes.handle}
          {...attributes}
          {...listeners}
          onKeyDown={onKeyDown}
          aria-label={EDITOR_TEXTS.moveOf(name)}
        >
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
      )}
      <div className={classes.content}>{children}</div>
      {!isReadOnly && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon className={classes.more} aria-label={EDITOR_TEXTS.actionsOf(name)}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconArrowUp size={15} aria-hidden />}
              disabled={isFirst}
              onClick={() => onMove(-1)}
            >
              {EDITOR_TEXTS.moveUp}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={15} aria-hidden />}
              disabled={isLast}
              onClick={() => onMove(1)}
            >
              {EDITOR_TEXTS.moveDown}
            </Menu.Item>
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
      )}
    </li>
  );
}
