// Items in an order that can be changed: by dragging, with the arrow keys on the handle, or from each item's menu.

import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { arrayMove, SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { type ReactNode, useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { buildAnnouncements, DRAG_INSTRUCTIONS } from './drag-announcements.ts';
import { SortableItem } from './sortable-item.tsx';
import classes from './sortable-list.module.css';

interface SortableListProps<Item> {
  readonly items: readonly Item[];
  readonly onChange: (items: readonly Item[]) => void;
  /** What an item is called, for whoever hears rather than sees it. */
  readonly nameOf: (item: Item, index: number) => string;
  readonly children: (item: Item, index: number) => ReactNode;
  readonly isReadOnly: boolean;
  /** Whether a copy of an item is something else than the item. */
  readonly canDuplicate?: boolean;
}

let lastKey = 0;

export function SortableList<Item>(props: SortableListProps<Item>) {
  const { items, onChange, nameOf, children, isReadOnly, canDuplicate = false } = props;
  const [known, setKeys] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const keys = alignKeys(known, items.length);
  if (keys !== known) setKeys(keys);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));

  const change = (nextItems: readonly Item[], nextKeys: readonly string[]): void => {
    setKeys(nextKeys);
    onChange(nextItems);
  };
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= items.length || from === to) return;
    setSaid(EDITOR_TEXTS.dragEnded(nameOfKey(keys[from] ?? ''), to + 1, items.length));
    change(arrayMove([...items], from, to), arrayMove([...keys], from, to));
  };
  const onDragEnd = ({ active, over }: DragEndEvent): void => {
    if (over !== null) move(keys.indexOf(String(active.id)), keys.indexOf(String(over.id)));
  };
  const nameOfKey = (key: string): string => {
    const index = keys.indexOf(key);
    const item = items[index];
    return item === undefined ? '' : nameOf(item, index);
  };

  if (items.length === 0) return null;
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        announcements: buildAnnouncements(nameOfKey, (key) => keys.indexOf(key) + 1, items.length),
        screenReaderInstructions: DRAG_INSTRUCTIONS,
      }}
    >
      <SortableContext items={[...keys]} strategy={verticalListSortingStrategy}>
        <output className={classes.said}>{said}</output>
        <ol className={classes.list}>
          {items.map((item, index) => (
            <SortableItem
              key={keys[index]}
              id={keys[index] ?? ''}
              name={nameOf(item, index)}
              isReadOnly={isReadOnly}
              isFirst={index === 0}
              isLast={index === items.length - 1}
              onMove={(step) => move(index, index + step)}
              onDuplicate={
                canDuplicate
                  ? () => change(items.toSpliced(index + 1, 0, item), keys.toSpliced(index + 1, 0, makeKey()))
                  : undefined
              }
              onRemove={() => change(items.toSpliced(index, 1), keys.toSpliced(index, 1))}
            >
              {children(item, index)}
            </SortableItem>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
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
