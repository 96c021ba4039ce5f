// How even the answers are: latencies at half of the rate that the service can reach, from the time each request was due.

import { buildRepeatedGroups } from '../cases.ts';
import type { Load } from '../load/load.ts';
import { runPacedLoad } from '../load/paced-load.ts';
import { aim, askTwice } from '../measure-group.ts';
import type { Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';

export interface MeasuredLatency {
  readonly what: string;
  /** Requests a second, over which the latencies were taken. */
  readonly perSecond: number;
  /** One for each round. */
  readonly p50Ms: readonly number[];
  readonly p99Ms: readonly number[];
}

export interface LatencyMethod {
  readonly load: Load;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
}

const SHARE_OF_TOP_RATE = 0.5;

export async function measureLatency(
  scratch: Scratch,
  site: Site,
  { load, connections, rounds, seconds }: LatencyMethod,
): Promise<readonly MeasuredLatency[]> {
  const measured: MeasuredLatency[] = [];
  for (const { what, cases } of await buildRepeatedGroups(site)) {
    const target = aim(cases[0]);
    await askTwice(target);
    const top = await load.run(target, seconds);
    const perSecond = Math.round((top.requests / top.seconds) * SHARE_OF_TOP_RATE);
    const p50Ms: number[] = [];
    const p99Ms: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const figures = await runPacedLoad(scratch, { ...target, connections, perSecond, seconds });
      p50Ms.push(figures.p50Ms);
      p99Ms.push(figures.p99Ms);
    }
    measured.push({ what, perSecond, p50Ms, p99Ms });
  }
  return measured;
}
