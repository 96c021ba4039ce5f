// Chooses which rows of a long list are rendered: those in view, a few around them, and the active row, which would otherwise lose
// focus. The page itself scrolls.

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** The number of pixels covered by the sticky header and by the bar at the bottom. */
const COVERED_TOP = 100;
const COVERED_BOTTOM = 90;
const OVERSCAN = 8;

interface RowWindowOptions {
  readonly bodyRef: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  readonly active: number;
}

export function useRowWindow({ bodyRef, count, rowHeight, active }: RowWindowOptions) {
  const [scrollMargin, setScrollMargin] = useState(0);
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin,
    scrollPaddingStart: COVERED_TOP,
    scrollPaddingEnd: COVERED_BOTTOM,
    rangeExtractor: (range) => includeActive(range, active),
  });
  // The content above the list may grow or shrink. Measuring on every scroll would force a layout each time.
  useLayoutEffect(() => {
    const measure = (): void =>
      setScrollMargin(Math.round((bodyRef.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [bodyRef]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measurements are invalid when the row height changes
  useLayoutEffect(() => rows.measure(), [rowHeight]);
  return { rows, scrollMargin };
}

function includeActive(range: Range, active: number): number[] {
  const shown = defaultRangeExtractor(range);
  if (active >= range.count || shown.includes(active)) return shown;
  return [...shown, active].sort((one, other) => one - other);
}
