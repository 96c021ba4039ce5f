// A new page is announced like a new document: the focus goes to its heading, unless the page has put it somewhere itself.

import type { AnyRouter } from '@tanstack/react-router';

export function focusOnNavigation(router: AnyRouter): void {
  let isFirst = true;
  router.subscribe('onRendered', ({ pathChanged }) => {
    if (isFirst) {
      isFirst = false;
      return;
    }
    if (!pathChanged) return;
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) return;
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
  });
}
