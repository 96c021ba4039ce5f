// All connections on a page share one overlay, so that each field has one outline and each click is reported once.

import type { Mark } from './mark.ts';
import { type Editing, openEditing } from './open-editing.ts';

let shared: Editing | undefined;
let users = 0;

/** @param onEdit called with the field that the editor clicked. If editing has already started, only the earlier function is called. */
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
