// The items in a field, which can be added, reordered, copied and removed; removed items can be restored. Items have no IDs, so the list
// assigns their keys.

import { arrayMove } from '@dnd-kit/sortable';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconPlus, IconTrash } from '@tabler/icons-react';
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Grip, MoveEntries } from '../../elements/grip.tsx';
import { showToast } from '../../elements/show-toast.tsx';
import { SortableList } from '../../elements/sortable-list.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { useForm } from './form-context.ts';
import classes from './item-list.module.css';

interface ItemListProps<Item> {
  readonly items: readonly Item[];
  readonly onChange: (items: readonly Item[]) => void;
  /** The name of an item, for screen readers and messages. */
  readonly nameOf: (item: Item, index: number) => string;
  readonly children: (item: Item, index: number) => ReactNode;
  /** Whether items can be copied. */
  readonly canDuplicate?: boolean;
}

let lastKey = 0;

export function ItemList<Item>({ items, onChange, nameOf, children, canDuplicate = false }: ItemListProps<Item>) {
  const { isReadOnly } = useForm();
  const [known, setKeys] = useState<readonly string[]>([]);
  const keys = alignKeys(known, items.length);
  if (keys !== known) setKeys(keys);
  const change = (nextItems: readonly Item[], nextKeys: readonly string[]): void => {
    setKeys(nextKeys);
    onChange(nextItems);
  };
  const newest = useRef({ items, keys, change, nameOf });
  useLayoutEffect(() => {
    newest.current = { items, keys, change, nameOf };
  });
  const insert = useCallback((index: number, item: Item): void => {
    const now = newest.current;
    now.change(now.items.toSpliced(index, 0, item), now.keys.toSpliced(index, 0, makeKey()));
  }, []);
  const remove = useCallback(
    (index: number): void => {
      const now = newest.current;
      const removed = now.items.slice(index, index + 1);
      now.change(now.items.toSpliced(index, 1), now.keys.toSpliced(index, 1));
      for (const item of removed.filter((each) => each !== '')) {
        const text = EDITOR_TEXTS.wasRemoved(now.nameOf(item, index));
        showToast({ text, action: { label: EDITOR_TEXTS.undo, run: () => insert(index, item) } });
      }
    },
    [insert],
  );
  const duplicate = useCallback(
    (index: number): void => {
      for (const item of newest.current.items.slice(index, index + 1)) insert(index + 1, item);
    },
    [insert],
  );
  return (
    <SortableList
      items={items}
      keyOf={(_, index) => keys[index] ?? ''}
      nameOf={nameOf}
      onMove={(from, to) => change(arrayMove([...items], from, to), arrayMove([...keys], from, to))}
    >
      {(item, index) => (
        <ListItem
          index={index}
          name={nameOf(item, index)}
          isReadOnly={isReadOnly}
          onDuplicate={canDuplicate ? duplicate : undefined}
          onRemove={remove}
        >
          {children(item, index)}
        </ListItem>
      )}
    </SortableList>
  );
}

function makeKey(): string {
  lastKey += 1;
  return `item-${lastKey}`;
}

function alignKeys(keys: readonly string[], count: number): readonly string[] {
  if (keys.length === count) return keys;
  return Array.from({ length: count }, (_, index) => keys[index] ?? makeKey());
}

interface ItemMenuProps {
  readonly index: number;
  readonly name: string;
  readonly onDuplicate: ((index: number) => void) | undefined;
  readonly onRemove: (index: number) => void;
}

interface ListItemProps extends ItemMenuProps {
  readonly isReadOnly: boolean;
  readonly children: ReactNode;
}

/** An item with its grip and its menu. */
function ListItem({ isReadOnly, children, ...item }: ListItemProps) {
  if (isReadOnly) return children;
  return (
    <div className={classes.item}>
      <Grip />
      <div className={classes.content}>{children}</div>
      <ItemMenu {...item} />
    </div>
  );
}

/** Menus take a long time to render, and every keystroke in an item renders the whole list. */
const ItemMenu = memo(function ItemMenu({ index, name, onDuplicate, onRemove }: ItemMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={EDITOR_TEXTS.actionsOf(name)}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MoveEntries />
        {onDuplicate !== undefined && (
          <Menu.Item leftSection={<IconCopy size={15} aria-hidden />} onClick={() => onDuplicate(index)}>
            {EDITOR_TEXTS.duplicate}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => onRemove(index)}>
          {EDITOR_TEXTS.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});

interface AddButtonProps {
  readonly text: string;
  /** The text including the field's name, for screen readers. */
  readonly label: string;
  readonly onClick: () => void;
  readonly icon?: typeof IconPlus;
}

/** Adds an item below the others. */
export function AddButton({ text, label, onClick, icon: Icon = IconPlus }: AddButtonProps) {
  return (
    <div>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon size={15} aria-hidden />}
        aria-label={label}
        onClick={onClick}
      >
        {text}
      </Button>
    </div>
  );
}
