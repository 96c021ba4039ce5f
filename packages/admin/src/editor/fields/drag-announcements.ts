import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = { draggable: EDITOR_TEXTS.dragHelp };

/** What is said while an item is dragged. */
export function buildAnnouncements(
  nameOf: (key: string) => string,
  placeOf: (key: string) => number,
  total: number,
): Announcements {
  return {
    onDragStart: ({ active }) => EDITOR_TEXTS.dragStarted(nameOf(String(active.id))),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : EDITOR_TEXTS.dragOver(nameOf(String(active.id)), placeOf(String(over.id)), total),
    // The list itself says where it was put, by whatever means it was moved.
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => EDITOR_TEXTS.dragCancelled(nameOf(String(active.id))),
  };
}
