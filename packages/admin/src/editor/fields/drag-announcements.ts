import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = { draggable: EDITOR_TEXTS.dragHelp };

/** What is said while an item is moved by keyboard. */
export function buildAnnouncements(
  nameOf: (key: string) => string,
  placeOf: (key: string) => number,
  total: number,
): Announcements {
  return {
    onDragStart: ({ active }) => EDITOR_TEXTS.dragStarted(nameOf(String(active.id))),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : EDITOR_TEXTS.dragOver(nameOf(String(active.id)), placeOf(String(over.id)), total),
    onDragEnd: ({ active, over }) =>
      over === null
        ? EDITOR_TEXTS.dragCancelled(nameOf(String(active.id)))
        : EDITOR_TEXTS.dragEnded(nameOf(String(active.id)), placeOf(String(over.id)), total),
    onDragCancel: ({ active }) => EDITOR_TEXTS.dragCancelled(nameOf(String(active.id))),
  };
}
