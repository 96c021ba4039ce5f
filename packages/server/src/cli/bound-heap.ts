// Limits the heap size of commands. By default, V8 lets the young generation grow to 128 MB (loading the service is enough to reach that)
// and lets the heap double before it collects garbage. In measurements, neither makes requests faster, and a small young generation fits
// better into the processor's caches. Node.js has flags for both limits, but commands are started in many ways, and the growth rates can
// be changed at any time.
//
// bin/galley.js limits the young generation while the program loads, because loading takes longer than the time between two checks.

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The young generation is already this size when the program starts to load (bin/galley.js). */
const ENOUGH_YOUNG_BYTES = 16 * 1024 * 1024;
const LOOK_EVERY_MS = 50;
/** As a percentage of the live heap after the last collection. */
const GROWTH_BETWEEN_LOOKS = 30;

let growth = 0;

/** Applies to the rest of the process. Call this before most modules are loaded. */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_BETWEEN_LOOKS}`);
  boundYoungSpace();
  // V8 shrinks an idle young generation, which then has to grow again.
  setInterval(boundYoungSpace, LOOK_EVERY_MS).unref();
}

function boundYoungSpace(): void {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  const wanted = space !== undefined && space.space_size >= ENOUGH_YOUNG_BYTES ? 1 : 2;
  if (wanted === growth) return;
  growth = wanted;
  setFlagsFromString(`--semi-space-growth-factor=${growth}`);
}
