/** The middle one; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The median of each round's own ratio: a slow moment of the machine slows both of its sides. */
export function medianRatio(figures: readonly number[], yardsticks: readonly number[]): number {
  return median(figures.map((figure, round) => figure / (yardsticks[round] ?? Number.NaN)));
}
