// A list whose entries have keys of their own and can be put into another order: by drag, by keyboard on the grip, and from the
// grip's menu, for whoever can do neither.

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
import type { ReactNode } from 'react';
import { buildAnnouncements, DRAG_INSTRUCTIONS } from '../editor/fields/drag-announcements.ts';
import { OrderedEntry } from './ordered-entry.tsx';
import classes from './ordered-list.module.css';

/** Less is a click. */
const DRAG_PIXELS = 5;

interface OrderedListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** What the entry is called while it is moved. */
  readonly nameOf: (item: Item, index: number) => string;
  readonly onMove: (from: number, to: number) => void;
  /** @param grip to be put where the entry begins */
  readonly children: (item: Item, grip: ReactNode, index: number) => ReactNode;
}

export function OrderedList<Item>({ label, items, keyOf, nameOf, onMove, children }: OrderedListProps<Item>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PIXELS } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const keys = items.map(keyOf);
  const names = new Map(items.map((item, index) => [keyOf(item), nameOf(item, index)]));
  const endDrag = ({ active, over }: DragEndEvent): void => {
    const [from, to] = [keys.indexOf(String(active.id)), keys.indexOf(String(over?.id))];
    if (from !== to && from !== -1 && to !== -1) onMove(from, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={endDrag}
      accessibility={{
        announcements: buildAnnouncements(
          (key) => names.get(key) ?? '',
          (key) => keys.indexOf(key) + 1,
          keys.length,
        ),
        screenReaderInstructions: DRAG_INSTRUCTIONS,
      }}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <ul className={classes.list} aria-label={label}>
          {items.map((item, index) => (
            <OrderedEntry
              key={keyOf(item)}
              id={keyOf(item)}
              name={nameOf(item, index)}
              onMoveUp={index === 0 ? undefined : () => onMove(index, index - 1)}
              onMoveDown={index === items.length - 1 ? undefined : () => onMove(index, index + 1)}
            >
              {(grip) => children(item, grip, index)}
            </OrderedEntry>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}
