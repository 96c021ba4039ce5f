// Items in an order that can be changed: by dragging their grip, with the arrow keys on it, and from a menu. What was moved is
// said, and keeps the focus. How an item looks is its own affair, as long as it has a grip (`grip.tsx`).

import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { type ReactNode, useRef, useState } from 'react';
import { ORDER_TEXTS } from '../texts/order-texts.ts';
import { buildAnnouncements, DRAG_INSTRUCTIONS } from './drag-announcements.ts';
import { SortableItem } from './sortable-item.tsx';
import classes from './sortable-list.module.css';

/** Less is a click. */
const DRAG_PIXELS = 5;

interface SortableListProps<Item> {
  /** Left out where something around the list names it. */
  readonly label?: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item, index: number) => string;
  /** What an item is called, for whoever hears rather than sees it. */
  readonly nameOf: (item: Item, index: number) => string;
  readonly onMove: (from: number, to: number) => void;
  readonly children: (item: Item, index: number) => ReactNode;
}

export function SortableList<Item>({ label, items, keyOf, nameOf, onMove, children }: SortableListProps<Item>) {
  const [said, setSaid] = useState('');
  const lastMoved = useRef<string>(undefined);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PIXELS } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const keys = items.map(keyOf);
  const names = new Map(items.map((item, index) => [keyOf(item, index), nameOf(item, index)]));
  const nameOfKey = (key: string): string => names.get(key) ?? '';
  const move = (key: string, to: number): void => {
    const from = keys.indexOf(key);
    if (from === -1 || to < 0 || to >= items.length || from === to) return;
    lastMoved.current = key;
    setSaid(ORDER_TEXTS.dragEnded(nameOfKey(key), to + 1, items.length));
    onMove(from, to);
  };
  const endDrag = ({ active, over }: DragEndEvent): void => {
    if (over !== null) move(String(active.id), keys.indexOf(String(over.id)));
  };
  if (items.length === 0) return null;
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={endDrag}
      accessibility={{
        announcements: buildAnnouncements(nameOfKey, (key) => keys.indexOf(key) + 1, items.length),
        screenReaderInstructions: DRAG_INSTRUCTIONS,
      }}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <output className={classes.said}>{said}</output>
        <ol className={classes.list} aria-label={label}>
          {items.map((item, index) => {
            const key = keyOf(item, index);
            return (
              <SortableItem
                key={key}
                id={key}
                name={nameOfKey(key)}
                index={index}
                isLast={index === items.length - 1}
                lastMoved={lastMoved}
                onMove={(to) => move(key, to)}
              >
                {children(item, index)}
              </SortableItem>
            );
          })}
        </ol>
      </SortableContext>
    </DndContext>
  );
}
