// The value axis of a chart: where its ticks are, and how far up a value lies.

export interface Axis {
  readonly ticks: readonly number[];
  /** From 0 at the foot of the chart to 1 at its top. */
  readonly place: (value: number) => number;
}

const WANTED_TICKS = 5;

export function buildAxis(values: readonly number[], scale: 'linear' | 'log'): Axis {
  return scale === 'linear' ? buildLinearAxis(values) : buildLogAxis(values);
}

function buildLinearAxis(values: readonly number[]): Axis {
  const most = Math.max(...values, Number.MIN_VALUE);
  const rough = most / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
  return { ticks, place: (value) => value / (count * step) };
}

/** The least value stands a little above the foot, so that it has a bar. */
function buildLogAxis(values: readonly number[]): Axis {
  const powers = values.filter((value) => value > 0).map(Math.log10);
  const low = Math.floor(Math.min(...powers) - 0.1);
  const high = Math.ceil(Math.max(...powers));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { ticks, place: (value) => (value > 0 ? (Math.log10(value) - low) / (high - low) : 0) };
}
