/** The smallest value that at least this many of a hundred do not exceed. */
export function findPercentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
