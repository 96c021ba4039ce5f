import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { ORDER_TEXTS } from '../texts/order-texts.ts';
import classes from './sortable-list.module.css';
import { SortedItemContext } from './sorted-item.ts';

interface SortableItemProps {
  readonly id: string;
  readonly name: string;
  readonly index: number;
  readonly isLast: boolean;
  /** The id of the item that was moved last. */
  readonly lastMoved: RefObject<string | undefined>;
  readonly onMove: (to: number) => void;
  readonly children: ReactNode;
}

export function SortableItem({ id, name, index, isLast, lastMoved, onMove, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    attributes: { roleDescription: ORDER_TEXTS.sortable },
  });
  const grip = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(index);
  useLayoutEffect(() => {
    const wasMoved = shownAt.current !== index && lastMoved.current === id;
    shownAt.current = index;
    // An element that is put elsewhere loses the focus.
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
