// Random numbers that are the same in every run, so that the pictures are also the same.

export interface Random {
  /** A number from `from` up to `to`. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + (to - from) * next(),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
  };
}

/** Smooth noise along a line, from -1 to 1, with a wavelength of 1 and two finer octaves. */
export function createNoise(seed: number): (x: number) => number {
  const random = createRandom(seed);
  const values = Array.from({ length: 256 }, () => random.between(-1, 1));
  const octave = (x: number): number => {
    const cell = Math.floor(x);
    const within = x - cell;
    const smooth = within * within * (3 - 2 * within);
    const value = (index: number): number => values[((index % 256) + 256) % 256] ?? 0;
    return value(cell) * (1 - smooth) + value(cell + 1) * smooth;
  };
  return (x) => (octave(x) + octave(x * 2.3 + 7) * 0.4 + octave(x * 5.1 + 3) * 0.16) / 1.56;
}

/** Smooth noise in a plane, from -1 to 1, with a wavelength of 1. */
export function createField(seed: number): (x: number, y: number) => number {
  const random = createRandom(seed * 7919);
  const values = Float32Array.from({ length: 256 * 256 }, () => random.between(-1, 1));
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const right = smooth(x - left);
    const down = smooth(y - top);
    const value = (column: number, row: number): number => values[((row & 255) << 8) | (column & 255)] ?? 0;
    const above = value(left, top) * (1 - right) + value(left + 1, top) * right;
    const below = value(left, top + 1) * (1 - right) + value(left + 1, top + 1) * right;
    return above * (1 - down) + below * down;
  };
}

function smooth(within: number): number {
  return within * within * (3 - 2 * within);
}
