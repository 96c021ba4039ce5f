// Generates load on a server: as many requests as it can handle, over a fixed number of connections. Any response other than a 2xx or a
// 304 is an error, and a run with an error has no result.

export interface LoadTarget {
  readonly origin: string;
  /** Requested one after another, in a loop. */
  readonly paths: readonly string[];
  /** Whether a number is appended to each path, so that no URL is requested twice. */
  readonly isNumbered: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LoadFigures {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Connections failed or stalled, but no response was wrong. The machine may be the cause, so the run can be repeated. */
export class DisturbedLoad extends Error {}

export interface Load {
  /** The tool's name and version. */
  readonly tool: string;
  readonly run: (target: LoadTarget, seconds: number) => Promise<LoadFigures>;
}

/** The smallest value that is greater than or equal to at least this percentage of the values. */
export function findPercentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
