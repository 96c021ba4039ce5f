// Measures the space that a bar at the bottom of the screen takes up. Toasts and focused elements are kept above it.

import { useCallback } from 'react';

const TAKEN = '--galley-bottom-bar';

/** The ref for a bar that stays at the bottom of the screen. A page has at most one such bar. */
export function useBottomBar(): (bar: HTMLElement | null) => (() => void) | undefined {
  return useCallback((bar) => {
    if (bar === null) return undefined;
    bar.dataset.bottomBar = '';
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const gap = Number.parseFloat(getComputedStyle(bar).bottom);
      style.setProperty(TAKEN, `${bar.offsetHeight + gap}px`);
    });
    observer.observe(bar);
    return () => {
      observer.disconnect();
      style.removeProperty(TAKEN);
    };
  }, []);
}
