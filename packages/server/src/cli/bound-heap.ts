// The service keeps its heap small. V8 is made for programs that take what there is: it lets the space for young objects
// double until it takes 128 MB, half of it by the time that the service has been loaded, and the heap double before it
// looks for what died. Measured: neither makes a request faster. Both can be bounded by flags of Node's, but a
// command is started in many ways; how fast they grow can be changed at any time.

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const ENOUGH_YOUNG_BYTES = 16 * 1024 * 1024;
const LOOK_EVERY_MS = 20;
/** In percent of what was alive when the collector last looked. */
const GROWTH_BETWEEN_LOOKS = 25;

/** For as long as modules are being loaded, which leaves little that dies young. */
export function holdHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_BETWEEN_LOOKS}`);
  holdYoungSpace();
}

/** Under load the young space grows within a second to what serves it well, and then not further. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const timer = setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (space === undefined || space.space_size < ENOUGH_YOUNG_BYTES) return;
    holdYoungSpace();
    clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
}

function holdYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
