// A list whose items can be moved by dragging their grip, by pressing the arrow keys on it, or from a menu. Screen readers announce
// an item's new position, and the item keeps the focus. Items can have any content, but need a grip (`grip.tsx`).

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type ScreenReaderInstructions,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { ORDER_TEXTS } from '../texts/list-texts.ts';
import { SortedItemContext } from './grip.tsx';
import classes from './sortable-list.module.css';

/** A shorter movement counts as a click. */
const DRAG_PIXELS = 5;

interface SortableListProps<Item> {
  /** Omitted if an element around the list already labels it. */
  readonly label?: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item, index: number) => string;
  /** The name of an item, for screen readers. */
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

const DRAG_INSTRUCTIONS: ScreenReaderInstructions = { draggable: ORDER_TEXTS.dragHelp };

/** The announcements for screen readers while an item is dragged. */
function buildAnnouncements(
  nameOf: (key: string) => string,
  placeOf: (key: string) => number,
  total: number,
): Announcements {
  return {
    onDragStart: ({ active }) => ORDER_TEXTS.dragStarted(nameOf(String(active.id))),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : ORDER_TEXTS.dragOver(nameOf(String(active.id)), placeOf(String(over.id)), total),
    // The list itself announces every move.
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => ORDER_TEXTS.dragCancelled(nameOf(String(active.id))),
  };
}

interface SortableItemProps {
  readonly id: string;
  readonly name: string;
  readonly index: number;
  readonly isLast: boolean;
  /** The ID of the item that was moved last. */
  readonly lastMoved: RefObject<string | undefined>;
  readonly onMove: (to: number) => void;
  readonly children: ReactNode;
}

function SortableItem({ id, name, index, isLast, lastMoved, onMove, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    attributes: { roleDescription: ORDER_TEXTS.sortable },
  });
  const grip = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(index);
  useLayoutEffect(() => {
    const wasMoved = shownAt.current !== index && lastMoved.current === id;
    shownAt.current = index;
    // Browsers remove the focus from an element when it is moved in the document.
    if (wasMoved && document.activeElement === document.body) grip.current?.focus();
  }, [id, index, lastMoved]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
    if (isDragging || step === undefined) {
      listeners?.onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    onMove(index + step);
  };
  return (
    <li
      ref={setNodeRef}
      className={classes.item}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <SortedItemContext
        value={{
          moveUp: index === 0 ? undefined : () => onMove(index - 1),
          moveDown: isLast ? undefined : () => onMove(index + 1),
          grip: {
            ...attributes,
            ...listeners,
            onKeyDown,
            'aria-label': ORDER_TEXTS.moveOf(name),
            ref: (element) => {
              grip.current = element;
              setActivatorNodeRef(element);
            },
          },
        }}
      >
        {children}
      </SortedItemContext>
    </li>
  );
}
