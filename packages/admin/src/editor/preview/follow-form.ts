import type { ManagedContentBody } from '@galley/wire';
import type { Draft } from '../draft/open-draft.ts';
import { readFieldPath } from '../fields/show-field.ts';
import type { Preview } from './open-preview.ts';

/** Tells the preview about each change, each new version and the focused field. @returns a function that stops it */
export function followForm(draft: Draft, preview: Preview): () => void {
  let { values, content } = draft.read();
  preview.change(values);
  const noteFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const path = readFieldPath(target);
    // Dialogs and menus belong to the field that opened them.
    if (path !== undefined) preview.focus(path);
    else if (target.closest('main') !== null && target.closest('iframe, section') === null) preview.focus(null);
  };
  const unwatch = draft.watch(() => {
    const next = draft.read();
    const hasValues = next.values !== values;
    const isNew = isNewVersion(content, next.content);
    ({ values, content } = next);
    if (hasValues) preview.change(values);
    if (isNew) preview.refresh();
  });
  document.addEventListener('focusin', noteFocus);
  if (document.activeElement !== null) preview.focus(readFieldPath(document.activeElement) ?? null);
  return () => {
    unwatch();
    document.removeEventListener('focusin', noteFocus);
  };
}

/** Publishing creates no version, but pages may show the publication date. */
function isNewVersion(before: ManagedContentBody, now: ManagedContentBody): boolean {
  return before.version !== now.version || before.published_at !== now.published_at;
}
