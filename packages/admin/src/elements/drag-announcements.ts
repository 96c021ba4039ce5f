import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import { ORDER_TEXTS } from '../texts/order-texts.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = { draggable: ORDER_TEXTS.dragHelp };

/** What is said while an item is dragged. */
export function buildAnnouncements(
  nameOf: (key: string) => string,
  placeOf: (key: string) => number,
  total: number,
): Announcements {
  return {
    onDragStart: ({ active }) => ORDER_TEXTS.dragStarted(nameOf(String(active.id))),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : ORDER_TEXTS.dragOver(nameOf(String(active.id)), placeOf(String(over.id)), total),
    // The list itself says where it was put, by whatever means it was moved.
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => ORDER_TEXTS.dragCancelled(nameOf(String(active.id))),
  };
}
