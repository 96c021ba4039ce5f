/** The panel's window, as far as the page can tell. Only messages prove that it is the panel. */
export interface PanelWindow {
  readonly window: Window;
  /** Whether the page is in a frame. */
  readonly isParent: boolean;
}

/** Undefined if the page is neither in a frame of the panel nor in a tab that another window opened. */
export function findPanel(origin: string, target?: 'parent' | 'opener'): PanelWindow | undefined {
  const isParent = window.parent !== window;
  if (target !== 'opener' && isParent) {
    // Not all browsers have this list. In those that do, a frame in another website's page stays as it is.
    const parentOrigin = location.ancestorOrigins?.[0];
    if (parentOrigin !== undefined && parentOrigin !== origin) return undefined;
    return { window: window.parent, isParent };
  }
  const opener: Window | null = window.opener;
  return target === 'parent' || opener === null ? undefined : { window: opener, isParent: false };
}
