/**
 * The window that may be the panel: the one that contains the page, or the one that opened it. Only its messages prove that it is the
 * panel. Undefined if there is no such window.
 */
export function findPanel(origin: string, target?: 'parent' | 'opener'): Window | undefined {
  if (target !== 'opener' && window.parent !== window) {
    // Not all browsers have this list. In those that do, a page in another website's frame is left unchanged.
    return (location.ancestorOrigins?.[0] ?? origin) === origin ? window.parent : undefined;
  }
  return target === 'parent' ? undefined : (window.opener ?? undefined);
}
