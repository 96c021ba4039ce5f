/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The median ratio across all rounds. If the machine slows down for a moment, both sides of a ratio are affected. */
export function medianRatio(figures: readonly number[], yardsticks: readonly number[]): number {
  return median(figures.map((figure, round) => figure / (yardsticks[round] ?? Number.NaN)));
}
