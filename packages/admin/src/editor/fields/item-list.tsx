// The items of a field, which have no keys of their own: put into another order, copied, taken out, and put back.

import { arrayMove } from '@dnd-kit/sortable';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { showToast } from '../../elements/show-toast.tsx';
import { SortableList } from '../../elements/sortable-list.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { useForm } from './form-context.ts';
import { ListItem } from './list-item.tsx';

interface ItemListProps<Item> {
  readonly items: readonly Item[];
  readonly onChange: (items: readonly Item[]) => void;
  /** What an item is called, for whoever hears rather than sees it. */
  readonly nameOf: (item: Item, index: number) => string;
  readonly children: (item: Item, index: number) => ReactNode;
  /** Whether a copy of an item is something else than the item. */
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
  const newest = useRef({ items, keys, change });
  useLayoutEffect(() => {
    newest.current = { items, keys, change };
  });
  const remove = (item: Item, index: number): void => {
    change(items.toSpliced(index, 1), keys.toSpliced(index, 1));
    if (item === '') return;
    const undo = (): void => {
      const now = newest.current;
      now.change(now.items.toSpliced(index, 0, item), now.keys.toSpliced(index, 0, makeKey()));
    };
    showToast({ text: EDITOR_TEXTS.wasRemoved(nameOf(item, index)), action: { label: EDITOR_TEXTS.undo, run: undo } });
  };
  const duplicate = (item: Item, index: number): void =>
    change(items.toSpliced(index + 1, 0, item), keys.toSpliced(index + 1, 0, makeKey()));
  return (
    <SortableList
      items={items}
      keyOf={(_, index) => keys[index] ?? ''}
      nameOf={nameOf}
      onMove={(from, to) => change(arrayMove([...items], from, to), arrayMove([...keys], from, to))}
    >
      {(item, index) => (
        <ListItem
          name={nameOf(item, index)}
          isReadOnly={isReadOnly}
          onDuplicate={canDuplicate ? () => duplicate(item, index) : undefined}
          onRemove={() => remove(item, index)}
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
