// A list whose entries can be put into another order: by drag, by keyboard on the grip, and by the grip's menu, for whoever can
// do neither. What happens is said to assistive technology.

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { ReactNode } from 'react';
import { SORTING_TEXTS } from '../texts/sorting-texts.ts';
import { SortableEntry } from './sortable-entry.tsx';
import classes from './sortable-list.module.css';

/** Less is a click. */
const DRAG_PIXELS = 5;

export interface SortableListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** What the entry is called while it is moved. */
  readonly nameOf: (item: Item, index: number) => string;
  readonly onMove: (from: number, to: number) => void;
  /** @param grip to be put where the entry begins */
  readonly children: (item: Item, grip: ReactNode, index: number) => ReactNode;
}

export function SortableList<Item>({ label, items, keyOf, nameOf, onMove, children }: SortableListProps<Item>) {
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
        announcements: buildAnnouncements(keys, names),
        screenReaderInstructions: { draggable: SORTING_TEXTS.instructions },
      }}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <ul className={classes.list} aria-label={label}>
          {items.map((item, index) => (
            <SortableEntry
              key={keyOf(item)}
              id={keyOf(item)}
              name={nameOf(item, index)}
              onMoveUp={index === 0 ? undefined : () => onMove(index, index - 1)}
              onMoveDown={index === items.length - 1 ? undefined : () => onMove(index, index + 1)}
            >
              {(grip) => children(item, grip, index)}
            </SortableEntry>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

function buildAnnouncements(keys: readonly string[], names: ReadonlyMap<string, string>): Announcements {
  const nameOf = (id: UniqueIdentifier): string => names.get(String(id)) ?? '';
  const positionOf = (id: UniqueIdentifier): number => keys.indexOf(String(id)) + 1;
  return {
    onDragStart: ({ active: { id } }) => SORTING_TEXTS.pickedUp(nameOf(id), positionOf(id), keys.length),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : SORTING_TEXTS.movedTo(nameOf(active.id), positionOf(over.id), keys.length),
    onDragEnd: ({ active, over }) =>
      over === null
        ? SORTING_TEXTS.left(nameOf(active.id))
        : SORTING_TEXTS.putDown(nameOf(active.id), positionOf(over.id), keys.length),
    onDragCancel: ({ active }) => SORTING_TEXTS.left(nameOf(active.id)),
  };
}
