// Measures the space that a bar at the bottom of the screen, or a panel in the bottom right corner, takes up. Toasts are kept above
// both, and focused elements above the bar.

import { useCallback } from 'react';

type Ref = (element: HTMLElement | null) => (() => void) | undefined;

/** The ref for a bar that stays at the bottom of the screen. A page has at most one such bar. */
export function useBottomBar(): Ref {
  return useCallback((bar) => {
    if (bar === null) return undefined;
    bar.dataset.bottomBar = '';
    return publishHeight(bar, '--galley-bottom-bar', () => Number.parseFloat(getComputedStyle(bar).bottom));
  }, []);
}

const CORNER_GAP = 8;

/** The ref for the panel in the bottom right corner. There is at most one. */
export function useCornerPanel(): Ref {
  return useCallback(
    (panel) => (panel === null ? undefined : publishHeight(panel, '--galley-corner-panel', () => CORNER_GAP)),
    [],
  );
}

/** Keeps a CSS variable equal to the element's height plus a gap, until the returned function is called. */
function publishHeight(element: HTMLElement, variable: string, readGap: () => number): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(variable, `${element.offsetHeight + readGap()}px`));
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty(variable);
  };
}
