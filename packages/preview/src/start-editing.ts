// The connections of a page share one overlay, so that a field has one outline and each click is reported once.

import type { Mark } from './mark.ts';
import { type Editing, openEditing } from './open-editing.ts';

let shared: Editing | undefined;
let users = 0;

/** @param onEdit receives the field that the editor clicked. If editing has been started before, the earlier function receives it. */
export function startEditing(onEdit: (mark: Mark) => void): Editing {
  shared ??= openEditing(onEdit);
  const editing = shared;
  users++;
  return {
    setEdited: editing.setEdited,
    close() {
      users--;
      if (users > 0) return;
      shared = undefined;
      editing.close();
    },
  };
}
